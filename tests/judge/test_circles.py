"""Which questions make up a circle, and what of the rest has no part in it."""

from pipeline.board import Phase, Position, Power, standard_map
from pipeline.judge.battle import ARRIVAL, MOVE, SUPPORT, Circles, Question, _closure, intents_of
from pipeline.judge.legality import field_of, ground_of
from pipeline.judge.movement import _match_orders
from pipeline.judge.rulebook import DATC
from pipeline.orders import Order, read_order


def asked(orders: dict[Power, list[str]]) -> tuple[Circles, bool]:
    """Match orders and ask what can be answered; say whether nothing is left open."""
    read: dict[Power, list[Order]] = {power: [read_order(text) for text in texts] for power, texts in orders.items()}
    units = {power: tuple(order.unit for order in given) for power, given in read.items()}  # type: ignore[union-attr]
    position = Position(phase=Phase.read("S1901M"), units=units, centres={})
    field = field_of(ground_of(standard_map()), position, DATC)
    line = _match_orders(field, intents_of(field, read), frozenset())
    is_settled = line.battle.settle(line.moves, line.supports, line.convoyed)
    return Circles(line.battle, line.moves, line.supports, line.convoyed), is_settled


def circles_of(orders: dict[Power, list[str]]) -> Circles:
    """Ask what can be answered, where something is left open."""
    circles, is_settled = asked(orders)
    assert not is_settled
    return circles


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


def test_what_is_no_circle_is_settled_by_asking() -> None:
    """One against one fails, alone or beside others."""
    orders = {Power.ITALY: ["A VEN - TRI"], Power.AUSTRIA: ["A TRI H"]}
    follow = {Power.RUSSIA: ["A BUD - TRI"], Power.AUSTRIA: ["A TRI - VEN"]}  # who follows is asked again
    for battle in (orders, orders | {Power.RUSSIA: ["A BUD - TRI"]}, follow):
        circles, is_settled = asked(battle)
        assert is_settled
        assert not circles.open_questions()


def test_an_attack_on_any_fleet_of_a_route_is_part_of_the_paradox() -> None:
    """The army comes over two seas, and the second fleet is attacked."""
    over_two = ["A SPA - LON", "F MAO C A SPA - LON", "F ENG C A SPA - LON"]
    circles = circles_of({Power.ENGLAND: PARADOX[Power.ENGLAND], Power.FRANCE: over_two})

    assert named(circles, circles.core()) == [(ARRIVAL, "SPA"), (MOVE, "WAL"), (SUPPORT, "LON")]


def test_all_that_a_question_depends_on_is_gathered() -> None:
    first, second, third, last = ((MOVE, number) for number in range(4))
    needs = {first: [second, third], second: [], third: [last, first], last: []}

    assert _closure(first, needs) == {first, second, third, last}
    assert _closure(last, needs) == {last}
