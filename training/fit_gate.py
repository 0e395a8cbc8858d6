"""Fit a gate on rows whose truth is known: what each piece of evidence weighs, and how much is enough.

Writers used here must not be those that judge the result.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from pipeline.reading.gate import Gate, Judged, Limits, evidence_numbers, passing
from pipeline.reading.lattice import Floats
from pipeline.reading.recogniser import Taken

# The least margin (log) to the next order and to all inadmissible lines. On clean scans 6 would do for the next order
# (fit half: 14 of 10,532 legal rows fewer are asked, none more is wrong). But in blurred pictures, as of a bad
# photograph, legal orders were misread as others with margins of 6.1 to 7.7 (A HOL - BRE as BEL)
LEAST = {"to_next": 9.0, "to_others": -3.0}
NEAR_TO_BOTH = {"to_next": 9.0}
# The first reader decides alone only if its line is likelier than all its slips together, and has a margin (log) of 4
# to all inadmissible lines. Of seven misspelt rows that it misread alone (fit half) six fail the first limit; of 24,801
# rows one fails the second, `A con - bal` taken for BUL with 2.6
FIRST_ALONE_LEAST = {"to_slips": 0.0, "to_others": 4.0}
# Limits for two and for three readers together, all in logarithms, chosen on 30,000 rows of the fit half (10,532
# legal). ``to_asked`` may be negative: 95 rows in 100 are legal, and in a hand that is hard to read some slip is always
# likely. ``to_harm`` must not: where two readers find a text likelier that may be another line, a third one looks. With
# -2 instead of 0, 12 of 10,000 rows were taken for another order instead of 9, and 90 legal ones asked instead of 100.
# ``likelihood``: below it the writing is unlike all that the readers have seen, or something else was written. Without
# it 35 legal rows fewer are asked, but 5.2 instead of 3.8 slips per 10,000 rows pass
LEAST_OF_BOTH = NEAR_TO_BOTH | {"to_asked": -8.0, "to_harm": 0.0, "to_others": -6.0, "likelihood": -15.0}
LEAST_OF_THREE = NEAR_TO_BOTH | {"to_asked": -9.5, "to_harm": -1.0, "to_others": -6.0}
# Stricter limits where the rules ask about a misspelt word, or take it for nothing, so that a slip is an error: of the
# same rows 239 slips pass instead of 364 if the rules ask, and 39 instead of 147 if they take it for nothing
FIRST_STRICTER = {
    Taken.ASKED: Limits(both={"to_asked": -5.5}, three={"to_asked": -6.5}),
    Taken.OTHER: Limits(alone={"to_slips": 2.0}, both={"to_harm": 2.5}, three={"to_harm": 4.5}),
}
ROUNDS = 20_000  # steps of the gradient descent
AFTER = 0.01  # log odds: a threshold stands just above the row that set it
GLANCE = 0.5  # log odds above the threshold within which a row is marked, for whoever has time for a glance
# weight of the ridge penalty
RIDGE = 1e-4  # of 4,000 rows that are fitted and 3,500 others the same are asked with 1e-6 to 1e-4, one more with 1e-3


class Budget(Struct, frozen=True):
    """How many rows may be wrong unasked, as shares of all rows by their weight: 5e-5 is one in 20,000."""

    silent: float  # taken for another order
    slips: float = 0.0  # misspellings that can mean nothing else, taken for what they must mean

    def half(self) -> "Budget":
        """Half of this budget, for rows that are accepted without a mark."""
        return Budget(self.silent / 2, self.slips / 2)


def fit_gate(rows: Sequence[Judged], budget: Budget, least: Mapping[str, float]) -> Gate:
    """Fit the weights on rows within the limits, and the thresholds to the shares of rows that may be wrong unasked."""
    return with_budget(fit_weights(rows, least), rows, budget, sum(row.weight for row in rows))


def fit_weights(rows: Sequence[Judged], least: Mapping[str, float]) -> Gate:
    """Fit what each piece of evidence weighs, on the rows within the limits; its thresholds are not fitted yet."""
    unweighed = Gate(0.0, dict.fromkeys(rows[0].evidence.SPAN, 0.0), dict(least), 0.0, 0.0)
    constant, weights = _logistic(passing(rows, unweighed))
    return replace(unweighed, constant=constant, weights=weights)


def with_budget(gate: Gate, rows: Sequence[Judged], budget: Budget, whole: float) -> Gate:
    """Fit the thresholds of a gate to the shares of rows that may be wrong unasked; ``whole`` is all rows' weight."""
    near = passing(rows, gate)
    marked, half = (_passed_by(gate, near, each, whole) + AFTER for each in (budget, budget.half()))
    return replace(gate, marked=marked, accepted=max(marked + GLANCE, half))


def _passed_by(gate: Gate, near: Sequence[Judged], budget: Budget, whole: float) -> float:
    """The lowest log odds above which the share of wrong rows is allowed; never below even odds."""
    slips = [row for row in near if not row.right and row.is_slip]
    others = [row for row in near if not row.right and not row.is_slip]
    return max(
        _silent_above(gate, others, budget.silent * whole),
        _silent_above(gate, slips, budget.slips * whole),
    )


def _silent_above(gate: Gate, wrong: Sequence[Judged], allowed: float) -> float:
    """The lowest log odds above which the weight of wrong rows is allowed; never below even odds (0)."""
    silent = 0.0
    for odds, weight in sorted(((gate.odds(row.evidence), row.weight) for row in wrong), reverse=True):
        silent += weight
        if silent > allowed:
            return max(odds, 0.0)
    return 0.0


def _logistic(rows: Sequence[Judged]) -> tuple[float, dict[str, float]]:
    """Fit a logistic regression whose weights are never negative: its constant, its weights.

    By projected gradient, accelerated (Nesterov 1983; Beck and Teboulle 2009), with the longest step that surely does
    not overshoot. With a longer one the result depended on rounding errors, which differ between machines.
    """
    span = rows[0].evidence.SPAN
    low = np.array([least for least, _ in span.values()])
    wide = np.array([most - least for least, most in span.values()])
    evidence: Floats = np.array([list(evidence_numbers(row.evidence).values()) for row in rows])
    columns = np.column_stack([np.ones(len(rows)), (evidence - low) / wide])
    right = np.array([row.right for row in rows], float)
    if right.all() or not right.any():
        raise ValueError(
            "a gate is fitted on rows that were read right and rows that were read wrong; one kind is missing"
        )
    weight = np.where(right > 0, 0.5 / right.sum(), 0.5 / (1 - right).sum())  # both kinds matter alike
    held = np.concatenate([[0.0], np.full(len(span), RIDGE)])
    bend = np.linalg.eigvalsh(columns.T @ (weight[:, None] * columns))[-1] / 4 + RIDGE  # Lipschitz constant
    found = ahead = np.zeros(columns.shape[1])
    for round_ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(columns @ ahead, -40, 40)))
        before, found = found, ahead - (columns.T @ (weight * (chance - right)) + held * ahead) / bend
        found[1:] = np.maximum(found[1:], 0)
        ahead = found + round_ / (round_ + 3) * (found - before)
    weights = found[1:] / wide
    return float(found[0] - weights @ low), dict(zip(span, weights.tolist(), strict=True))
