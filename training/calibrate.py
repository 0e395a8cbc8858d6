"""Fit the gate: ``python -m training.calibrate`` measures rows of unseen writers, half to fit on and half to test on.

The halves share no writer. What the gate must keep out is in both of them: misorders of every kind. The thresholds,
with the measurement that set them, go into the package.
"""

import argparse
import hashlib
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from pipeline.board.map import Power
from pipeline.board.position import Position
from pipeline.judge.legality import legal_orders
from pipeline.orders.order import Order
from pipeline.reading.net.alphabet import spelling
from pipeline.reading.net.evidence import Evidence, Expected, weigh
from pipeline.reading.net.lattice import accepts
from pipeline.reading.net.network import Network, shipped_weights
from pipeline.reading.net.normalise import normalise
from training.orders import BOARD, vocabulary
from training.rows import ROWS, Row, load


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


@lru_cache(maxsize=4096)
def expected(position_key: str, power: Power) -> tuple[tuple[Order, ...], Expected]:
    """Draw a vocabulary once for each seat."""
    orders = legal_orders(BOARD, POSITIONS[position_key], power)
    return orders, Expected(vocabulary(orders))


POSITIONS: dict[str, Position] = {}


def measured(row: Row, network: Network) -> Measured | None:
    """Read one row; None where no ink was found."""
    ink = normalise(row.grey)
    if ink is None:
        return None
    case = row.case
    key = f"{case.position.phase} {sorted(case.position.all_units())}"
    POSITIONS.setdefault(key, case.position)
    orders, lines = expected(key, case.power)
    evidence, _ = weigh(network.frames(ink), lines)
    right = accepts(lines.slots[evidence.best], spelling(case.text))
    intended = case.kind == "misspelling" and orders[evidence.best] == case.order
    return Measured(case.kind, row.writer, case.text, evidence.text, evidence, right, intended)


def measure(rows: Sequence[Row], weights: Path) -> list[Measured]:
    """Read all rows with one net."""
    cv2.setNumThreads(1)
    network = Network(weights)
    found = [measured(row, network) for row in rows]
    return [one for one in found if one is not None]


def cached(rows_file: Path, weights: Path) -> list[Measured]:
    """Measure rows once for each net."""
    kept = rows_file.with_name(f"{rows_file.stem}_{hashlib.sha256(weights.read_bytes()).hexdigest()[:8]}.pkl")
    if not kept.exists():
        kept.write_bytes(pickle.dumps(measure(load(rows_file), weights)))
    found: list[Measured] = pickle.loads(kept.read_bytes())
    return found


def halves(rows: Sequence[Measured]) -> tuple[list[Measured], list[Measured]]:
    """Part the rows by writer; good and bad hands fall equally on both sides."""
    right: dict[str, list[bool]] = {}
    for row in rows:
        if row.kind == "legal":
            right.setdefault(row.writer, []).append(row.evidence.agrees)
    ordered = sorted(right, key=lambda writer: (sum(right[writer]) / len(right[writer]), writer))
    first = {writer for number, writer in enumerate(ordered) if number % 4 in (0, 3)}
    return [row for row in rows if row.writer in first], [row for row in rows if row.writer not in first]
