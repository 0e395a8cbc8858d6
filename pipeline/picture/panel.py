"""What stands beside the map: the title, who has what, what the signs mean, and what the map cannot show."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from pipeline.board.map import Kind, Power
from pipeline.board.position import Position, Step
from pipeline.picture.commands import Arrow, Circle, Command, Frame, PictureInk, Polygon, Polyline, Spot, Text
from pipeline.picture.ground import centre
from pipeline.picture.look import BLACK, COATS, GREY, PAPER
from pipeline.picture.measure import printable, wrapped
from pipeline.picture.orders import FAILED, HEAD, MOVED, SUPPORT_FAILED, SUPPORTS, WAKE_INK
from pipeline.picture.symbols import badge, burst, cross, dislodged_ring, removed, ring, unit_sign
from pipeline.words.speech import IN_ENGLISH, Speech, to_say

WIDTH = 400.0  # drawing units
TITLE, PHASE, BODY, SMALL = 29.0, 43.0, 24.0, 21.0  # sizes; small is 6.3 points on A5
ROW = 35.0  # from one line of the tables to the next
SIGN = 78.0  # room for a sign before what it means

Sign = Callable[[Spot], Iterator[Command]]


@dataclass(frozen=True, slots=True)
class Caption:
    """The words on a picture that the position does not know."""

    title: str = ""  # "Board 2.5"
    subtitle: str = ""  # the event's name
    what: str = ""  # "orders and results", "position"
    notes: tuple[str, ...] = ()
    speech: Speech = IN_ENGLISH  # the language of everything on the picture that is not said above


def panel(
    position: Position,
    powers: Sequence[Power],
    caption: Caption,
    signs: Sequence[tuple[Sign, str]],
    frame: Frame,
    counted: Position | None = None,
) -> Iterator[Command]:
    """Draw everything beside the map, from the top; ``powers`` are those in the game.

    The table shows ``counted``, after a count of the centres.
    """
    y = frame.top
    for text, size, is_bold in (
        (caption.title, TITLE, True),
        (caption.subtitle, SMALL, False),
        (caption.speech.says(position.phase.in_words), PHASE, True),
        (caption.what, BODY, False),
    ):
        for line in wrapped(printable(text), size, frame.width, is_bold=is_bold) if text else ():
            y += size * 1.12
            yield Text((frame.left, y), line, size, BLACK, align=0, is_bold=is_bold)
    yield Polyline(((frame.left, y + 16), (frame.right, y + 16)), PictureInk(GREY, 1.5))
    yield from table(position, counted or position, powers, caption.speech, Frame(frame.left, y + 22, frame.width, 0))
    y += 22 + ROW * (len(powers) + 1) + 14
    yield Polyline(((frame.left, y), (frame.right, y)), PictureInk(GREY, 1.5))
    yield from legend(signs, caption.speech, frame, y + 12)
    y += 12 + ROW * len(signs) + 14
    yield from notes(caption.notes, caption.speech, frame, y)


def table(
    before: Position, position: Position, powers: Sequence[Power], speech: Speech, frame: Frame
) -> Iterator[Command]:
    """List the powers with their centres, by how many more or fewer than before, and units."""
    right, top = (frame.right - 100, frame.right), frame.top
    low = top + ROW * 0.62
    for x, word in zip(right, (speech.says("centres"), speech.says("units")), strict=True):
        yield Text((x, low), word, SMALL, GREY, align=1)
    for number, power in enumerate(powers, start=1):
        coat = COATS[power]
        middle = top + ROW * (number + 0.5)
        low = middle + BODY * 0.36
        left = frame.left
        corners = ((left, middle - 15), (left + 70, middle - 15), (left + 70, middle + 15), (left, middle + 15))
        yield Polygon(corners, coat.fill, PictureInk(GREY, 1.2), coat.hatch)
        yield from unit_sign(Kind.ARMY, power, (left + 35, middle))
        yield Text((left + SIGN + 4, low), speech.power(power), BODY, BLACK, align=0)
        counts = (len(position.centres.get(power, ())), units_of(position, power))
        for x, count in zip(right, counts, strict=True):
            yield Text((x, low), str(count), BODY, BLACK, align=1, is_bold=True)
        if more := counts[0] - len(before.centres.get(power, ())):
            yield Text((right[0] + 6, low), f"{more:+}", SMALL, BLACK, align=0)


def units_of(position: Position, power: Power) -> int:
    """Count a power's units, those dislodged too."""
    return len(position.units.get(power, ())) + sum(d.power is power for d in position.dislodged)


def legend(signs: Sequence[tuple[Sign, str]], speech: Speech, frame: Frame, top: float) -> Iterator[Command]:
    """Explain each sign."""
    for number, (sign, words) in enumerate(signs):
        middle = top + ROW * (number + 0.5)
        yield from sign((frame.left + 35, middle))
        yield Text((frame.left + SIGN + 4, middle + SMALL * 0.36), speech.says(words), SMALL, BLACK, align=0)


def notes(texts: Iterable[str], speech: Speech, frame: Frame, top: float) -> Iterator[Command]:
    """Write what is left to say, as far as it fits; the last line says how much did not."""
    lines = [line for text in texts for line in wrapped(printable(speech.says(text)), SMALL, frame.width)]
    fit = int((frame.bottom - top) // (SMALL * 1.2))
    if len(lines) > fit > 0:
        lines = [*lines[: fit - 1], speech.says("and {count} more lines on the card", count=len(lines) - fit + 1)]
    for number, line in enumerate(lines[: max(fit, 0)], start=1):
        yield Text((frame.left, top + number * SMALL * 1.2), line, SMALL, BLACK, align=0)


def army(spot: Spot) -> Iterator[Command]:
    """Show an army."""
    yield from unit_sign(Kind.ARMY, Power.GERMANY, spot)


def fleet(spot: Spot) -> Iterator[Command]:
    """Show a fleet."""
    yield from unit_sign(Kind.FLEET, Power.GERMANY, spot)


def arrow(ink: PictureInk, *above: Callable[[Spot], Iterator[Command]]) -> Sign:
    """Make a sign of an arrow, with something on it."""

    def draw(spot: Spot) -> Iterator[Command]:
        yield Arrow(((spot[0] - 33, spot[1]), (spot[0] + 33, spot[1])), ink, HEAD)
        for sign in above:
            yield from sign(spot)

    return draw


def dots(ink: PictureInk, *above: Callable[[Spot], Iterator[Command]]) -> Sign:
    """Make a sign of a support, with something on it."""

    def draw(spot: Spot) -> Iterator[Command]:
        end = (spot[0] + 29, spot[1])
        yield Polyline(((spot[0] - 33, spot[1]), end), ink)
        yield Circle(end, 4.6, ink.colour)
        for sign in above:
            yield from sign(spot)

    return draw


def star(spot: Spot) -> Iterator[Command]:
    """Show a bounce at the end of an arrow."""
    yield burst((spot[0] + 30, spot[1]))


def small_cross(spot: Spot) -> Iterator[Command]:
    """Show a failure in the middle of a line."""
    yield from cross(spot, 6)


def convoy(spot: Spot) -> Iterator[Command]:
    """Show an army's way over a fleet."""
    yield Polyline(((spot[0] - 35, spot[1]), (spot[0] + 20, spot[1])), WAKE_INK)
    yield Arrow(((spot[0] - 35, spot[1]), (spot[0] + 35, spot[1])), MOVED, HEAD, rim=PAPER)
    yield from unit_sign(Kind.FLEET, Power.GERMANY, (spot[0] - 5, spot[1]))
    yield ring((spot[0] - 5, spot[1]), PictureInk(WAKE_INK.colour, 3.4), 3)


def dislodged(spot: Spot) -> Iterator[Command]:
    """Show a dislodged unit."""
    yield from unit_sign(Kind.ARMY, Power.GERMANY, spot)
    yield from dislodged_ring(spot)


def void(spot: Spot) -> Iterator[Command]:
    """Show a unit whose order was none."""
    yield from unit_sign(Kind.ARMY, Power.GERMANY, spot)
    yield from badge((spot[0] + 19, spot[1] - 10), "!", fill=FAILED.colour, ink=PAPER, radius=9)


def built(spot: Spot) -> Iterator[Command]:
    """Show a new unit."""
    yield from unit_sign(Kind.ARMY, Power.GERMANY, spot)
    yield from badge((spot[0] + 19, spot[1] - 10), "+", radius=9)


def gone(spot: Spot) -> Iterator[Command]:
    """Show a unit taken off."""
    yield from unit_sign(Kind.ARMY, Power.GERMANY, spot)
    yield from removed(Power.GERMANY, spot)


STANDING: tuple[tuple[Sign, str], ...] = (
    (army, to_say("army, its power's letter")),
    (fleet, to_say("fleet")),
    (centre, to_say("supply centre")),
)
SIGNS: dict[Step, tuple[tuple[Sign, str], ...]] = {
    Step.MOVEMENT: (
        *STANDING,
        (arrow(MOVED), to_say("moved")),
        (arrow(FAILED, star), to_say("bounced")),
        (arrow(FAILED, small_cross), to_say("failed")),
        (dots(SUPPORTS), to_say("support, to a unit or a move")),
        (dots(SUPPORT_FAILED, small_cross), to_say("support cut or not matched")),
        (convoy, to_say("convoyed")),
        (dislodged, to_say("dislodged")),
        (void, to_say("order void: the unit held")),
    ),
    Step.RETREATS: (
        *STANDING,
        (arrow(MOVED), to_say("retreated")),
        (arrow(FAILED, star), to_say("met another: both disband")),
        (gone, to_say("disbanded")),
    ),
    Step.ADJUSTMENTS: (*STANDING, (built, to_say("built")), (gone, to_say("disbanded, or not built"))),
}
