"""How the units on a board came there: by which order, or by somebody's hand. Followed from fact to fact."""

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.board.map import Power
from pipeline.board.position import Position, Step, Unit, starting_position
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, follow
from pipeline.desk.event.played import Played
from pipeline.judge.outcome.movement_reasons import Moved
from pipeline.judge.retreats import RETREATED
from pipeline.ledger.events import OnGame, PhasePublished, PositionSet
from pipeline.ledger.undone import standing
from pipeline.orders.order import Build, Move, Retreat


@dataclass(frozen=True, slots=True)
class Ordered:
    """Built by an order that was published."""

    year: int
    place: int  # among the builds of its power, 0 at the top of the sheet


@dataclass(frozen=True, slots=True)
class Unordered:
    """Built in a winter that was not written here: the position after it was set by hand."""

    year: int


@dataclass(frozen=True, slots=True)
class PutOnBoard:
    """Put on the board between two phases, where nobody can have ordered it."""


Origin = Ordered | Unordered | PutOnBoard
Origins = Mapping[tuple[Power, Unit], Origin]


def origins(event: Event, game: Game) -> Origins:
    """The origin of every unit on a board that is known to have come since the game, or its first position, began."""
    now = Game(seating=game.seating, position=starting_position(game.map))
    came: Origins = {}
    began: dict[str, Origins] = {}  # what was known when each phase began, for one that is published again
    for fact in standing(event.facts, OnGame):
        if not isinstance(fact.said, PhasePublished | PositionSet) or fact.said.board != game.name:
            continue
        before, now = now.position, follow(now, fact, event)
        if isinstance(fact.said, PositionSet):
            came = set_by_hand(came, before, now.position)
        else:
            played = now.played[-1]
            if played.phase != before.phase:
                came = began[str(played.phase)]
            began[str(played.phase)] = came
            came = carried(came, played)
    return came


def carried(came: Origins, played: Played) -> dict[tuple[Power, Unit], Origin]:
    """Carry origins through a phase: units go where their orders took them, and new ones are built."""
    after = played.after
    found: dict[tuple[Power, Unit], Origin] = {}
    went = {
        (result.power, result.order.unit): result.order.to[:3]
        for result in played.resolution.results
        if (isinstance(result.order, Move) and isinstance(result.outcome, Moved))
        or (isinstance(result.order, Retreat) and result.outcome == RETREATED)
    }
    dislodged = {(each.power, each.unit) for each in after.dislodged}
    for (power, unit), origin in came.items():
        province = went.get((power, unit), unit.province)
        stands = [each for each in after.units.get(power, ()) if (each.kind, each.province) == (unit.kind, province)]
        for now in [unit] if (power, unit) in dislodged else stands:
            found[power, now] = origin
    for power, orders in played.orders.items():
        built = [order.unit for order in orders if isinstance(order, Build)]
        for place, unit in enumerate(built):
            if unit in after.units.get(power, ()):
                found[power, unit] = Ordered(played.phase.year, place)
    return found


def set_by_hand(came: Origins, before: Position, after: Position) -> dict[tuple[Power, Unit], Origin]:
    """What stood there before is what it was; what is new was built in the winter between, or put there.

    Over more than one phase nothing is known of a unit that is new.
    """
    is_winter = before.phase.step is Step.ADJUSTMENTS
    is_next = after.phase == before.phase.following(retreats=False)
    new: Origin | None = None
    if before.phase == after.phase:
        new = PutOnBoard()
    elif is_winter and is_next:
        new = Unordered(before.phase.year)
    found: dict[tuple[Power, Unit], Origin] = {}
    for power, units in after.units.items():
        for unit in units:
            stood = unit in before.units.get(power, ())
            origin = came.get((power, unit)) if stood else new
            if origin is not None:
                found[power, unit] = origin
    return found
