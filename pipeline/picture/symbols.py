"""Units, and the small signs beside them."""

from collections.abc import Iterator
from math import cos, pi, sin

from pipeline.board.map import Kind, Power
from pipeline.picture.commands import Circle, Command, Frame, PictureInk, Polygon, Polyline, Spot, Text
from pipeline.picture.geometry import standard_geometry
from pipeline.picture.look import BLACK, COATS, MARK, NAME_SIZE, PAPER, RED, UNIT
from pipeline.picture.measure import width_of

OUTLINE = PictureInk(BLACK, 1.8)
LETTER = 20.0  # size of a power's letter on its unit
CUT_CORNER = 3.0  # of an army's box
BADGE = 9.5  # radius of a small sign
HULL = (9.0, 4.0)  # how far a hull runs in below, and how deep its deck lies


def unit_sign(kind: Kind, power: Power, spot: Spot) -> Iterator[Command]:
    """Draw an army as a box, a fleet as a hull, with the power's letter."""
    coat = COATS[power]
    yield Polygon(shape(kind, spot, 2.2), fill=PAPER)
    yield Polygon(shape(kind, spot), coat.body, OUTLINE)
    x, y = spot
    yield Text((x, y + LETTER * 0.36), coat.letter, LETTER, coat.ink, is_bold=True)


def shape(kind: Kind, spot: Spot, more: float = 0) -> tuple[Spot, ...]:
    """Give the outline of a unit, ``more`` units wider on every side."""
    x, y = spot
    across, down = UNIT[0] / 2 + more, UNIT[1] / 2 + more
    if kind is Kind.ARMY:
        across -= 4
        cut = CUT_CORNER
        return (
            (x - across + cut, y - down),
            (x + across - cut, y - down),
            (x + across, y - down + cut),
            (x + across, y + down - cut),
            (x + across - cut, y + down),
            (x - across + cut, y + down),
            (x - across, y + down - cut),
            (x - across, y - down + cut),
        )
    run, deck = HULL
    return (
        (x - across, y - down),
        (x - across + 5, y - down + deck),
        (x + across - 5, y - down + deck),
        (x + across, y - down),
        (x + across - run, y + down),
        (x - across + run, y + down),
    )


def ring(spot: Spot, ink: PictureInk, more: float = 4.5) -> Command:
    """Draw a box round a unit."""
    return Polygon(shape(Kind.ARMY, spot, more), ink=ink)


def dislodged_ring(spot: Spot) -> Iterator[Command]:
    """Mark a unit that was dislodged."""
    yield ring(spot, PictureInk(PAPER, 3.2), 2.4)
    yield ring(spot, PictureInk(RED, 3.2, (6, 3.5)), 2.4)


def new_owner(spot: Spot) -> Iterator[Command]:
    """Mark a supply centre that changed hands."""
    yield Circle(spot, MARK + 4.5, None, PictureInk(PAPER, 5.0))
    yield Circle(spot, MARK + 4.5, None, PictureInk(BLACK, 2.6))


def cross(spot: Spot, size: float, width: float = 4.0) -> Iterator[Command]:
    """Cross something out."""
    x, y = spot
    for colour, thick in ((PAPER, width + 3), (RED, width)):
        ink = PictureInk(colour, thick)
        yield Polyline(((x - size, y - size), (x + size, y + size)), ink)
        yield Polyline(((x - size, y + size), (x + size, y - size)), ink)


def removed(power: Power, spot: Spot) -> Iterator[Command]:
    """Cross out a whole unit; its letter stays readable."""
    x, y = spot
    across, down = UNIT[0] / 2 + 2, UNIT[1] / 2 + 2
    for colour, thick in ((PAPER, 6.0), (RED, 3.4)):
        ink = PictureInk(colour, thick)
        yield Polyline(((x - across, y - down), (x + across, y + down)), ink)
        yield Polyline(((x - across, y + down), (x + across, y - down)), ink)
    coat = COATS[power]
    yield Circle(spot, LETTER * 0.46, coat.body)
    yield Text((x, y + LETTER * 0.36), coat.letter, LETTER, coat.ink, is_bold=True)


def burst(spot: Spot) -> Command:
    """Mark where units bounced: a star."""
    x, y = spot
    points = []
    for number, (dx, dy) in enumerate(COMPASS):
        reach = 11.0 if number % 2 == 0 else 4.5
        points.append((round(x + dx * reach, 2), round(y + dy * reach, 2)))
    return Polygon(tuple(points), "#ffd84d", PictureInk(RED, 1.8))


COMPASS = tuple((cos(turn * pi / 8), sin(turn * pi / 8)) for turn in range(16))


def corner(spot: Spot) -> Spot:
    """Find the corner of a unit at which a small sign hides no name and no supply centre."""
    shape = standard_geometry()
    taken = [
        Frame.around(name, width_of(code, NAME_SIZE, is_bold=True), NAME_SIZE) for code, name in shape.names.items()
    ]
    taken += [Frame.around(mark, 2 * MARK, 2 * MARK) for mark in shape.marks.values()]
    corners = [(spot[0] + dx, spot[1] + dy) for dx, dy in ((20, -12), (20, 12), (-20, -12), (-20, 12))]
    return min(corners, key=lambda at: sum(Frame.around(at, 2 * BADGE, 2 * BADGE).meets(frame) for frame in taken))


def badge(spot: Spot, text: str, *, fill: str = PAPER, ink: str = BLACK, radius: float = BADGE) -> Iterator[Command]:
    """Put a sign or a number in a small circle."""
    yield Circle(spot, radius, fill, PictureInk(BLACK, 1.8))
    size = radius * 1.55
    yield Text((spot[0], spot[1] + size * 0.36), text, size, ink, is_bold=True)
