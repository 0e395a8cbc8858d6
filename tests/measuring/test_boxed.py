"""Rows of boxes with the truth beside them: something is written in each, and a misorder is one."""

from collections import Counter
from itertools import islice

from pipeline.board import Power, standard_map, starting_position
from pipeline.judge.adjudicate import legal_orders
from training.boxed import MISORDERS, boxed_cases
from training.cases import LOOK_ALIKE
from training.orders import BOARD, TOURNAMENT, Seat
from training.wrong import Yardstick

START = starting_position(standard_map())
SEATS = [Seat("a game", START, power, ()) for power in (Power.AUSTRIA, Power.ENGLAND)]


def test_each_row_says_what_is_ticked_and_written_and_its_order_only_where_it_is_legal() -> None:
    rows = list(islice(boxed_cases(SEATS, 0.65, 3), 400))
    kinds = Counter(case.kind for case, _ in rows)
    assert set(kinds) == {"legal", *MISORDERS}
    truth = {seat.power: Yardstick.of(seat.power, START, TOURNAMENT) for seat in SEATS}
    for case, pieces in rows:
        assert case.text == " ".join(piece.text for piece in pieces)
        assert any(piece.written for piece in pieces)
        orders = legal_orders(BOARD, START, case.power)
        if case.kind == "legal":
            assert case.order in orders
            assert truth[case.power].is_spelled(case.text, case.order), case.text
        else:
            assert case.order is None
            if case.kind not in ("misspelling", LOOK_ALIKE):
                assert not any(truth[case.power].is_spelled(case.text, order) for order in orders), case.text
    assert {piece.written for _, pieces in rows for piece in pieces} == {True, False}
