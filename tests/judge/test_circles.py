"""Which questions make up a circle, and what of the rest has no part in it."""

from pipeline.board import Phase, Position, Power, standard_map
from pipeline.judge.battle import ARRIVAL, MOVE, SUPPORT, Circles, Question, intents_of
from pipeline.judge.legality import field_of, ground_of
from pipeline.judge.movement import _match_orders
from pipeline.judge.rulebook import DATC
from pipeline.orders import Order, read_order


def circles_of(orders: dict[Power, list[str]]) -> Circles:
    """Match orders, ask what can be answered, and leave the rest open."""
    read: dict[Power, list[Order]] = {power: [read_order(text) for text in texts] for power, texts in orders.items()}
    units = {power: tuple(order.unit for order in given) for power, given in read.items()}  # type: ignore[union-attr]
    position = Position(phase=Phase.read("S1901M"), units=units, centres={})
    field = field_of(ground_of(standard_map()), position, DATC)
    line = _match_orders(field, intents_of(field, read), frozenset())
    assert not line.battle.settle(line.moves, line.supports, line.convoyed)
    return Circles(line.battle, line.moves, line.supports, line.convoyed)


def named(circles: Circles, questions: list[Question]) -> list[tuple[str, str]]:
    """Name each question by the province of its unit."""
    return [(what, circles.battle.provinces[number]) for what, number in questions]


PARADOX = {
    Power.ENGLAND: ["F LON S F WAL - ENG", "F WAL - ENG"],
    Power.FRANCE: ["A BRE - LON", "F ENG C A BRE - LON", "F NTH S A BRE - LON"],
}


def test_the_core_of_a_paradox_is_what_decides_over_itself() -> None:
    """The army cuts the support if it arrives, whether or not it wins London: that question has no part in it."""
    circles = circles_of(PARADOX)

    assert (MOVE, "BRE") in named(circles, circles.open_questions())
    assert named(circles, circles.core()) == [(ARRIVAL, "BRE"), (MOVE, "WAL"), (SUPPORT, "LON")]


def test_who_waits_for_a_paradox_has_no_part_in_it() -> None:
    """The Italian fleet gets to Wales if the English one leaves; nothing in the Channel depends on that."""
    circles = circles_of({**PARADOX, Power.ITALY: ["F IRI - WAL"]})

    assert (MOVE, "IRI") in named(circles, circles.open_questions())
    assert named(circles, circles.core()) == [(ARRIVAL, "BRE"), (MOVE, "WAL"), (SUPPORT, "LON")]
