"""A fitted gate lets no wrong row of its own through, and a director's own scans make it stricter, not laxer."""

from math import exp

import numpy as np
import pytest
from msgspec.structs import replace
from sampled import slow_after

from pipeline.ink import Tier
from pipeline.reading.evidence import Evidence
from pipeline.reading.gate import ENOUGH_TO_LOWER, Gate, Judged, fit_thresholds
from training.fit_gate import GLANCE, LEAST, RIDGE, Budget, _logistic
from training.fit_gate import fit_gate as fit_any_gate

CLEAR = Evidence(0, "A Vie - Boh", -0.1, 12.0, 10.0, 3.0, 0.0, struck=False)


def some(count: int, seed: int = 1) -> list[Judged]:
    """Make rows in which the odds against misspellings say, with some noise, whether a row is right."""
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(count):
        against = float(rng.uniform(-12, 6))
        right = against + rng.normal(0, 1.5) > -4
        rows.append(Judged(replace(CLEAR, to_slips=against), right))
    return rows


def fit_gate(rows: list[Judged], silent: float, slips: float = 0.0) -> Gate:
    return fit_any_gate(rows, Budget(silent, slips), LEAST)


def test_no_wrong_row_passes_the_gate_that_was_fitted_on_it() -> None:
    rows = some(600)
    gate = fit_gate(rows, 0.0)
    passed = [row for row in rows if gate.tier(row.evidence) is not Tier.ASKED]
    assert all(row.right for row in passed)
    assert len(passed) > 150
    assert gate.weights["to_slips"] > 0
    assert min(gate.weights.values()) >= 0


def test_a_share_of_silent_errors_is_counted_by_what_a_row_stands_for() -> None:
    rows = [replace(row, weight=1.0 if row.right else 0.1) for row in some(600)]
    strict, lax = fit_gate(rows, 0.0), fit_gate(rows, 0.001)
    whole = sum(row.weight for row in rows)
    silent = [row.weight for row in rows if not row.right and lax.tier(row.evidence) is not Tier.ASKED]
    assert 0 < sum(silent) <= 0.001 * whole < sum(silent) + 0.1
    assert lax.marked < strict.marked
    unmarked = [row.weight for row in rows if not row.right and lax.tier(row.evidence) is Tier.ACCEPTED]
    assert sum(unmarked) <= 0.0005 * whole
    assert lax.accepted >= lax.marked + GLANCE


def test_slips_that_can_mean_nothing_else_have_a_share_of_their_own() -> None:
    rows = [replace(row, is_slip=row.evidence.to_slips > -4.5) for row in some(600)]

    def silent(gate: Gate, *, slips: bool) -> float:
        passed = (row for row in rows if gate.tier(row.evidence) is not Tier.ASKED)
        return sum(row.weight for row in passed if not row.right and row.is_slip is slips)

    strict, lax = fit_gate(rows, 0.0), fit_gate(rows, 0.0, slips=0.02)
    assert (silent(strict, slips=True), silent(strict, slips=False)) == (0, 0)
    assert lax.marked < strict.marked
    assert silent(lax, slips=False) == 0
    assert 0 < silent(lax, slips=True) <= 0.02 * sum(row.weight for row in rows)


def test_what_is_too_near_another_order_is_asked_whatever_was_fitted() -> None:
    gate = fit_gate(some(300), 0.0)
    for name, least in LEAST.items():
        assert gate.tier(CLEAR) is not Tier.ASKED
        near = replace(CLEAR, to_next=least - 0.1) if name == "to_next" else replace(CLEAR, to_others=least - 0.1)
        assert gate.tier(near) is Tier.ASKED


def test_a_gate_is_not_fitted_on_one_kind_of_row() -> None:
    with pytest.raises(ValueError, match="one kind is missing"):
        fit_gate([Judged(CLEAR, right=True)] * 5, 0.0)


def test_a_director_s_wrong_row_raises_the_threshold_above_it() -> None:
    gate = fit_gate(some(600), 0.0)
    silent = replace(CLEAR, to_slips=5.0)
    assert gate.tier(silent) is not Tier.ASKED
    stricter = fit_thresholds(gate, [Judged(silent, right=False), Judged(CLEAR, right=True)], 0.5)
    assert stricter.tier(silent) is Tier.ASKED
    assert stricter.weights == gate.weights


def test_few_rows_never_lower_the_threshold() -> None:
    gate = replace(fit_gate(some(600), 0.0), marked=9.0, accepted=9.5)
    rows = some(50, seed=2)
    assert fit_thresholds(gate, rows, 0.5) == gate
    many = (rows * (ENOUGH_TO_LOWER // len(rows) + 1))[:ENOUGH_TO_LOWER]
    assert fit_thresholds(gate, many, 0.5).marked < gate.marked


def slope(rows: list[Judged], found: tuple[float, dict[str, float]]) -> tuple[float, list[tuple[float, float]]]:
    """How the loss falls with the constant, and with each weight, of its span: the slope and the weight."""
    constant, weights = found
    gate = Gate(constant, weights, {}, 0.0, 0.0)
    many = {right: sum(row.right == right for row in rows) for right in (True, False)}
    by_row = [(1 / (1 + exp(-gate.odds(row.evidence))) - row.right) / (2 * many[row.right]) for row in rows]
    scaled = [(row.evidence, one) for row, one in zip(rows, by_row, strict=True)]
    slopes = []
    for name, (low, high) in Evidence.SPAN.items():
        weight = weights[name] * (high - low)
        falls = sum(one * (getattr(each, name) - low) / (high - low) for each, one in scaled)
        slopes.append((falls + RIDGE * weight, weight))
    return sum(by_row), slopes


def ladder(*, is_steep: bool) -> list[Judged]:
    """Rows in even steps, the wrong ones half as far apart; steep where the other evidence is the same of all."""
    clear = replace(CLEAR, to_next=12.0, to_others=12.0) if is_steep else CLEAR
    right = [Judged(replace(clear, to_slips=at / 5), right=True) for at in range(-20, 40)]
    return right + [Judged(replace(clear, to_slips=at / 10), right=False) for at in (*range(-20, 40), *range(-20, 40))]


@pytest.mark.parametrize("rows", slow_after(1, [some(200), some(600), ladder(is_steep=False), ladder(is_steep=True)]))
def test_the_weights_are_the_best_there_are_and_not_what_the_last_step_left(rows: list[Judged]) -> None:
    """Where a weight is above nothing the slope is level, where it is nothing it would rise (Kuhn and Tucker 1951)."""
    constant, slopes = slope(rows, _logistic(rows))
    assert constant == pytest.approx(0, abs=1e-7)
    for falls, weight in slopes:
        assert falls >= -1e-7
        assert weight < 1e-6 or falls == pytest.approx(0, abs=1e-7)
    assert any(weight > 0.1 for _, weight in slopes)
