"""A picture of a scoring system: points by centre count, and what one board pays."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.picture.commands import Command, Drawing, Frame, PictureInk, Polygon, Polyline, Spot, Text
from pipeline.picture.look import BLACK, GREY, PAPER

FRAME = Frame(0, 0, 640, 250)
CURVE = Frame(46, 46, 330, 164)  # the room of the curve, inside its axes
BARS = Frame(452, 46, 120, 164)  # the room of the bars, from the longest possible one to the left
BAND, LINE_COLOUR, BAR = "#cfe3f2", "#0b5c91", "#d98b1f"
AXIS, GRID = PictureInk(BLACK, 1.2), PictureInk("#d9d9d9", 0.8)
SMALL, PLAIN, HEAD = 11.0, 12.5, 16.0  # text sizes
STEPS = (1, 2, 5)  # a scale goes up by one of these, or ten times, a hundred times as much
TICKS = 5  # at most, beside the curve
LARGEST = 17  # centres without a solo


@dataclass(frozen=True, slots=True)
class Point:
    """What a count of centres brings."""

    centres: int
    least: float
    mean: float
    most: float


@dataclass(frozen=True, slots=True)
class Payouts:
    """What a system pays, as it is drawn; numbers for the eye."""

    title: str
    points: tuple[Point, ...]  # by centres, ascending
    board: tuple[tuple[int, float, str], ...]  # centres, points, and the points as they are written
    solo: str  # what a soloist gets


def draw_payouts(payouts: Payouts) -> Drawing:
    """Draw the curve with its band at the left, and the board's bars at the right."""
    commands = (
        Polygon(corners(FRAME), fill=PAPER),
        Text((FRAME.left + 12, 26), payouts.title, HEAD, BLACK, align=0, is_bold=True),
        Text((FRAME.right - 12, 26), f"a solo: {payouts.solo}", PLAIN, BLACK, align=1),
        *curve(payouts.points),
        *bars(payouts.board),
    )
    return Drawing(FRAME, commands, f"{payouts.title}: points by centres")


def curve(points: Sequence[Point]) -> Iterator[Command]:
    """The band from the least to the most, the mean as a line, and the axes."""
    highest = max((point.most for point in points), default=0) or 1
    lowest = min(0, *(point.least for point in points))
    step = scale_step(highest - lowest)

    def spot(centres: float, value: float) -> Spot:
        across = CURVE.left + CURVE.width * centres / LARGEST
        return across, CURVE.bottom - CURVE.height * (value - lowest) / (highest - lowest)

    for value in ticks(lowest, highest, step):
        yield Polyline((spot(0, value), spot(LARGEST, value)), GRID)
        yield Text((CURVE.left - 6, spot(0, value)[1] + 4), written(value), SMALL, GREY, align=1)
    upper = [spot(point.centres, point.most) for point in points]
    lower = [spot(point.centres, point.least) for point in reversed(points)]
    yield Polygon((*upper, *lower), fill=BAND)
    yield Polyline(tuple(spot(point.centres, point.mean) for point in points), PictureInk(LINE_COLOUR, 2.4))
    yield Polyline((spot(0, lowest), spot(LARGEST, lowest)), AXIS)
    for centres in (0, 3, 6, 9, 12, 15, LARGEST):
        yield Text((spot(centres, lowest)[0], CURVE.bottom + 15), str(centres), SMALL, GREY)
    middle = CURVE.left + CURVE.width / 2
    yield Text((middle, CURVE.bottom + 32), "centres at the end: mean, and from least to most", SMALL, GREY)


def bars(board: Sequence[tuple[int, float, str]]) -> Iterator[Command]:
    """A bar for each power of the board, with its centres before and its points behind it."""
    longest = max((value for _, value, _ in board), default=0) or 1
    height = BARS.height / max(len(board), 1)
    for number, (centres, value, text) in enumerate(board):
        top = BARS.top + number * height
        length = BARS.width * max(value, 0) / longest
        bar = Frame(BARS.left, top + height * 0.16, length, height * 0.68)
        base = top + height / 2 + 4
        yield Text((BARS.left - 8, base), str(centres), PLAIN, BLACK, align=1, is_bold=True)
        if length:
            yield Polygon(corners(bar), fill=BAR)
        yield Text((BARS.left + length + 6, base), text, PLAIN, BLACK, align=0)
    yield Text((BARS.left + BARS.width / 2, BARS.bottom + 15), "what this board pays", SMALL, GREY)


def corners(frame: Frame) -> tuple[Spot, ...]:
    """The corners of a rectangle."""
    return (
        (frame.left, frame.top),
        (frame.right, frame.top),
        (frame.right, frame.bottom),
        (frame.left, frame.bottom),
    )


def scale_step(span: float) -> float:
    """The step of a scale that has a few lines.

    >>> scale_step(100), scale_step(7015), scale_step(9)
    (20, 2000, 2)
    """
    size = 1
    while True:
        for step in STEPS:
            if span / (step * size) <= TICKS:
                return step * size
        size *= 10


def ticks(lowest: float, highest: float, step: float) -> Iterator[float]:
    """The lines of a scale, 0 among them."""
    value = -step * int(-lowest // step)
    while value <= highest:
        yield value
        value += step


def written(value: float) -> str:
    """A number beside the scale."""
    return str(int(value))
