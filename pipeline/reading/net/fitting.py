"""A gate is fitted on rows whose truth is known: by us on people's strokes, by a director on scans he has confirmed.

Writers used here must not be those that judge the result.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pipeline.ink import Tier
from pipeline.reading.net.evidence import Evidence
from pipeline.reading.net.gate import SPAN, Gate, shown
from pipeline.reading.net.lattice import Floats

LEAST = {"to_next": 9.0, "to_others": -3.0}  # e^9 to the next order: either is as likely to be meant as the other
ROUNDS = 20_000  # of descent
STEP = 4.0
AFTER = 0.01  # log odds: a threshold stands just above the row that set it
GLANCE = 0.5  # log odds above the threshold within which a row is marked, for whoever has time for a glance
RIDGE = 1e-4
ENOUGH_TO_LOWER = 3000  # rows without a silent error bound it to 1 in 1000 with 95 % confidence (READING section 2)


@dataclass(frozen=True, slots=True)
class Judged:
    """The evidence of one row, and whether its best line was what is written."""

    evidence: Evidence
    right: bool
    weight: float = 1.0  # how many rows at a table it stands for: misorders are rarer there than where a gate is fitted


def passing(rows: Sequence[Judged], gate: Gate) -> list[Judged]:
    """Leave out the rows that are asked whatever they weigh."""
    always = replace(gate, marked=-1e9, accepted=1e9)
    return [row for row in rows if always.tier(row.evidence) is not Tier.ASKED]


def fit_gate(rows: Sequence[Judged], silent: float) -> Gate:
    """Fit the weights on what is near enough, and the threshold to the share of rows that may be wrong unasked.

    ``silent`` counts among all ``rows``, by their weight: 5e-5 is one in 20,000.
    """
    unweighed = Gate(0.0, dict.fromkeys(SPAN, 0.0), dict(LEAST), 0.0, 0.0, "")
    near = passing(rows, unweighed)
    constant, weights = logistic(near)
    gate = replace(unweighed, constant=constant, weights=weights)
    wrong = [row for row in near if not row.right]
    allowed = silent * sum(row.weight for row in rows)
    marked = silent_above(gate, wrong, allowed) + AFTER
    half = silent_above(gate, wrong, allowed / 2) + AFTER
    return replace(gate, marked=marked, accepted=max(marked + GLANCE, half))


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
    """Fit a logistic regression whose weights are never negative (by projected gradient): its constant, its weights."""
    low = np.array([least for least, _ in SPAN.values()])
    wide = np.array([most - least for least, most in SPAN.values()])
    evidence: Floats = np.array([list(shown(row.evidence).values()) for row in rows])
    columns = np.column_stack([np.ones(len(rows)), (evidence - low) / wide])
    right = np.array([row.right for row in rows], float)
    if right.all() or not right.any():
        raise ValueError(
            "a gate is fitted on rows that were read right and rows that were read wrong; one kind is missing"
        )
    weight = np.where(right > 0, 0.5 / right.sum(), 0.5 / (1 - right).sum())  # both kinds matter alike
    found = np.zeros(columns.shape[1])
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(columns @ found, -40, 40)))
        found -= STEP * (columns.T @ (weight * (chance - right)) + RIDGE * np.concatenate([[0.0], found[1:]]))
        found[1:] = np.maximum(found[1:], 0)
    weights = found[1:] / wide
    return float(found[0] - weights @ low), dict(zip(SPAN, weights.tolist(), strict=True))
