"""Where thresholds are put, whatever the rows: as low as the budget allows, no lower, and never down without cause."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pipeline.ink import Tier
from pipeline.reading.evidence import Evidence
from pipeline.reading.gate import Gate, Judged, fit_thresholds
from training.fit_gate import AFTER, GLANCE, Budget, with_budget

CLEAR = Evidence(0, "A Vie - Boh", -0.1, 12.0, 10.0, 0.0, 0.0, struck=False)
GATE = Gate(constant=0.0, weights={"to_slips": 1.0}, least={"to_next": 9.0}, marked=2.0, accepted=3.0)
ENOUGH = 5  # rows of his own, after which thresholds may fall; in an event there are 3,000
ODDS = st.integers(-8, 8)  # whole: rows meet the thresholds exactly


def row(odds: float, *, right: bool, weight: float = 1.0, is_slip: bool = False, to_next: float = 12.0) -> Judged:
    """A row whose odds under `GATE` are these."""
    evidence = replace(CLEAR, to_slips=float(odds), to_next=to_next)
    return Judged(evidence, right, weight=weight, is_slip=is_slip and not right)


ROWS = st.lists(
    st.builds(
        row,
        odds=ODDS,
        right=st.booleans(),
        weight=st.sampled_from((1.0, 2.0)),
        is_slip=st.booleans(),
        to_next=st.sampled_from((12.0, 8.0)),  # the second is asked whatever its odds
    ),
    max_size=12,
)


def wrong_above(rows: Sequence[Judged], odds: float, *, slips: bool) -> float:
    """The weight of the wrong rows with higher odds that no limit stops."""
    return sum(
        one.weight
        for one in rows
        if not one.right and one.is_slip is slips and one.evidence.to_next >= 9 and GATE.odds(one.evidence) > odds
    )


def lowest(rows: Sequence[Judged], budget: Budget, whole: float) -> float:
    """By trying every value: the lowest odds, at least even, above which the budget allows what is wrong."""
    allowed = {False: budget.silent * whole, True: budget.slips * whole}
    return next(
        float(odds)
        for odds in range(9)
        if all(wrong_above(rows, odds, slips=slips) <= allowed[slips] for slips in allowed)
    )


@given(rows=ROWS, silent=st.sampled_from((0.0, 0.05, 0.1)), slips=st.sampled_from((0.0, 0.1, 0.25)))
def test_thresholds_are_as_low_as_the_budget_allows_and_no_lower(
    rows: list[Judged], silent: float, slips: float
) -> None:
    fitted = with_budget(GATE, rows, Budget(silent, slips), whole=40.0)

    assert fitted.marked == lowest(rows, Budget(silent, slips), 40.0) + AFTER
    assert fitted.accepted == max(fitted.marked + GLANCE, lowest(rows, Budget(silent / 2, slips / 2), 40.0) + AFTER)


ALL_RIGHT = st.lists(st.builds(row, odds=ODDS, right=st.just(True)), max_size=30)


@settings(max_examples=200)
@given(rows=ROWS | ALL_RIGHT, room=st.sampled_from((0.5, 2.0)))
def test_a_director_s_own_rows_raise_thresholds_at_once_and_lower_them_only_with_cause(
    rows: list[Judged], room: float
) -> None:
    """Down only where rows were wrong, below where they were, and there are enough rows; else they stay."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pipeline.reading.gate.ENOUGH_TO_LOWER", ENOUGH)
        fitted = fit_thresholds(GATE, rows, room)
    wrong = [GATE.odds(one.evidence) for one in rows if not one.right and one.evidence.to_next >= 9]

    assert fitted.marked >= GATE.marked or (wrong and len(rows) >= ENOUGH)
    if not wrong or (max(wrong) + room <= GATE.marked and len(rows) < ENOUGH):
        assert fitted == GATE
    else:
        assert (fitted.marked, fitted.accepted) == (max(wrong) + room, max(wrong) + 2 * room)
    assert all(fitted.tier(one.evidence) is Tier.ASKED for one in rows if not one.right)


@given(odds=ODDS, marked=ODDS, more=st.integers(0, 3))
def test_a_row_that_meets_a_threshold_exactly_has_reached_it(odds: int, marked: int, more: int) -> None:
    gate = replace(GATE, marked=float(marked), accepted=float(marked + more))
    expected = Tier.ASKED if odds < marked else Tier.MARKED if odds < marked + more else Tier.ACCEPTED

    assert gate.tier(row(odds, right=True).evidence) is expected


@given(odds=ODDS, more=st.integers(0, 8), least=st.integers(-8, 8))
def test_more_evidence_never_makes_a_row_less_sure(odds: int, more: int, least: int) -> None:
    gate = replace(GATE, least={**GATE.least, "to_slips": float(least)})
    order = [Tier.ASKED, Tier.MARKED, Tier.ACCEPTED]
    less, surer = (order.index(gate.tier(row(each, right=True).evidence)) for each in (odds, odds + more))

    assert less <= surer
