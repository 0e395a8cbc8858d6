"""Draw the picture of every scoring system again, beside its file: ``.venv/bin/python docs/pictures/systems.py``.

It shows points by centre count, and what one board pays.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import islice

from msgspec import Struct

from pipeline.board import Power
from pipeline.ink import Box
from pipeline.picture.formats import as_svg
from pipeline.picture.shapes import (
    BLACK,
    GREY,
    PAPER,
    DrawCommand,
    Drawing,
    PictureInk,
    Point,
    Polygon,
    Polyline,
    Text,
)
from pipeline.rules.load import load_systems
from pipeline.rules.rules_check import SOLO, TYPICAL, make_board
from pipeline.rules.systems import picture_file
from pipeline.scoring.results import STANDARD_CENTRES, Board, Seat, decimal, sum_points
from pipeline.scoring.system import System, score_board

DECIMALS = 2  # of the points in a picture
FRAME = Box(0, 0, 640, 250)
CURVE = Box(46, 46, 330, 164)  # the room of the curve, inside its axes
BARS = Box(452, 46, 120, 164)  # the room of the bars, from the longest possible one to the left
BAND, LINE_COLOUR, BAR = "#cfe3f2", "#0b5c91", "#d98b1f"
AXIS, GRID = PictureInk(BLACK, 1.2), PictureInk("#d9d9d9", 0.8)
SMALL, PLAIN, HEAD = 11.0, 12.5, 16.0  # text sizes
STEPS = (1, 2, 5)  # a scale goes up by one of these, or ten times, a hundred times as much
TICKS = 5  # at most, beside the curve
LARGEST = 17  # centres without a solo


class CurvePoint(Struct, frozen=True):
    """What a power with so many centres gets, over all boards that were looked at; numbers for the eye."""

    centres: int
    least: float
    mean: float
    most: float


def draw_system(name: str, system: System) -> str:
    """Draw the curve with its band at the left, and the bars of a typical board at the right."""
    solo = max(game.score for game in score_board(make_board(SOLO), system))
    board = score_board(make_board(TYPICAL), system)
    commands = (
        Polygon(_corners(FRAME), fill=PAPER),
        Text((FRAME.left + 12, 26), name, HEAD, BLACK, align=0, is_bold=True),
        Text((FRAME.right - 12, 26), f"a solo: {decimal(solo, DECIMALS)}", PLAIN, BLACK, align=1),
        *_draw_curve(_pay_by_count(system)),
        *_draw_bars([(game.centres, float(game.score), decimal(game.score, DECIMALS)) for game in board]),
    )
    return as_svg(Drawing(FRAME, commands, f"{name}: points by centres"))


def _draw_curve(points: Sequence[CurvePoint]) -> Iterator[DrawCommand]:
    """The band from the least to the most, the mean as a line, and the axes."""
    highest = max((point.most for point in points), default=0) or 1
    lowest = min(0, *(point.least for point in points))
    step = _scale_step(highest - lowest)

    def spot(centres: float, value: float) -> Point:
        across = CURVE.left + CURVE.width * centres / LARGEST
        return across, CURVE.bottom - CURVE.height * (value - lowest) / (highest - lowest)

    for value in _scale_ticks(lowest, highest, step):
        yield Polyline((spot(0, value), spot(LARGEST, value)), GRID)
        yield Text((CURVE.left - 6, spot(0, value)[1] + 4), str(int(value)), SMALL, GREY, align=1)
    upper = [spot(point.centres, point.most) for point in points]
    lower = [spot(point.centres, point.least) for point in reversed(points)]
    yield Polygon((*upper, *lower), fill=BAND)
    yield Polyline(tuple(spot(point.centres, point.mean) for point in points), PictureInk(LINE_COLOUR, 2.4))
    yield Polyline((spot(0, lowest), spot(LARGEST, lowest)), AXIS)
    for centres in (0, 3, 6, 9, 12, 15, LARGEST):
        yield Text((spot(centres, lowest)[0], CURVE.bottom + 15), str(centres), SMALL, GREY)
    middle = CURVE.left + CURVE.width / 2
    yield Text((middle, CURVE.bottom + 32), "centres at the end: mean, and from least to most", SMALL, GREY)


def _draw_bars(board: Sequence[tuple[int, float, str]]) -> Iterator[DrawCommand]:
    """A bar for each power of the board, with its centres before and its points behind it."""
    longest = max((value for _, value, _ in board), default=0) or 1
    height = BARS.height / max(len(board), 1)
    for number, (centres, value, text) in enumerate(board):
        top = BARS.top + number * height
        length = BARS.width * max(value, 0) / longest
        bar = Box(BARS.left, top + height * 0.16, length, height * 0.68)
        base = top + height / 2 + 4
        yield Text((BARS.left - 8, base), str(centres), PLAIN, BLACK, align=1, is_bold=True)
        if length:
            yield Polygon(_corners(bar), fill=BAR)
        yield Text((BARS.left + length + 6, base), text, PLAIN, BLACK, align=0)
    yield Text((BARS.left + BARS.width / 2, BARS.bottom + 15), "what this board pays", SMALL, GREY)


def _corners(frame: Box) -> tuple[Point, ...]:
    return (
        (frame.left, frame.top),
        (frame.right, frame.top),
        (frame.right, frame.bottom),
        (frame.left, frame.bottom),
    )


def _scale_step(span: float) -> float:
    """The step of a scale that has a few lines: 20 for a span of 100, 2000 for 7015, 2 for 9."""
    size = 1
    while True:
        for step in STEPS:
            if span / (step * size) <= TICKS:
                return step * size
        size *= 10


def _scale_ticks(lowest: float, highest: float, step: float) -> Iterator[float]:
    """The lines of a scale, 0 among them."""
    value = -step * int(-lowest // step)
    while value <= highest:
        yield value
        value += step


# What a system pays by the centre count alone, over many boards: the facts behind its picture.

EVERY = 10  # of the 2,486 ways to share 34 centres among seven powers without a solo, each tenth is looked at


def _pay_by_count(system: System) -> tuple[CurvePoint, ...]:
    """The least, the mean and the most that each count of centres brings without a solo, by centres."""
    found: dict[int, list[Fraction]] = {owned: [] for owned in range(LARGEST + 1)}
    for one in _sample_boards():
        for game in score_board(one, system):
            found[game.centres].append(game.score)
    return tuple(
        CurvePoint(owned, float(min(scores)), float(sum_points(scores) / len(scores)), float(max(scores)))
        for owned, scores in found.items()
        if scores
    )


@cache
def _sample_boards() -> tuple[Board, ...]:
    """The boards that are looked at; every system is asked about the same."""
    return tuple(map(_ended_with, islice(_shared_out(STANDARD_CENTRES, len(Power), LARGEST), 0, None, EVERY)))


def _ended_with(counts: tuple[int, ...]) -> Board:
    """A board that ended with these counts, in its seventh year; nothing is known of the years before."""
    powers = tuple(Power)
    centres = dict(zip(powers, counts, strict=True))
    return Board(
        round=1, name="A", seats={power: Seat(player=None) for power in powers}, centres=centres, years={1907: centres}
    )


def _shared_out(total: int, powers: int, most: int) -> Iterator[tuple[int, ...]]:
    """Every way to share centres among powers, highest first: (2, 2, 0) and (2, 1, 1) for 4 among 3, 2 at most."""
    if powers == 0:
        if total == 0:
            yield ()
        return
    for first in range(min(total, most), -1, -1):
        if first * powers < total:
            return
        for rest in _shared_out(total - first, powers - 1, first):
            yield first, *rest


def main() -> None:
    for system in load_systems().values():
        picture_file(system.id).write_text(draw_system(system.name, system.system) + "\n", "utf-8")


if __name__ == "__main__":
    main()
