"""Pictures of rows in the hands of people the net never learnt from, made once by the handwriting set's own composer.

``python -m training rows --half fit --to build/rows/fit.pkl`` and the same for the test half; the composer is that of
the set, not the one the training pictures come from.
"""

import argparse
import pickle
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.reading.rows.recogniser import CROP_DPI
from training.cases import Case, cases
from training.dev_labels import leave_out_wrong_labels
from training.orders import seats
from training.strokes import HANDWRITING

COMPOSER_DPI = 300
AT_ONCE = 500  # rows, from a seed of their own
ROWS = Path("build/rows/dev.pkl")


@dataclass(frozen=True, slots=True)
class Row:
    """One written row."""

    case: Case
    writer: str
    pen: str
    grey: NDArray[np.uint8]  # at CROP_DPI, the sheet's own print already gone


def halves(folder: Path = HANDWRITING) -> tuple[frozenset[str], frozenset[str]]:
    """Part the dev writers: those the gate is fitted on, and those nothing is ever fitted on."""
    rows = (folder / "tools" / "splits.tsv").read_text().splitlines()[1:]
    dev = sorted(name for name, split in (row.split("\t") for row in rows) if split == "dev")
    return frozenset(dev[::2]), frozenset(dev[1::2])


def written(count: int, share_of_misorders: float, seed: int, only: frozenset[str] | None = None) -> list[Row]:
    """Write rows, every writer about as often as every other."""
    sys.path.insert(0, str(HANDWRITING / "tools"))
    from compose import Bank, Missing  # type: ignore[import-not-found]  # noqa: PLC0415 - the set's own tool

    bank = Bank(split="dev", borrow=True)
    leave_out_wrong_labels(bank.B)
    rng = np.random.default_rng(seed)
    used = dict.fromkeys(bank.writers, 0)
    found: list[Row] = []
    for case in cases(list(seats()), share_of_misorders, seed):
        able = [name for name in bank.can(case.text) if only is None or name in only]
        if len(found) == count:
            break
        if not able:
            continue
        writer = min(able, key=lambda name: (used[name], rng.random()))
        try:
            colour, about = bank.line(case.text, writer, rng, ruled=bool(rng.random() < 0.1))
        except Missing:
            continue
        used[writer] += 1
        grey = cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY)
        scale = CROP_DPI / COMPOSER_DPI
        small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        found.append(Row(case, writer, about["pen"], small))
    return found


def load(path: Path = ROWS) -> list[Row]:
    """Load rows that were written before."""
    rows: list[Row] = pickle.loads(path.read_bytes())
    return rows


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and write rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--misorders", type=float, default=0.3, help="share; weighed down to 5 % where it is counted")
    parser.add_argument("--half", choices=("fit", "test"), help="only the writers the gate is fitted on, or the others")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--to", type=Path, default=ROWS)
    found = parser.parse_args(arguments)
    only = None if found.half is None else halves()[found.half == "test"]
    rows: list[Row] = []
    for at in range(0, found.count, AT_ONCE):
        rows += written(min(AT_ONCE, found.count - at), found.misorders, found.seed + at, only)
    found.to.parent.mkdir(parents=True, exist_ok=True)
    found.to.write_bytes(pickle.dumps(rows, pickle.HIGHEST_PROTOCOL))
    writers = {row.writer for row in rows}
    print(f"{found.to}: {len(rows)} rows by {len(writers)} writers")
