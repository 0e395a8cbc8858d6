"""Lines that people wrote, each with what its tournament's rules make of it, against what `interpret` makes of it.

``python benchmarks/written_lines.py [FILE ...]``. A file is JSON lines, each an object of ``ordersheets interpret``
with ``expect`` (an order and the statuses that are right, one a written line), and where they matter ``forbid`` (orders
that must not result) and ``orders`` (all that must). ``expect`` names one order of a line; another one that stands on
the same line word for word may result, too. Printed for each tournament and in all:

* *wrong*: an order results that is forbidden or that nobody wrote, or a line is followed as something else;
* *silent*: a line with ink ends in nothing or in a hold where the rules follow it or ask, and nobody is asked;
* *asked*: the director is asked about a line that the rules make clear.
"""

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pipeline.cli.judge import interpret_sheet
from pipeline.interpret.written_words import SIGNS, SignSense, fold_word

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
CASES = (DATA / "written_lines.jsonl", DATA / "written_lines_2.jsonl")
KINDS = ("wrong", "silent", "asked")
LETTERS = re.compile(r"[^\W\d_]+")
Failure = tuple[str, str]  # one of `KINDS`, and what was made of the line
Answer = dict[str, Any]


def read_cases(paths: Iterable[Path] = CASES) -> list[Answer]:
    """Read the cases."""
    texts = (path.read_text(encoding="utf-8") for path in paths)
    return [json.loads(line) for text in texts for line in text.splitlines() if line.strip()]


def judge_case(case: Answer) -> Iterator[Failure]:
    """Compare one sheet's answer with what is expected of it."""
    said = ("expect", "forbid", "orders", "why")
    found = interpret_sheet({key: value for key, value in case.items() if key not in said})
    entries: dict[int, list[Answer]] = defaultdict(list)
    for entry in found["entries"]:
        for number in (entry["line"], *entry.get("also", ())):
            entries[number].append(entry)
    followed = {entry["order"] for entry in found["entries"] if entry["status"] == "clear"}
    yield from ((KINDS[0], order) for order in sorted(find_forbidden(case, found["orders"], followed)))
    for number, expected in enumerate(case["expect"], start=1):
        text = case["lines"][number - 1]
        also = {order for order in followed if order and "clear" in expected["status"] and stands_in(order, text)}
        yield from judge_line(text, expected, entries[number], [*case.get("orders", ()), *also])


def find_forbidden(case: Answer, orders: list[str], followed: set[str | None]) -> set[str]:
    """The orders that must not result: what is forbidden, and what is followed though nobody wrote it."""
    made = set(orders) & set(case.get("forbid", ()))
    written = {expected["order"] for expected in case["expect"]} | set(case.get("orders", ()))
    lines = [
        line for line, expected in zip(case["lines"], case["expect"], strict=True) if "clear" in expected["status"]
    ]
    literal = {order for order in followed if order and any(stands_in(order, line) for line in lines)}
    return made | {order for order in followed - written - literal if order and not order.endswith(" H")}


def stands_in(order: str, line: str) -> bool:
    """Say whether the words of an order stand on a line one behind the other, but for the sign of a build or a disband.

    >>> stands_in("A BUD - SER", "A Vie-Gal; A Bud-Ser"), stands_in("A BUD - SER", "A Bud or A Ser")
    (True, False)
    """
    written = (fold_word(word) for word in LETTERS.findall(line))
    said = f" {' '.join(word for word in written if SIGNS.get(word) is not SignSense.TO)} "
    words = [word.lower() for word in order.replace("/", " ").split() if word not in {"-", "B", "D"}]
    return f" {' '.join(words)} " in said


def judge_line(text: str, expected: Answer, entries: list[Answer], orders: list[str]) -> Iterator[Failure]:
    """Compare what became of one line with what is expected of it."""
    order, right = expected["order"], expected["status"]
    shown = "; ".join(f"{entry['order']} {entry['status']}" for entry in entries) or "nothing"
    clear = [entry["order"] for entry in entries if entry["status"] == "clear"]
    if set(clear) <= {order, *orders} and order in clear:
        return
    is_other = any(one not in {order, *orders} for one in clear) and order is not None
    if clear and (is_other or "clear" not in right):
        yield KINDS[0], f"{text}: {shown}"
        return
    if any(entry["status"] == "ask" for entry in entries):
        if "ask" not in right and right == ["clear"]:
            yield KINDS[2], f"{text}: {shown}"
        return
    if order in clear or any(entry["status"] in right for entry in entries):
        return
    if "clear" in right or "ask" in right or not entries:
        yield KINDS[1], f"{text}: {shown}"


def main() -> None:
    """Print the figures, and every line that is not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="*", default=CASES)
    cases = read_cases(parser.parse_args().files)
    count: dict[str, Counter[str]] = defaultdict(Counter)
    for case in cases:
        for name in (case["tournament"], "in all"):
            count[name]["lines"] += len(case["expect"])
        for kind, shown in judge_case(case):
            print(f"{kind:6} {case['id']}: {shown}")
            for name in (case["tournament"], "in all"):
                count[name][kind] += 1
    print(f"\n{'':12}{'lines':>7}" + "".join(f"{kind:>8}{'%':>7}" for kind in KINDS))
    for name, found in sorted(count.items(), key=lambda each: each[0] == "in all"):
        shares = "".join(f"{found[kind]:8}{100 * found[kind] / found['lines']:7.2f}" for kind in KINDS)
        print(f"{name:12}{found['lines']:7}{shares}")


if __name__ == "__main__":
    main()
