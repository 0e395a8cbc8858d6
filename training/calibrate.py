"""Fit the gate: ``python -m training calibrate`` measures rows of unseen writers, half to fit on and half to test on.

The halves share no writer. What the gate must keep out is in both of them: misorders of every kind. The thresholds,
with the measurement that set them, go into the package.
"""

import argparse
import hashlib
import math
import pickle
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from pathlib import Path

import cv2
import numpy as np

from pipeline.board.map import Power
from pipeline.board.position import Position
from pipeline.ink import Tier
from pipeline.orders.order import Order
from pipeline.reading.net.alphabet import bare
from pipeline.reading.net.evidence import Evidence, Expected, weigh
from pipeline.reading.net.fitting import Judged, fit_gate
from pipeline.reading.net.gate import Gate, write_gate
from pipeline.reading.net.lattice import Floats, accepts
from pipeline.reading.net.network import Head, Network, load_head, shipped_weights
from pipeline.reading.net.normalise import normalise
from training.cases import KINDS
from training.orders import admissible
from training.rows import ROWS, Row, halves, load


@dataclass(frozen=True, slots=True)
class Measured:
    """One row as the net saw it."""

    kind: str
    writer: str
    text: str
    read: str
    evidence: Evidence
    right: bool  # what was read is what was written, or another spelling of the same
    intended: bool  # a misspelling was read as what it was made of


@lru_cache(maxsize=64)
def expected(position_key: str, power: Power) -> tuple[tuple[Order | None, ...], Expected]:
    """Draw a vocabulary once for the rows of one seat, which stand together."""
    found = admissible(POSITIONS[position_key], power)
    return found.orders, Expected(found.vocabulary)


POSITIONS: dict[str, Position] = {}
MISORDERS = 0.05  # share of rows at a table that are no legal order, READING section 2


def measured(rows: Sequence[Row], network: Network, head: Head) -> list[Measured]:
    """Read the rows of one seat; those are left out in which no ink was found."""
    orders, lines = expected(seat(rows[0]), rows[0].case.power)
    seen = [(row.case, row.writer, ink) for row in rows if (ink := normalise(row.grey)) is not None]
    found = weigh([head.frames(network.features(ink)) for _, _, ink in seen], lines)
    return [
        Measured(
            kind=case.kind,
            writer=writer,
            text=case.text,
            read=evidence.text,
            evidence=evidence,
            right=accepts(lines.slots[evidence.best], bare(case.text)),
            intended=case.kind == "misspelling" and orders[evidence.best] == case.order,
        )
        for (case, writer, _), (evidence, _) in zip(seen, found, strict=True)
    ]


def seat(row: Row) -> str:
    """Name the position that a row is written in, and keep it."""
    position = row.case.position
    key = f"{position.phase} {sorted(position.all_units())}"
    POSITIONS.setdefault(key, position)
    return key


def measure(rows: Sequence[Row], weights: Path) -> list[Measured]:
    """Read all rows with one net."""
    cv2.setNumThreads(1)
    network, head = Network(weights), load_head(weights)
    seats = groupby(rows, key=lambda row: (seat(row), row.case.power))
    return [one for _, together in seats for one in measured(list(together), network, head)]


def cached(rows_file: Path, weights: Path) -> list[Measured]:
    """Measure rows once for each net."""
    kept = rows_file.with_name(f"{rows_file.stem}_{hashlib.sha256(weights.read_bytes()).hexdigest()[:8]}.pkl")
    if not kept.exists():
        kept.write_bytes(pickle.dumps(measure(load(rows_file), weights)))
    found: list[Measured] = pickle.loads(kept.read_bytes())
    return found


def parted(rows: Sequence[Measured]) -> tuple[list[Measured], list[Measured]]:
    """Part the rows by writer."""
    to_fit, to_test = halves()
    return [row for row in rows if row.writer in to_fit], [row for row in rows if row.writer in to_test]


def shares(rows: Sequence[Measured], misorders: float = MISORDERS) -> Floats:
    """Weigh rows so that misorders are as rare as at a table."""
    legal = np.array([row.kind == "legal" for row in rows])
    return np.asarray(np.where(legal, (1 - misorders) / max(1, legal.sum()), misorders / max(1, (~legal).sum())))


def interval(wrong: int, of: int) -> tuple[float, float]:
    """Bound a share from both sides with 95 % confidence (Wilson 1927; none found: the rule of three)."""
    if wrong == 0:
        return 0.0, min(1.0, 3.0 / max(1, of))
    z, p = 1.96, wrong / of
    middle, half = p + z * z / (2 * of), z * math.sqrt(p * (1 - p) / of + z * z / (4 * of * of))
    return (middle - half) / (1 + z * z / of), (middle + half) / (1 + z * z / of)


def report(rows: Sequence[Measured], gate: Gate, title: str) -> str:
    """Say what a gate does with rows."""
    tiers = [gate.tier(row.evidence) for row in rows]
    legal = [(row, tier) for row, tier in zip(rows, tiers, strict=True) if row.kind == "legal"]
    unasked = [(row, tier) for row, tier in zip(rows, tiers, strict=True) if tier is not Tier.ASKED]
    wrong = [row for row, _ in unasked if not row.right]
    silent = [tier is not Tier.ASKED and not row.right for row, tier in zip(rows, tiers, strict=True)]
    mixed = float(shares(rows) @ np.array(silent, float))
    low, high = interval(len(wrong), len(rows))
    lines = [
        f"{title}: {len(rows)} rows of {len({row.writer for row in rows})} writers, {len(legal)} of them legal orders",
        f"best line right {share(row.right for row, _ in legal)} of legal rows",
        f"asked {share(tier is Tier.ASKED for _, tier in legal)} of legal rows, "
        f"marked {share(tier is Tier.MARKED for _, tier in legal)}",
        f"wrong unasked: {len(wrong)} of {len(rows)} ({1e4 * low:.1f} to {1e4 * high:.1f} per 10,000 such rows); "
        f"{1e4 * mixed:.1f} per 10,000 where 5 % are misorders",
    ]
    for kind in ("legal", *KINDS):
        of = [(row, tier) for row, tier in zip(rows, tiers, strict=True) if row.kind == kind]
        bad = [row for row, tier in of if tier is not Tier.ASKED and not row.right]
        lines.append(f"  {kind}: {len(of)} rows, {len(bad)} wrong unasked")
        lines += [f"    {row.writer} {row.text!r} read as {row.read!r}" for row in bad]
    return "\n".join(lines)


def share(truths: Iterable[bool]) -> str:
    """Write a share."""
    found = list(truths)
    return f"{sum(found) / max(1, len(found)):.1%}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, fit, test, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=Path, nargs="+", default=[ROWS], help="files of rows; parted by their writers")
    parser.add_argument("--weights", type=Path, default=shipped_weights())
    parser.add_argument(
        "--silent", type=float, default=0.5, help="rows in 10,000 that may be wrong unasked where the gate is fitted"
    )
    parser.add_argument("--to", type=Path, help="write the gate here, such as pipeline/reading/net/gate.toml")
    found = parser.parse_args(arguments)
    fit, test = parted([row for file in found.rows for row in cached(file, found.weights)])
    weighed = zip(fit, shares(fit).tolist(), strict=True)
    gate = fit_gate([Judged(row.evidence, row.right, weight) for row, weight in weighed], found.silent / 1e4)
    text = report(test, gate, "test half")
    print(report(fit, gate, "fitted half"), text, write_gate(gate), sep="\n\n")
    if found.to:
        files = " ".join(map(str, found.rows))
        measured = f"python -m training calibrate --rows {files} --silent {found.silent}\n{text}\n"
        found.to.write_text(write_gate(replace(gate, measured=measured)), encoding="utf-8")
