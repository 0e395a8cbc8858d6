"""Whether a doubt matters, judged a second time: all that a board may come to, with and without each open row."""

from itertools import product
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from desk.cup import OPENINGS
from pipeline.board import Phase, Power, standard_map, starting_position
from pipeline.desk.event.people import Turn
from pipeline.desk.review.live import MOST, without_effect
from pipeline.desk.review.queue import ReviewItem, UnwrittenPhase, _may_be_in_a_file
from pipeline.desk.ruling.rows import PowerRows, Row, RowStatus
from pipeline.desk.ruling.sheet_state import SheetDoubt
from pipeline.desk.sheets.pads import SheetReason, SheetState
from pipeline.judge.adjudicate import adjudicate
from pipeline.judge.rulebook import DATC
from pipeline.ledger.parts import Source
from pipeline.orders import Order, read_order
from pipeline.problems import Problem, Weight
from pipeline.words.speech import Message

MAP = standard_map()
START = starting_position(MAP)
OTHERS = {  # what else may stand in a row: it often comes to the same
    "A VIE - GAL": ("A VIE H", "A VIE - BOH", "A VIE S A WAR - GAL"), "A BUD - SER": ("A BUD S A VIE - GAL", "A BUD H"),
    "F LON - NTH": ("F LON H", "F LON - ENG"), "A LVP - YOR": ("A LVP H", "A LVP - WAL"),
    "A WAR - GAL": ("A WAR H", "A WAR S A VIE - GAL"), "F SEV - BLA": ("F SEV H", "F SEV - RUM"),
    "F ANK - BLA": ("F ANK H", "F ANK - CON"), "A MAR S A PAR - BUR": ("A MAR H", "A MAR - SPA"),
}  # fmt: skip


def row(line: int, text: str, dice: Random, is_open: bool) -> tuple[Row, tuple[Order | None, ...]]:
    """A row and all that it may mean: without a rule only what was read, else also what the rule makes of it."""
    order = read_order(text)
    if not is_open:
        return Row(line=line, ink=text, order=order, status=RowStatus.CLEAR, source=Source.READ), (order,)
    status = dice.choice((RowStatus.AMBIGUOUS, RowStatus.ASK))
    readings = tuple(map(read_order, OTHERS[text][: dice.randrange(len(OTHERS[text]) + 1)]))
    by_rule = dice.choice((order, None, order if not readings else readings[0]))
    found = Row(line=line, ink=text, order=by_rule, status=status, source=Source.OPEN, candidates=readings)
    return found, readings if status is RowStatus.ASK and readings else tuple({*readings, by_rule})


def board(
    dice: Random, share: float
) -> tuple[tuple[PowerRows, ...], dict[tuple[Power, int], tuple[Order | None, ...]]]:
    """Everybody's openings, some rows of them open; and what each row may mean."""
    powers, meanings = [], dict[tuple[Power, int], tuple[Order | None, ...]]()
    for power, lines in OPENINGS.items():
        rows = []
        for number, text in enumerate(lines):
            made, meanings[power, number] = row(number + 1, text, dice, text in OTHERS and dice.random() < share)
            rows.append(made)
        note = Problem(Weight.NOTES, "a remark asks nothing", "")
        powers.append(PowerRows(power=power, state=SheetState.IN, problems=(note,), rows=tuple(rows)))
    return tuple(powers), meanings


@pytest.mark.parametrize("seed", range(25))
def test_a_row_has_no_effect_where_all_that_it_may_mean_comes_to_the_same(seed: int) -> None:
    powers, meanings = board(Random(seed), 0.3)
    after = {}
    for chosen in product(*meanings.values()):
        orders: dict[Power, list[Order]] = {power: [] for power in OPENINGS}
        for (power, _), order in zip(meanings, chosen, strict=True):
            orders[power] += [order] if order else []
        after[chosen] = adjudicate(MAP, START, orders, DATC).after
    alike = {
        each
        for place, each in enumerate(meanings)
        if len(meanings[each]) > 1
        and all(
            after[(*one[:place], other, *one[place + 1 :])] == after[one] for one in after for other in meanings[each]
        )
    }
    breaths: list[None] = []
    found = without_effect(MAP, START, powers, DATC, lambda: breaths.append(None))
    assert found == (alike if len(after) <= MOST else frozenset())
    assert len(breaths) == (len(after) if 1 < len(after) <= MOST else len(breaths))


def test_nothing_is_said_where_a_row_is_unread_or_a_sheet_is_asked_about_or_meanings_are_many() -> None:
    boards = (board(Random(seed), 0.3)[0] for seed in range(25))
    powers = next(each for each in boards if without_effect(MAP, START, each, DATC, lambda: None))
    unread = Row(line=9, ink="", order=None, status=RowStatus.UNREAD, source=Source.OPEN)
    asked = Problem(Weight.ASKS, "two sheets", "")
    for spoilt in (replace(powers[6], rows=(*powers[6].rows, unread)), replace(powers[6], problems=(asked,))):
        assert not without_effect(MAP, START, (*powers[:6], spoilt), DATC, lambda: None)
    many = [
        replace(powers[0].rows[0], source=Source.OPEN, candidates=tuple(map(read_order, OTHERS["A VIE - GAL"])))
    ] * 6
    assert not without_effect(MAP, START, (replace(powers[0], rows=tuple(many)),), DATC, lambda: None)


def test_only_a_sheet_or_a_part_that_is_not_in_is_not_asked_for_while_a_file_may_bring_it() -> None:
    first = Phase.read("S1901M")
    turns = tuple(Turn("1.1", first, power) for power in Power)
    row = Row(line=1, ink="?", order=None, status=RowStatus.UNREAD, source=Source.OPEN)
    for state, printed in product(SheetState, (Power.AUSTRIA, Power.ITALY)):
        live: Any = SimpleNamespace(
            games={"1.1": None},
            power=lambda *_, s=state: SimpleNamespace(state=s),
            powers_with_paper=lambda _, p=printed: {p},
        )
        is_to_come = state is SheetState.MISSING and printed is turns[0].power
        for code in SheetReason:
            doubt = SheetDoubt(Weight.ASKS, "", "", (Message.of(code),))
            awaited = code is SheetReason.PART_MISSING or is_to_come
            assert _may_be_in_a_file(live, ReviewItem(turns[0], None, doubt)) is awaited, (state, code)
            assert not _may_be_in_a_file(live, ReviewItem(turns[0], row, doubt))
        for several in (turns[:1], turns[1:], turns):
            awaited = printed in {turn.power for turn in several}
            assert _may_be_in_a_file(live, UnwrittenPhase("1.1", first, several)) is awaited
