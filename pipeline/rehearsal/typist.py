"""Somebody at the keyboard of an event without people: each line in one of the ways in which it may be typed.

It goes through the door of a director: the line is completed behind its unit, what means nothing is told, and is
written down where it is typed a second time.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.board.position import Unit
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game
from pipeline.desk.event.turn import Turn
from pipeline.desk.review.meaning import MeansNothing, take_typed
from pipeline.desk.review.shorthand import Shorthand
from pipeline.desk.ruling.desk import Desk
from pipeline.orders.notation import NotAnOrder, read
from pipeline.orders.order import Move, Order, Retreat, Waive

KEEP = "type it once more if it is meant so"


@dataclass(frozen=True, slots=True)
class TypingWay:
    """What somebody types on one line."""

    text: str
    unit: Unit | None = None  # that stands in front of the line


def shorthand_of(event: Event, game: Game, turn: Turn) -> Shorthand:
    """What completes the lines of a turn."""
    return Shorthand.of(turn.power, game.position, event.rules_on(game.map_name))


def unit_of_line(line: str) -> Unit | None:
    """The unit of a whole order in canonical notation; None where it is none, or waives a build."""
    try:
        order = read(line)
    except NotAnOrder:
        return None
    return None if isinstance(order, Waive) else order.unit


def ways_to_type(order: Order, shorthand: Shorthand, *, is_behind: bool) -> tuple[str, ...]:
    """Everything that may be typed for an order; ``is_behind``: on a line in front of which its unit stands.

    >>> from pipeline.board.position import starting_position
    >>> from pipeline.board.map import Power
    >>> from pipeline.board.standard import standard_map
    >>> from pipeline.rules.load import load_tournament
    >>> start = starting_position(standard_map())
    >>> turkey = Shorthand.of(Power.TURKEY, start, load_tournament("wdc2008"))
    >>> ways_to_type(read("A SMY - ARM"), turkey, is_behind=True)
    ('A SMY - ARM', 'a smy - arm', 'A SMY - ARM', 'A SMY A SMY - ARM', 'A SMY arm', 'a smy arm')
    """
    whole = shorthand.offered(order)
    if not is_behind or isinstance(order, Waive):
        return (whole, whole.lower())
    front, own = str(order.unit), shorthand.plain(order.unit)
    if not whole.startswith(f"{own} "):
        return (whole, whole.lower())
    rest = whole.removeprefix(f"{own} ")
    behind = (whole, whole.lower(), f"{front} {rest}", f"{front} {whole}")
    if isinstance(order, Move | Retreat):
        to = rest.removeprefix("- ").removeprefix("R ").lower()
        return (*behind, f"{front} {to}", f"{own} {to}".lower())
    return behind


def type_sheet(event: Event, game: Game, turn: Turn, typed: Sequence[TypingWay], by: str) -> str:
    """Type a power's lines, each on the line of its unit; gives back what was told before they were typed again."""
    shorthand = shorthand_of(event, game, turn)
    meant = [keys.text if keys.unit is None else shorthand.line(keys.text, keys.unit).text for keys in typed]
    desk = Desk.of(event, offers=False)
    try:
        take_typed(desk, game, turn, meant, KEEP, by=by)
    except MeansNothing as told:
        take_typed(desk, game, turn, meant, KEEP, sure=meant, by=by)
        return "; ".join(problem.text for problem in told.problems)
    return ""
