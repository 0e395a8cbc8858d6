"""A gate is fitted on rows whose truth is known: by us on people's strokes, by a director on scans he has confirmed.

Writers used here must not be those that judge the result.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pipeline.ink import Tier
from pipeline.reading.net.lattice import Floats
from pipeline.reading.rows.recogniser import Taken
from pipeline.reading.thresholds.gate import AnyEvidence, Gate, Limits, shown

# e^9 to the next order: either is as likely to be meant as the other. On rows as they are written e^6 would do where
# two have looked (of 10,532 legal rows of the fitted half 14 fewer are asked, and none more stands as another order).
# But blurred, as in a bad photograph, legal rows stood as other legal orders with e^6.1 to e^7.7 (A HOL - BRE as BEL)
LEAST = {"to_next": 9.0, "to_others": -3.0}
NEAR_TO_BOTH = {"to_next": 9.0}
# The first reader alone is enough only where its line is likelier than all its slips together (of seven misspelt rows
# that it alone took for the line, in hands the gate is fitted on, six are below that) and e^4 likelier than all that is
# inadmissible: of 24,801 rows of whole sheets it took one misorder for the line, `A con - bal` for BUL, at e^2.6
ALONE_LEAST = {"to_slips": 0.0, "to_others": 4.0}
# What both say is weighed on all rows whose next order is far enough. Then these limits, of two and of three readers,
# chosen on the 30,000 rows of the fitted half (10,532 legal). All slips together that the rules would not follow may
# be so much likelier than the line: 95 rows in 100 are legal, and of a hand that is hard to read some slip is always
# likely. But where two see by the ink that something else is likelier that may be another line, a third one looks:
# with e^2 it was let pass, and of 10,000 other rows of the fitted half (3,499 legal, whose sheets teach) 12 other
# orders pass instead of 9 (A SER - BUR as BUL, F EAS - LON as ION), and 90 legal ones are asked instead of 100. With
# e^1 less likely, and e^0 to three, 105 are, and none less passes. With e^0.5 and e^3 less likely 24 of the 30,000
# pass instead of 34, and 142 legal ones more are asked. Two must also find the line itself no less likely than e^-15:
# else the writing is unlike all that they have seen, or something else was written. Without that 35 legal rows fewer
# are asked, and 54 slips more pass (5.2 instead of 3.8 per 10,000)
LEAST_OF_BOTH = NEAR_TO_BOTH | {"to_asked": -8.0, "to_harm": 0.0, "to_others": -6.0, "likelihood": -15.0}
LEAST_OF_THREE = NEAR_TO_BOTH | {"to_asked": -9.5, "to_harm": -1.0, "to_others": -6.0}
# Where the rules ask about a misspelt word, or do not understand it, more slips are wrong, and less is let through: of
# these 30,000 rows 239 slips pass instead of 364 (4.4 per 10,000 at a table, 7.1), or 39 other orders instead of 147
# (1.6 and 3.6)
STRICTER = {
    Taken.ASKED: Limits(both={"to_asked": -5.5}, three={"to_asked": -6.5}),
    Taken.OTHER: Limits(alone={"to_slips": 2.0}, both={"to_harm": 2.5}, three={"to_harm": 4.5}),
}
ROUNDS = 20_000  # of descent
AFTER = 0.01  # log odds: a threshold stands just above the row that set it
GLANCE = 0.5  # log odds above the threshold within which a row is marked, for whoever has time for a glance
RIDGE = 1e-4  # of 4,000 rows that are fitted and 3,500 others the same are asked with 1e-6 to 1e-4, one more with 1e-3
ENOUGH_TO_LOWER = 3000  # rows without a silent error bound it to 1 in 1000 with 95 % confidence: 3 / n


@dataclass(frozen=True, slots=True)
class Judged:
    """The evidence of one row, and whether its best line was what is written."""

    evidence: AnyEvidence
    right: bool
    weight: float = 1.0  # how many rows at a table it stands for: misorders are rarer there than where a gate is fitted
    is_slip: bool = False  # of a row that is not right: a misspelling that can mean nothing else, counted apart


@dataclass(frozen=True, slots=True)
class Budget:
    """How many rows may be wrong unasked, as shares of all rows by their weight: 5e-5 is one in 20,000."""

    silent: float  # taken for another order
    slips: float = 0.0  # misspellings that can mean nothing else, taken for what they must mean

    def half(self) -> "Budget":
        """Half of it, from where a row is not even marked."""
        return Budget(self.silent / 2, self.slips / 2)


def passing(rows: Sequence[Judged], gate: Gate) -> list[Judged]:
    """Leave out the rows that are asked whatever they weigh."""
    always = replace(gate, marked=-1e9, accepted=1e9)
    return [row for row in rows if always.tier(row.evidence) is not Tier.ASKED]


def fit_gate(rows: Sequence[Judged], budget: Budget, least: Mapping[str, float]) -> Gate:
    """Fit the weights on what is near enough, and the threshold to the shares of rows that may be wrong unasked."""
    return with_budget(fit_weights(rows, least), rows, budget, sum(row.weight for row in rows))


def fit_weights(rows: Sequence[Judged], least: Mapping[str, float]) -> Gate:
    """Fit what each piece of evidence weighs, on the rows that are near enough; nothing is asked by it yet."""
    unweighed = Gate(0.0, dict.fromkeys(rows[0].evidence.SPAN, 0.0), dict(least), 0.0, 0.0)
    constant, weights = logistic(passing(rows, unweighed))
    return replace(unweighed, constant=constant, weights=weights)


def with_budget(gate: Gate, rows: Sequence[Judged], budget: Budget, whole: float) -> Gate:
    """Fit the thresholds of a gate to the shares of rows that may be wrong unasked, of all that weigh so much."""
    near = passing(rows, gate)
    marked, half = (passed_by(gate, near, each, whole) + AFTER for each in (budget, budget.half()))
    return replace(gate, marked=marked, accepted=max(marked + GLANCE, half))


def passed_by(gate: Gate, near: Sequence[Judged], budget: Budget, whole: float) -> float:
    """Find the odds above which no more rows are wrong than is allowed; at most even odds."""
    slips = [row for row in near if not row.right and row.is_slip]
    others = [row for row in near if not row.right and not row.is_slip]
    return max(
        silent_above(gate, others, budget.silent * whole),
        silent_above(gate, slips, budget.slips * whole),
    )


def silent_above(gate: Gate, wrong: Sequence[Judged], allowed: float) -> float:
    """Find the odds above which the wrong rows weigh no more than is allowed; at most even odds."""
    silent = 0.0
    for odds, weight in sorted(((gate.odds(row.evidence), row.weight) for row in wrong), reverse=True):
        silent += weight
        if silent > allowed:
            return max(odds, 0.0)
    return 0.0


def with_thresholds(gate: Gate, near: Sequence[Judged], room: float) -> Gate:
    """Put the threshold above every wrong row."""
    highest = max((gate.odds(row.evidence) for row in near if not row.right), default=0.0)
    return replace(gate, marked=highest + room, accepted=highest + 2 * room)


def fit_thresholds(gate: Gate, rows: Sequence[Judged], room: float) -> Gate:
    """Fit only the thresholds of a gate, on a director's own rows: up at once, down only when there are rows enough."""
    near = passing(rows, gate)
    own = with_thresholds(gate, near, room)
    has_wrong = any(not row.right for row in near)
    if has_wrong and (own.marked > gate.marked or len(rows) >= ENOUGH_TO_LOWER):
        return own
    return gate


def logistic(rows: Sequence[Judged]) -> tuple[float, dict[str, float]]:
    """Fit a logistic regression whose weights are never negative: its constant, its weights.

    By projected gradient, accelerated (Nesterov 1983; Beck and Teboulle 2009), with the longest step that is sure
    not to overshoot: with a longer one the last bits of a sum, other on other machines, decided what was found.
    """
    span = rows[0].evidence.SPAN
    low = np.array([least for least, _ in span.values()])
    wide = np.array([most - least for least, most in span.values()])
    evidence: Floats = np.array([list(shown(row.evidence).values()) for row in rows])
    columns = np.column_stack([np.ones(len(rows)), (evidence - low) / wide])
    right = np.array([row.right for row in rows], float)
    if right.all() or not right.any():
        raise ValueError(
            "a gate is fitted on rows that were read right and rows that were read wrong; one kind is missing"
        )
    weight = np.where(right > 0, 0.5 / right.sum(), 0.5 / (1 - right).sum())  # both kinds matter alike
    held = np.concatenate([[0.0], np.full(len(span), RIDGE)])
    bend = np.linalg.eigvalsh(columns.T @ (weight[:, None] * columns))[-1] / 4 + RIDGE  # the slope bends no faster
    found = ahead = np.zeros(columns.shape[1])
    for round_ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(columns @ ahead, -40, 40)))
        before, found = found, ahead - (columns.T @ (weight * (chance - right)) + held * ahead) / bend
        found[1:] = np.maximum(found[1:], 0)
        ahead = found + round_ / (round_ + 3) * (found - before)
    weights = found[1:] / wide
    return float(found[0] - weights @ low), dict(zip(span, weights.tolist(), strict=True))
