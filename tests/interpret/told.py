"""What a director reads and is offered of every line of the pages, for ``tests/cases/interpret/told.txt``.

Written anew after a change that is meant, and looked at line by line: ``PYTHONPATH=.:tests python -m interpret.told``.
"""

import re
from collections.abc import Iterator
from typing import Any

from interpret.pages import FOLDER, REMARKS, TOURNAMENTS, Case, cases
from pipeline.cli.judge import interpret_sheet

TOLD = FOLDER / "told.txt"
WHY_THE_RULE_LEAVES_IT = re.compile(r"(?<=the director rules) \(.*\)$")

KNOWN: dict[tuple[str, str], dict[str, Any]] = {}


def interpreted(case: Case, short: str) -> dict[str, Any]:
    """What one tournament makes of a sheet, found once for all tests."""
    if (case.number, short) not in KNOWN:
        KNOWN[case.number, short] = interpret_sheet({**case.sheet, "tournament": TOURNAMENTS[short]})
    return KNOWN[case.number, short]


def told_of(case: Case) -> list[str]:
    """Every doubt, every order that is offered with its reason, why a line is taken as it is, and who has no order.

    Each with the tournaments that say so.
    """
    found: dict[tuple[int, str], dict[str, None]] = {}
    for short in TOURNAMENTS:
        sheet = interpreted(case, short)
        for entry in [*sheet["entries"], *sheet.get("remarks", [])]:
            for text in dict.fromkeys(_texts_of(entry)):
                found.setdefault((entry["line"], text), {})[short] = None
        if sheet["unordered"]:
            found.setdefault((REMARKS, f"not ordered: {', '.join(sheet['unordered'])}"), {})[short] = None
    return [
        f"{line}| {'all' if len(who) == len(TOURNAMENTS) else ' '.join(who)}: {text}"
        for (line, text), who in found.items()
    ]


def _texts_of(entry: dict[str, Any]) -> Iterator[str]:
    yield from (doubt["text"] for doubt in entry["doubts"])
    yield from (f"{one['order']}: {one['reason']}" for one in entry["considered"] if one["reason"] != "as written")
    *_, outcome = WHY_THE_RULE_LEAVES_IT.sub("", entry["reason"]).split("; ")
    if outcome not in {"as written", *(doubt["text"] for doubt in entry["doubts"])}:
        yield f"so {outcome}"


def stored() -> dict[str, list[str]]:
    """Read the file: what is told, by the number of the case."""
    found: dict[str, list[str]] = {}
    number = ""
    for line in TOLD.read_text("utf-8").splitlines():
        if line.startswith("  "):
            found[number].append(line.strip())
        else:
            number = line
            found[number] = []
    return found


if __name__ == "__main__":
    lines = [line for case in cases() for line in (case.number, *(f"  {text}" for text in told_of(case)))]
    TOLD.write_text("\n".join(lines) + "\n", "utf-8")
