"""Orders and what became of them, drawn: ways below the units, signs above them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import dist
from typing import assert_never

from pipeline.board.map import Map, province_of
from pipeline.board.position import Position, Step, Unit
from pipeline.judge.outcome.movement_reasons import Bounced, Unmatched
from pipeline.judge.outcome.outcome import Result, Word
from pipeline.judge.outcome.verdicts import Invalid
from pipeline.orders.order import Build, Convoy, Disband, Hold, Move, Retreat, Support, Waive
from pipeline.picture.commands import Arrow, Circle, Command, PictureInk, Polyline, Spot
from pipeline.picture.geometry import standard_geometry
from pipeline.picture.look import BLACK, PAPER, RED, WAKE
from pipeline.picture.symbols import badge, burst, corner, cross, dislodged_ring, removed, ring, unit_sign
from pipeline.picture.ways import Way, along, edge, goal, move_ways, stand, trimmed

MOVED = PictureInk(BLACK, 4.2)
FAILED = PictureInk(RED, 3.6, (9, 5))
SUPPORTS = PictureInk(BLACK, 3.0, (3, 4))
SUPPORT_FAILED = PictureInk(RED, 3.0, (3, 4))
WAKE_INK = PictureInk(WAKE, 15)
HEAD = 13.0
MEETING = 0.55  # how far along a move its supports meet it
STAR = 0.86  # how far along it a bounce is marked
Placed = Hold | Move | Support | Convoy | Retreat | Disband | Build  # every order but a build waived, which is nowhere
GOOD = (Word.SUCCEEDS, Word.GIVEN, Word.STANDS, Word.AVAILABLE)


@dataclass(slots=True)
class Layers:
    """What lies over what."""

    wakes: list[Command] = field(default_factory=list)
    helps: list[Command] = field(default_factory=list)
    ways: list[Command] = field(default_factory=list)
    dots: list[Command] = field(default_factory=list)
    units: list[Command] = field(default_factory=list)
    signs: list[Command] = field(default_factory=list)

    def over(self, ground: Iterable[Command], names: Iterable[Command]) -> Iterator[Command]:
        """Put everything in order, the ground lowest; the names cover ways and nothing else."""
        for layer in (ground, self.wakes, self.helps, self.ways, self.dots, names, self.units, self.signs):
            yield from layer


@dataclass(frozen=True, slots=True)
class Scene:
    """A phase as it is drawn: who stood where, and where every move led."""

    board: Map
    before: Position
    moves: Mapping[Move, Way]
    full: frozenset[str]  # provinces with a unit in them

    def way(self, move: Move) -> Way:
        """A move's way without the room of the units at its ends."""
        return trimmed(self.moves[move], full=province_of(move.to) in self.full)

    def supported(self, order: Support) -> Way:
        """The way of the move that a support is for, whether or not it was made."""
        to = order.to or order.of.place
        for move in self.moves:
            if move.unit.province == order.of.province and province_of(move.to) == province_of(to):
                return self.way(move)
        return trimmed((stand_of(order.of), goal(self.board, order.of, to)), full=province_of(to) in self.full)


def draw_results(board: Map, before: Position, results: tuple[Result, ...]) -> Layers:
    """Draw a whole phase: the units before it, and what each was ordered."""
    layers = Layers()
    scene = Scene(
        board,
        before,
        move_ways(board, (result.order for result in results if not is_void(result))),
        frozenset(unit.province for _, unit in before.all_units()),
    )
    units(before, layers)
    for result in results:
        draw_result(scene, result, layers)
    return layers


def units(position: Position, layers: Layers) -> None:
    """Put all units on the board; those dislodged stand beside the ones that came."""
    for power, unit in position.all_units():
        layers.units += unit_sign(unit.kind, power, stand(unit.place))
    for dislodged in position.dislodged:
        spot = standard_geometry().driven_out[dislodged.unit.province]
        layers.units += unit_sign(dislodged.unit.kind, dislodged.power, spot)
        layers.units += dislodged_ring(spot)


def draw_result(scene: Scene, result: Result, layers: Layers) -> None:
    """Draw one order."""
    if isinstance(result.order, Waive) or not is_shown(scene.before, result):
        return
    if is_void(result):
        layers.signs += badge(corner(leaving(scene.before, result.order.unit)), "!", fill=RED, ink=PAPER)
    else:
        draw_order(scene, result, result.order, layers)
    if result.dislodged_by is not None:
        layers.signs += dislodged_ring(stand_of(result.order.unit))


def is_shown(before: Position, result: Result) -> bool:
    """Say whether a result has a place on the map: an order that was none has one only if its unit stands there."""
    if not is_void(result):
        return True
    if isinstance(result.order, Build | Waive):
        return False
    own = [*before.units.get(result.power, ()), *(d.unit for d in before.dislodged if d.power is result.power)]
    return any(unit.province == result.order.unit.province for unit in own)


def draw_order(scene: Scene, result: Result, order: Placed, layers: Layers) -> None:
    """Draw an order that was one."""
    good = result.outcome.result in GOOD
    match order:
        case Hold():
            pass
        case Move():
            draw_move(scene, order, result, layers)
        case Support():
            draw_support(scene, order, layers, good=good)
        case Convoy():
            draw_convoy(order, result, layers)
        case Retreat():
            draw_retreat(scene, order, layers, good=good)
        case Disband(unit):
            layers.signs += removed(result.power, leaving(scene.before, unit))
        case Build(unit):
            draw_build(result, unit, layers, good=good)
        case _:
            assert_never(order)


def head_of(way: Way) -> float:
    """Keep an arrow's head shorter than a short arrow."""
    return min(HEAD, max(0.6 * dist(way[-2], way[-1]), HEAD / 2))


def is_void(result: Result) -> bool:
    """Say whether an order was none: impossible, or not understood."""
    return result.outcome.result is Word.ILLEGAL or isinstance(result.outcome, Invalid)


def draw_move(scene: Scene, move: Move, result: Result, layers: Layers) -> None:
    """Draw a move: solid where it came through, dashed and crossed or with a star where it did not."""
    way = scene.way(move)
    if len(way) > 2:
        layers.wakes.append(Polyline(way, WAKE_INK))
    if result.outcome.result is Word.SUCCEEDS:
        layers.ways.append(Arrow(way, MOVED, head_of(way), rim=PAPER))
        return
    layers.ways.append(Arrow(way, FAILED, head_of(way), rim=PAPER))
    if isinstance(result.outcome, Bounced):
        layers.signs.append(burst(along(way, STAR)))
    else:
        layers.signs += cross(along(way, 0.5), 6)


def draw_support(scene: Scene, order: Support, layers: Layers, *, good: bool) -> None:
    """Draw a support as dots, to the move it helps or to the unit that is to stay."""
    start = stand_of(order.unit)
    end = edge(stand_of(order.of), start) if order.to is None else along(scene.supported(order), MEETING)
    way = (edge(start, end), end)
    ink = SUPPORTS if good else SUPPORT_FAILED
    layers.helps += [Polyline(way, PictureInk(PAPER, 6)), Polyline(way, ink)]
    layers.dots.append(Circle(end, 4.6, ink.colour, PictureInk(PAPER, 1.2)))
    if not good:
        layers.signs += cross(along(way, 0.45), 5.5, 3.4)


def draw_convoy(order: Convoy, result: Result, layers: Layers) -> None:
    """Draw a convoy as a ring round the fleet; where its army went another way, a line shows which was meant."""
    spot = stand_of(order.unit)
    good = result.outcome.result in GOOD
    if good:
        layers.signs.append(ring(spot, PictureInk(WAKE, 3), 2.4))
    if isinstance(result.outcome, Unmatched):
        way = (edge(spot, stand_of(order.of)), edge(stand_of(order.of), spot))
        layers.helps.append(Polyline(way, SUPPORT_FAILED))
        layers.signs += cross(along(way, 0.45), 5.5, 3.4)
    elif not good and result.dislodged_by is None:
        layers.signs += cross((spot[0] + 22, spot[1] - 14), 5.5, 3.4)


def draw_retreat(scene: Scene, order: Retreat, layers: Layers, *, good: bool) -> None:
    """Draw a retreat from where the unit waits."""
    spot = leaving(scene.before, order.unit)
    way = trimmed((spot, goal(scene.board, order.unit, order.to)), full=False)
    layers.ways.append(Arrow(way, MOVED if good else FAILED, head_of(way), rim=PAPER))
    if not good:
        layers.signs.append(burst(along(way, STAR)))


def draw_build(result: Result, unit: Unit, layers: Layers, *, good: bool) -> None:
    """Draw a new unit with a plus, or crossed out where it could not be built."""
    spot = stand_of(unit)
    layers.units += unit_sign(unit.kind, result.power, spot)
    if good or result.outcome.result is Word.AUTOMATIC:
        layers.signs += badge(corner(spot), "+")
    else:
        layers.signs += removed(result.power, spot)


def leaving(before: Position, unit: Unit) -> Spot:
    """Where a unit is that leaves the board or retreats: beside, if it was dislodged."""
    is_out = before.phase.step is Step.RETREATS and any(d.unit == unit for d in before.dislodged)
    return standard_geometry().driven_out[unit.province] if is_out else stand_of(unit)


def stand_of(unit: Unit) -> Spot:
    """Where a unit is drawn, if its coast was not named too."""
    known = standard_geometry().units
    return known[unit.place if unit.place in known else unit.province]
