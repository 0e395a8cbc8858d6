"""Every act of the pages, twice from one page: by two directors who saw the same, in turn and at once.

    python benchmarks/stale_pages.py [--races 200]

The acts are those that the routes know; ``tests/web/stale.py`` says what two people do about one thing. In turn the
second must be refused with both versions; at once at most one may succeed. Anything else is a silent overwriting, and a
fault; exit code 1 where there is one.
"""

import argparse
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from once import STARTED
from web.stale import CASES, act_at_once, act_in_turn

from benchmarks.whole_sheets.count import markdown


def main() -> int:
    """Try, and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--races", type=int, default=200)
    asked = parser.parse_args()
    counts: Counter[str] = Counter()
    with STARTED, tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CONFIG_HOME"] = folder
        for number, case in enumerate(CASES):
            (Path(folder) / f"turn{number}").mkdir()
            wrong = act_in_turn(case, Path(folder) / f"turn{number}" / "cup")
            counts["in turn"] += 1
            counts["in turn, silent"] += bool(wrong)
            if wrong:
                print(wrong[:300])
        for number in range(asked.races):
            case = CASES[number % len(CASES)]
            (Path(folder) / f"race{number}").mkdir()
            found = act_at_once(case, Path(folder) / f"race{number}" / "cup")
            counts["races"] += 1
            counts["races, silent"] += sum(status == 200 for status in found) > 1
            if sum(status == 200 for status in found) != 1:
                print(case.path, case.bodies[0], found)
    rows = [(way, str(counts[way]), str(counts[f"{way}, silent"])) for way in ("in turn", "races")]
    print(markdown(("two people, one page", "tries", "silent"), rows))
    return int(any(counts[f"{way}, silent"] for way in ("in turn", "races")))


if __name__ == "__main__":
    sys.exit(main())
