"""Sheets of clear orders, some torn into parts that stand anywhere (`benchmarks/line_grammar/torn.py`).

python benchmarks/torn_sheets.py [--sheets 4000] [--seed 1] [--show 10]

* *followed wrongly*: another order stands than those that are written;
* *settled in silence*: a unit holds, or is disbanded, whose order is torn, and its row is not asked;
* *asked though clear*: of the sheets with nothing torn, those of which a row is asked.
"""

import argparse
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.line_grammar.torn import FAULTS, judge_torn, judge_whole, make_torn_sheets


def count_faults(sheets: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Judge sheets: how many of which fault, and what they are."""
    counts: Counter[str] = Counter()
    shown: list[str] = []
    for sheet in make_torn_sheets(sheets, seed):
        fault, answer, beside = judge_torn(sheet)
        whole_fault, whole = judge_whole(sheet)
        counts["sheets"] += 1
        counts["rows not torn"] += len(sheet.rows) - len(sheet.torn)
        counts["asked, not torn"] += beside
        for kind, lines, said in ((fault, sheet.lines, answer), (whole_fault, sheet.rows, whole)):
            if kind is not None:
                counts[kind] += 1
                head = f"{kind}: {sheet.tournament} {sheet.situation.power} {sheet.situation.phase}"
                written = f"  written: {', '.join(map(str, sheet.orders))}"
                shown.append("\n".join((head, *(f"    {line!r}" for line in lines), written, f"  came: {said}")))
    return counts, shown


def main() -> None:
    """Print the figures, and with ``--show`` so many sheets."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sheets", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0, help="sheets to show")
    parser.add_argument("--only", default="", help="show only faults whose name begins so")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    counts: Counter[str] = Counter()
    shown: list[str] = []
    with ProcessPoolExecutor(asked.jobs) as pool:
        seeds = [asked.seed * 1000 + job for job in range(asked.jobs)]
        for some, texts in pool.map(count_faults, [asked.sheets // asked.jobs] * asked.jobs, seeds):
            counts += some
            shown += texts
    for text in [text for text in shown if text.startswith(asked.only)][: asked.show]:
        print(text, end="\n\n")
    for name in ("sheets", *FAULTS, "rows not torn", "asked, not torn"):
        print(f"{name:24}{counts[name]:8}")


if __name__ == "__main__":
    main()
