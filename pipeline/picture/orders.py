"""Orders and what became of them, drawn: ways below the units, signs above them."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from math import cos, dist, pi, sin
from typing import assert_never

from msgspec import Struct, field

from pipeline.board import Kind, Map, Position, Power, Step, Unit, province_of
from pipeline.ink import Box
from pipeline.judge.outcome import Bounced, Invalid, Result, Unmatched, Word
from pipeline.orders import Build, Convoy, Disband, Hold, Move, Retreat, Support, Waive
from pipeline.paper.lettering import BOLD, REGULAR, width_in_points
from pipeline.picture import shapes
from pipeline.picture.geometry import PolygonPath, along, edge, find_goal, move_ways, stand, standard_geometry, trim_way
from pipeline.words.speech import IN_ENGLISH, Speech

# How long a text is: both back ends use the widths of the printed font, so that what fits in one fits in the other.


@lru_cache(maxsize=2048)
def width_of(text: str, size: float, *, is_bold: bool = False) -> float:
    """Give the length of a text in drawing units, its size being in drawing units too."""
    return width_in_points(text, BOLD if is_bold else REGULAR, size)


# Units, and the small signs beside them.

OUTLINE = shapes.PictureInk(shapes.BLACK, 1.8)
LETTER = 17.0  # size of a power's letters on its unit
CUT_CORNER = 3.0  # of an army's box
BADGE = 9.5  # radius of a small sign
HULL = (9.0, 4.0)  # how far a hull runs in below, and how deep its deck lies


def unit_sign(kind: Kind, power: Power, spot: shapes.Point, speech: Speech) -> Iterator[shapes.DrawCommand]:
    """Draw an army as a box, a fleet as a hull, with the power's letters in a language."""
    coat = shapes.COATS[power]
    yield shapes.Polygon(shape(kind, spot, 2.2), fill=shapes.PAPER)
    yield shapes.Polygon(shape(kind, spot), coat.body, OUTLINE)
    x, y = spot
    yield shapes.Text((x, y + LETTER * 0.36), speech.letters(power), LETTER, coat.ink, is_bold=True)


def shape(kind: Kind, spot: shapes.Point, more: float = 0) -> tuple[shapes.Point, ...]:
    """Give the outline of a unit, ``more`` drawing units larger on every side."""
    x, y = spot
    across, down = shapes.UNIT[0] / 2 + more, shapes.UNIT[1] / 2 + more
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


def ring(spot: shapes.Point, ink: shapes.PictureInk, more: float = 4.5) -> shapes.DrawCommand:
    """Draw a box round a unit."""
    return shapes.Polygon(shape(Kind.ARMY, spot, more), ink=ink)


def dislodged_ring(spot: shapes.Point) -> Iterator[shapes.DrawCommand]:
    """Mark a unit that was dislodged."""
    yield ring(spot, shapes.PictureInk(shapes.PAPER, 3.2), 2.4)
    yield ring(spot, shapes.PictureInk(shapes.RED, 3.2, (6, 3.5)), 2.4)


def new_owner(spot: shapes.Point) -> Iterator[shapes.DrawCommand]:
    """Mark a supply centre that changed hands."""
    yield shapes.Circle(spot, shapes.MARK + 4.5, None, shapes.PictureInk(shapes.PAPER, 5.0))
    yield shapes.Circle(spot, shapes.MARK + 4.5, None, shapes.PictureInk(shapes.BLACK, 2.6))


def cross(spot: shapes.Point, size: float, width: float = 4.0) -> Iterator[shapes.DrawCommand]:
    x, y = spot
    for colour, thick in ((shapes.PAPER, width + 3), (shapes.RED, width)):
        ink = shapes.PictureInk(colour, thick)
        yield shapes.Polyline(((x - size, y - size), (x + size, y + size)), ink)
        yield shapes.Polyline(((x - size, y + size), (x + size, y - size)), ink)


def cross_out_unit(power: Power, spot: shapes.Point, speech: Speech) -> Iterator[shapes.DrawCommand]:
    """Cross out a whole unit; its letters stay readable."""
    x, y = spot
    across, down = shapes.UNIT[0] / 2 + 2, shapes.UNIT[1] / 2 + 2
    for colour, thick in ((shapes.PAPER, 6.0), (shapes.RED, 3.4)):
        ink = shapes.PictureInk(colour, thick)
        yield shapes.Polyline(((x - across, y - down), (x + across, y + down)), ink)
        yield shapes.Polyline(((x - across, y + down), (x + across, y - down)), ink)
    coat = shapes.COATS[power]
    yield shapes.Circle(spot, LETTER * 0.66, coat.body)
    yield shapes.Text((x, y + LETTER * 0.36), speech.letters(power), LETTER, coat.ink, is_bold=True)


def burst(spot: shapes.Point) -> shapes.DrawCommand:
    """Mark where units bounced: a star."""
    x, y = spot
    points = []
    for number, (dx, dy) in enumerate(COMPASS):
        reach = 11.0 if number % 2 == 0 else 4.5
        points.append((round(x + dx * reach, 2), round(y + dy * reach, 2)))
    return shapes.Polygon(tuple(points), "#ffd84d", shapes.PictureInk(shapes.RED, 1.8))


COMPASS = tuple((cos(turn * pi / 8), sin(turn * pi / 8)) for turn in range(16))


def _corner(spot: shapes.Point) -> shapes.Point:
    """Find the corner of a unit at which a small sign hides no name and no supply centre."""
    geometry = standard_geometry()
    taken = [
        Box.around(name, width_of(code, shapes.NAME_SIZE, is_bold=True), shapes.NAME_SIZE)
        for code, name in geometry.names.items()
    ]
    taken += [Box.around(mark, 2 * shapes.MARK, 2 * shapes.MARK) for mark in geometry.marks.values()]
    corners = [(spot[0] + dx, spot[1] + dy) for dx, dy in ((20, -12), (20, 12), (-20, -12), (-20, 12))]
    return min(corners, key=lambda at: sum(Box.around(at, 2 * BADGE, 2 * BADGE).meets(frame) for frame in taken))


def badge(
    spot: shapes.Point, text: str, *, fill: str = shapes.PAPER, ink: str = shapes.BLACK, radius: float = BADGE
) -> Iterator[shapes.DrawCommand]:
    """Put a sign or a number in a small circle."""
    yield shapes.Circle(spot, radius, fill, shapes.PictureInk(shapes.BLACK, 1.8))
    size = radius * 1.55
    yield shapes.Text((spot[0], spot[1] + size * 0.36), text, size, ink, is_bold=True)


MOVED = shapes.PictureInk(shapes.BLACK, 4.2)
FAILED = shapes.PictureInk(shapes.RED, 3.6, (9, 5))
SUPPORTS = shapes.PictureInk(shapes.BLACK, 3.0, (3, 4))
SUPPORT_FAILED = shapes.PictureInk(shapes.RED, 3.0, (3, 4))
WAKE_INK = shapes.PictureInk(shapes.WAKE, 15)
HEAD = 13.0
MEETING = 0.55  # how far along a move its supports meet it
STAR = 0.86  # how far along it a bounce is marked
# every order but a waived build, which has no place
DrawnOrder = Hold | Move | Support | Convoy | Retreat | Disband | Build
GOOD = (Word.SUCCEEDS, Word.GIVEN, Word.STANDS, Word.AVAILABLE)


class Layers(Struct):
    """The order in which things are drawn; later ones cover earlier ones."""

    speech: Speech = IN_ENGLISH  # of the letters on units
    wakes: list[shapes.DrawCommand] = field(default_factory=list)
    helps: list[shapes.DrawCommand] = field(default_factory=list)
    ways: list[shapes.DrawCommand] = field(default_factory=list)
    dots: list[shapes.DrawCommand] = field(default_factory=list)
    units: list[shapes.DrawCommand] = field(default_factory=list)
    signs: list[shapes.DrawCommand] = field(default_factory=list)

    def over(
        self, ground: Iterable[shapes.DrawCommand], names: Iterable[shapes.DrawCommand]
    ) -> Iterator[shapes.DrawCommand]:
        """Put everything in order, the ground lowest; the names cover the lines of orders, no unit and no sign."""
        for layer in (ground, self.wakes, self.helps, self.ways, self.dots, names, self.units, self.signs):
            yield from layer


class Scene(Struct, frozen=True):
    """A phase as it is drawn: who stood where, and where every move led."""

    board: Map
    before: Position
    moves: Mapping[Move, PolygonPath]
    full: frozenset[str]  # provinces with a unit in them

    def way(self, move: Move) -> PolygonPath:
        """A move's way, cut short so that it does not run under the units at its ends."""
        return trim_way(self.moves[move], full=province_of(move.to) in self.full)

    def supported_way(self, order: Support) -> PolygonPath:
        """The way of the move that a support is for, whether or not it was made."""
        to = order.to or order.of.place
        for move in self.moves:
            if move.unit.province == order.of.province and province_of(move.to) == province_of(to):
                return self.way(move)
        return trim_way((stand_of(order.of), find_goal(self.board, order.of, to)), full=province_of(to) in self.full)


def draw_results(board: Map, before: Position, results: tuple[Result, ...], speech: Speech) -> Layers:
    """Draw a whole phase: the units before it, and what each was ordered."""
    layers = Layers(speech)
    scene = Scene(
        board,
        before,
        move_ways(board, (result.order for result in results if not _is_void(result))),
        frozenset(unit.province for _, unit in before.all_units()),
    )
    put_units(before, layers)
    for result in results:
        _draw_result(scene, result, layers)
    return layers


def put_units(position: Position, layers: Layers) -> None:
    """Put all units on the board; those dislodged stand beside the ones that came."""
    for power, unit in position.all_units():
        layers.units += unit_sign(unit.kind, power, stand(unit.place), layers.speech)
    for dislodged in position.dislodged:
        spot = standard_geometry().driven_out[dislodged.unit.province]
        layers.units += unit_sign(dislodged.unit.kind, dislodged.power, spot, layers.speech)
        layers.units += dislodged_ring(spot)


def _draw_result(scene: Scene, result: Result, layers: Layers) -> None:
    if isinstance(result.order, Waive) or not is_shown(scene.before, result):
        return
    if _is_void(result):
        layers.signs += badge(
            _corner(leaving_spot(scene.before, result.order.unit)), "!", fill=shapes.RED, ink=shapes.PAPER
        )
    else:
        _draw_order(scene, result, result.order, layers)
    if result.dislodged_by is not None:
        layers.signs += dislodged_ring(stand_of(result.order.unit))


def is_shown(before: Position, result: Result) -> bool:
    """Whether a result is drawn on the map: an invalid order only if its unit is on the board."""
    if not _is_void(result):
        return True
    if isinstance(result.order, Build | Waive):
        return False
    own = [*before.units.get(result.power, ()), *(d.unit for d in before.dislodged if d.power is result.power)]
    return any(unit.province == result.order.unit.province for unit in own)


def _draw_order(scene: Scene, result: Result, order: DrawnOrder, layers: Layers) -> None:
    good = result.outcome.result in GOOD
    match order:
        case Hold():
            pass
        case Move():
            _draw_move(scene, order, result, layers)
        case Support():
            _draw_support(scene, order, layers, good=good)
        case Convoy():
            _draw_convoy(order, result, layers)
        case Retreat():
            _draw_retreat(scene, order, layers, good=good)
        case Disband(unit):
            layers.signs += cross_out_unit(result.power, leaving_spot(scene.before, unit), layers.speech)
        case Build(unit):
            _draw_build(result, unit, layers, good=good)
        case _:
            assert_never(order)


def _arrow_head_size(way: PolygonPath) -> float:
    """Keep an arrow's head shorter than a short arrow."""
    return min(HEAD, max(0.6 * dist(way[-2], way[-1]), HEAD / 2))


def _is_void(result: Result) -> bool:
    """Say whether an order was illegal, or not understood."""
    return result.outcome.result is Word.ILLEGAL or isinstance(result.outcome, Invalid)


def _draw_move(scene: Scene, move: Move, result: Result, layers: Layers) -> None:
    """Draw a move: solid where it came through, dashed and crossed or with a star where it did not."""
    way = scene.way(move)
    if len(way) > 2:
        layers.wakes.append(shapes.Polyline(way, WAKE_INK))
    if result.outcome.result is Word.SUCCEEDS:
        layers.ways.append(shapes.Arrow(way, MOVED, _arrow_head_size(way), rim=shapes.PAPER))
        return
    layers.ways.append(shapes.Arrow(way, FAILED, _arrow_head_size(way), rim=shapes.PAPER))
    if isinstance(result.outcome, Bounced):
        layers.signs.append(burst(along(way, STAR)))
    else:
        layers.signs += cross(along(way, 0.5), 6)


def _draw_support(scene: Scene, order: Support, layers: Layers, *, good: bool) -> None:
    """Draw a support as dots, to the move it helps or to the unit that is to stay."""
    start = stand_of(order.unit)
    end = edge(stand_of(order.of), start) if order.to is None else along(scene.supported_way(order), MEETING)
    way = (edge(start, end), end)
    ink = SUPPORTS if good else SUPPORT_FAILED
    layers.helps += [shapes.Polyline(way, shapes.PictureInk(shapes.PAPER, 6)), shapes.Polyline(way, ink)]
    layers.dots.append(shapes.Circle(end, 4.6, ink.colour, shapes.PictureInk(shapes.PAPER, 1.2)))
    if not good:
        layers.signs += cross(along(way, 0.45), 5.5, 3.4)


def _draw_convoy(order: Convoy, result: Result, layers: Layers) -> None:
    """Draw a convoy as a ring round the fleet; where its army went another way, a line shows which was meant."""
    spot = stand_of(order.unit)
    good = result.outcome.result in GOOD
    if good:
        layers.signs.append(ring(spot, shapes.PictureInk(shapes.WAKE, 3), 2.4))
    if isinstance(result.outcome, Unmatched):
        way = (edge(spot, stand_of(order.of)), edge(stand_of(order.of), spot))
        layers.helps.append(shapes.Polyline(way, SUPPORT_FAILED))
        layers.signs += cross(along(way, 0.45), 5.5, 3.4)
    elif not good and result.dislodged_by is None:
        layers.signs += cross((spot[0] + 22, spot[1] - 14), 5.5, 3.4)


def _draw_retreat(scene: Scene, order: Retreat, layers: Layers, *, good: bool) -> None:
    """Draw a retreat from where the unit waits."""
    spot = leaving_spot(scene.before, order.unit)
    way = trim_way((spot, find_goal(scene.board, order.unit, order.to)), full=False)
    layers.ways.append(shapes.Arrow(way, MOVED if good else FAILED, _arrow_head_size(way), rim=shapes.PAPER))
    if not good:
        layers.signs.append(burst(along(way, STAR)))


def _draw_build(result: Result, unit: Unit, layers: Layers, *, good: bool) -> None:
    """Draw a new unit with a plus, or crossed out where it could not be built."""
    spot = stand_of(unit)
    layers.units += unit_sign(unit.kind, result.power, spot, layers.speech)
    if good or result.outcome.result is Word.AUTOMATIC:
        layers.signs += badge(_corner(spot), "+")
    else:
        layers.signs += cross_out_unit(result.power, spot, layers.speech)


def leaving_spot(before: Position, unit: Unit) -> shapes.Point:
    """Where a unit is that leaves the board or retreats: beside, if it was dislodged."""
    is_out = before.phase.step is Step.RETREATS and any(d.unit == unit for d in before.dislodged)
    return standard_geometry().driven_out[unit.province] if is_out else stand_of(unit)


def stand_of(unit: Unit) -> shapes.Point:
    """Where a unit is drawn, also if its coast was not named."""
    known = standard_geometry().units
    return known[unit.place if unit.place in known else unit.province]
