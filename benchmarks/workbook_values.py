"""Whether workbooks compute what the engine does: every scoring system, on boards at random and on boards that tell.

    python benchmarks/workbook_values.py [--boards 200] [--seed 1] [--system tribute ...]

One workbook for each system, its formulas computed anew by LibreOffice; some workbooks are given to it at once. A
cell that differs from the engine's exact value by more than a billionth is printed; exit code 1 if there is one.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from workbook.office import LOCALES, differences, formulas, recalculate
from workbook.telling import SYSTEMS, TELLING, book_of, shared_out, telling_event

A_RUN = 7  # workbooks given to the program at once


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--boards", type=int, default=200)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--system", choices=SYSTEMS, action="append")
    options = asked.parse_args()
    names = options.system or list(SYSTEMS)
    cells, wrong, begun = 0, list[str](), time.monotonic()
    for start in range(0, len(names), A_RUN):
        books = {name: _book(name, options.seed, options.boards) for name in names[start : start + A_RUN]}
        with tempfile.TemporaryDirectory() as folder:
            computed = recalculate(books, Path(folder), LOCALES[start // A_RUN % len(LOCALES)])
        for name, data in books.items():
            cells += len(formulas(data))
            wrong += [f"{name}: {found}" for found in differences(data, computed[name])]
    print(f"{len(names)} systems, {options.boards} boards each, {cells:,} cells with formulas, {len(wrong)} differ")
    print(f"{time.monotonic() - begun:.0f} s", *wrong[:20], sep="\n")
    return 1 if wrong else 0


def _book(name: str, seed: int, boards: int) -> bytes:
    """The workbook of one round of boards: those that tell, then others at random."""
    dice = Random(f"{seed} {name}")
    counts = [*TELLING, *(shared_out(dice) for _ in range(boards - len(TELLING)))]
    return book_of(name, telling_event(dice.randrange(10**6), counts[:boards]))


if __name__ == "__main__":
    sys.exit(main())
