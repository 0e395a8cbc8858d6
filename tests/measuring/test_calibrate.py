"""The gates are fitted, and judged, as they will run: the first reader where it is quite sure, both where it is not."""

import pytest
from msgspec.structs import replace

from pipeline.ink import Tier
from pipeline.reading.evidence import Evidence, Joint
from pipeline.reading.gate import AnyEvidence, Gate, Gates
from pipeline.reading.hand_reader import ANOTHER, SETTLES
from training.calibrate import (
    MISORDERS,
    SLIPS,
    decided,
    fit,
    fit_alone,
    report,
    report_alone,
    shares,
    weighed_interval,
    where_asked,
    where_held,
)
from training.cases import LOOK_ALIKE
from training.fit_gate import Budget
from training.measured import Measured, View
from training.wrong import Wrong

ALONE = Evidence(0, "A VIE - BOH", -0.01, 12.0, 12.0, 5.0, 0.0, struck=False)
BY_BOTH = Joint(0, "A VIE - BOH", -0.1, 12.0, 1.0, 6.0, 6.0, 3.0, -1.0, 0.0, struck=False)
FIRST = Gate(0.0, {"to_next": 0.0, "to_others": 0.0, "to_slips": 1.0, "to_free": 0.0}, {}, 3.0, 4.0)
BOTH = Gate(0.0, dict.fromkeys(Joint.SPAN, 0.0) | {"to_slips": 1.0}, {"to_next": 9.0}, 2.0, 3.0)
GATES = Gates(FIRST, BOTH, enough=4.0, measured="")
OF_THREE = replace(GATES, three=replace(BOTH, marked=1.0, accepted=2.0))


def row(*slips: float, wrong: Wrong = Wrong.NOT, kind: str = "legal") -> Measured:
    """A row whose slips are so far down to one reader, to two, to three."""
    evidence: list[AnyEvidence] = [replace(ALONE, to_slips=slips[0])]
    evidence += [
        replace(BY_BOTH, to_slips=far, to_asked=far, to_harm=far, readers=readers)
        for readers, far in enumerate(slips[1:], start=2)
    ]
    return Measured(kind, "anna", "A Vie - Boh", tuple(View(one, wrong, doubted=False) for one in evidence))


def test_both_decide_where_the_first_is_not_sure_and_nowhere_else() -> None:
    assert row(5.0, -9.0).decided(GATES)[0] is Tier.ACCEPTED
    assert row(3.5, 5.0).decided(GATES)[0] is Tier.ACCEPTED
    assert row(3.5, -9.0).decided(GATES)[0] is Tier.ASKED
    assert row(3.5, -9.0).decided(replace(GATES, is_alone=True))[0] is Tier.MARKED


def test_three_decide_where_two_are_not_sure_and_nowhere_else() -> None:
    assert row(5.0, -9.0, -9.0).decided(OF_THREE)[0] is Tier.ACCEPTED
    assert row(3.5, 3.0, -9.0).decided(OF_THREE)[0] is Tier.ACCEPTED
    assert row(3.5, 2.0, -9.0).decided(OF_THREE)[0] is Tier.MARKED
    assert row(3.5, 1.9, -9.0).decided(OF_THREE)[0] is Tier.ASKED
    assert row(3.5, 1.9, 1.5).decided(OF_THREE)[0] is Tier.MARKED
    assert row(3.5, -9.0, 2.5).decided(OF_THREE)[0] is Tier.ACCEPTED
    assert row(3.5, -9.0).decided(OF_THREE)[0] is Tier.ASKED
    assert row(3.5, 1.9, 2.5).decided(OF_THREE.without_third())[0] is Tier.ASKED


def test_a_gap_in_a_word_is_asked_however_sure_both_are() -> None:
    sure = row(9.0, 9.0, 9.0)
    torn = replace(sure, views=tuple(replace(view, doubted=True) for view in sure.views))
    assert (sure.decided(OF_THREE)[0], torn.decided(OF_THREE)[0]) == (Tier.ACCEPTED, Tier.ASKED)


def test_where_two_see_more_than_letters_no_third_one_settles_it() -> None:
    sure = row(3.5, 1.5, 9.0)
    first, second, third = sure.views
    torn = replace(sure, views=(first, replace(second, doubted=True), third))
    assert (sure.decided(OF_THREE)[0], torn.decided(OF_THREE)[0]) == (Tier.ACCEPTED, Tier.ASKED)


def test_misorders_and_slips_weigh_what_they_are_at_a_table() -> None:
    kinds = ["legal"] * 4 + ["misspelling"] * 9 + ["near miss"] * 3
    weights = shares(kinds)
    assert weights.sum() == pytest.approx(1)
    assert weights[4:].sum() == pytest.approx(MISORDERS)
    assert weights[4:13].sum() == pytest.approx(MISORDERS * SLIPS)


def test_one_slip_in_four_is_a_look_alike_however_many_are_drawn() -> None:
    kinds = ["legal"] * 4 + ["misspelling"] * 3 + [LOOK_ALIKE] * 9
    weights = shares(kinds)
    assert weights[4:].sum() == pytest.approx(MISORDERS * SLIPS / (MISORDERS * SLIPS + 1 - MISORDERS) * weights.sum())
    assert weights[7:].sum() == pytest.approx(0.25 * weights[4:].sum())


def test_none_seen_is_not_none_and_the_bound_is_of_the_heaviest_row() -> None:
    assert weighed_interval([], 1e-3) == pytest.approx((0.0, 0.0, 3e-3))
    total, low, high = weighed_interval([1e-4] * 9, 1e-3)
    assert total == pytest.approx(9e-4)
    assert low < total < high


def test_where_a_misspelt_word_is_held_no_slip_is_forgiven() -> None:
    slip = row(1.0, 5.0, wrong=Wrong.SLIP, kind="misspelling")
    (lax,), (strict,) = decided([slip], GATES), decided([where_held(slip)], GATES)
    assert (lax.is_silent(Wrong.SLIP), lax.is_silent(Wrong.OTHER)) == (True, False)
    assert (strict.is_silent(Wrong.SLIP), strict.is_silent(Wrong.OTHER)) == (False, True)
    assert "another order: 1 rows unasked" in report([strict], "held")


def test_where_a_misspelt_word_is_asked_none_that_the_rules_follow_elsewhere_is_right() -> None:
    followed = row(1.0, 5.0, kind="misspelling")
    first, second = followed.views
    followed = replace(followed, views=(first, replace(second, misspelt=True)))
    (here,), (there,) = decided([followed], GATES), decided([where_asked(followed)], GATES)
    assert (here.asked, here.view.wrong, there.view.wrong) == (False, Wrong.NOT, Wrong.SLIP)
    assert where_asked(row(1.0, 5.0)) == row(1.0, 5.0)


def test_rows_that_only_judge_are_judged_each_alone_and_as_three_kinds_of_rules_have_it() -> None:
    settled = replace(row(1.0, 1.0, 0.0), own=row(1.0, 1.0, 9.0))
    assert settled.is_asked(OF_THREE)
    assert settled.decided(OF_THREE)[0] is Tier.ACCEPTED
    plain, asked, held = report_alone([settled, row(1.0, 9.0, wrong=Wrong.SLIP, kind="misspelling")], OF_THREE, "half")
    assert "asked 100.0% of legal rows" in plain
    assert [text.splitlines()[0].split(":")[0] for text in (plain, asked, held)] == [
        "half, every row alone",
        "half, every row alone, misspelt words asked",
        "half, every row alone, misspelt words held",
    ]
    assert [sum(f"{wrong}: 1 rows unasked" in text for wrong in Wrong) for text in (plain, asked, held)] == [1, 1, 1]
    assert "another order: 1 rows unasked" in held


def test_what_a_sheet_settles_must_be_surer_than_what_passes_by_itself() -> None:
    asked = row(1.0, 1.0, 0.0)
    sure, unsure = row(1.0, 1.0, 9.0), row(1.0, 1.0, 9.0)
    *before, last = unsure.views
    assert isinstance(last.evidence, Joint)
    unsure = replace(unsure, views=(*before, replace(last, evidence=replace(last.evidence, to_asked=SETTLES - 1))))
    assert unsure.decided(OF_THREE)[0] is sure.decided(OF_THREE)[0] is Tier.ACCEPTED
    assert replace(asked, own=sure).decided(OF_THREE)[0] is Tier.ACCEPTED
    assert replace(asked, own=unsure).decided(OF_THREE)[0] is Tier.ASKED
    another_is_near = row(1.0, ANOTHER - 1, ANOTHER - 1)
    assert replace(another_is_near, own=sure).decided(OF_THREE)[0] is Tier.ASKED


def rows() -> list[Measured]:
    """Right rows are surer than wrong ones to all; one misorder is surer than many that are right."""
    legal = [row(at / 5, at / 4 - 2, at / 2) for at in range(-20, 40)]
    others = [row(at / 10, at / 8 - 6, at / 8 - 7, wrong=Wrong.OTHER, kind="near miss") for at in range(-20, 40)]
    slips = [row(at / 10, at / 8 - 6, at / 8 - 7, wrong=Wrong.SLIP, kind="misspelling") for at in range(-20, 40)]
    return [*legal, *others, *slips]


@pytest.mark.parametrize("allowed", [0.0, 20e-4])
def test_no_more_passes_than_is_allowed_of_the_whole(allowed: float) -> None:
    found = fit(rows(), FIRST, Budget(0.0, 0.0), Budget(allowed, allowed))
    for gates in (found, found.without_third()):
        for wrong in (Wrong.OTHER, Wrong.SLIP):
            assert sum(one.weight for one in decided(rows(), gates) if one.is_silent(wrong)) <= allowed + 1e-9
        assert any(not one.asked for one in decided(rows(), gates))


def test_with_a_third_reader_fewer_are_asked() -> None:
    found = fit(rows(), FIRST, Budget(0.0, 0.0), Budget(20e-4, 20e-4))
    asked = [sum(one.asked for one in decided(rows(), gates)) for gates in (found, found.without_third())]
    assert asked[0] < asked[1]


def test_the_first_reader_is_never_enough_with_less_than_it_needs_alone() -> None:
    found = fit(rows(), FIRST, Budget(1.0, 1.0), Budget(1.0, 1.0))
    assert found.enough >= FIRST.accepted
    assert found.first == FIRST


def test_the_first_reader_s_own_gate_forgives_no_slip() -> None:
    alone = fit_alone(rows(), 0.0)
    passed = [each for each in rows() if alone.tier(each.first.evidence) is not Tier.ASKED]
    assert passed
    assert all(each.first.wrong is Wrong.NOT for each in passed)
