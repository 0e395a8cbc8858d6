"""Cases as pages: one sheet, five tournaments, and what each makes of every line.

A page file (``tests/cases/interpret/*.case``) is a row of cases. A case is a title, what it teaches, and a sheet::

    11.1  Nor from Finland
    Only Norway can be reached; whether that counts is a rule of the tournament.

      writes: RUSSIA S1902M
      has: RUSSIA A FIN; ENGLAND F NTH
      1| A Fin-Nor
        WM            clear      A FIN - NWY      TWO_PLACES  WM VI.2.f
        EDC96, WDC08  ambiguous  A FIN H          TWO_PLACES  EDC96 8 | WDC08 12.4

Under each line stand the entries it becomes: tournaments, status, order ("nothing" where there is none), doubts ("-" or
left out where there is none) and rules, one for each tournament or one for all (left out where none was needed).
``all`` is every tournament; one that is not named has no entry there. ``owns`` are supply centres, ``dislodged`` units
with what is open to them; ``remarks`` is what no single line is about. A case that does not say who writes has the
position of the case before.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct, field

FOLDER = Path(__file__).parents[1] / "cases" / "interpret"
TOURNAMENTS = {"NZ99": "nzdc1999", "WM": "weaselmoot", "EDC23": "edc2023", "EDC96": "edc1996", "WDC08": "wdc2008"}
TITLE = re.compile(r"(?P<number>\d+\.\d+)  (?P<name>\S.*)")
FACT = re.compile(r"  (?P<word>writes|has|owns|dislodged): (?P<text>.+)")
LINE = re.compile(r"  (?P<number>\d+)\| (?P<text>.*)")
COLUMNS = re.compile(r" {2,}")
DISLODGED = re.compile(r"(?P<power>[A-Z]+) (?P<unit>[AF] \S+) from (?P<by>\S+) to ?(?P<places>.*)")

Row = tuple[str, str | None, str, tuple[str, ...]]  # status, order, rule, doubts
REMARKS = 0  # the line number of remarks


class Case(Struct):
    """One sheet, and what is expected of it."""

    number: str
    name: str
    sheet: dict[str, Any]
    expected: dict[str, dict[int, list[Row]]] = field(default_factory=lambda: {short: {} for short in TOURNAMENTS})


def cases() -> Iterator[Case]:
    """Read every page."""
    for path in sorted(FOLDER.glob("*.case")):
        yield from read_page(path.read_text("utf-8"), path.name)


def read_page(text: str, name: str) -> Iterator[Case]:
    """Read the cases of one page; what is not understood is a `ValueError` with its line."""
    case: Case | None = None
    at = REMARKS
    for number, line in enumerate(text.splitlines(), start=1):
        if found := TITLE.fullmatch(line):
            if case is not None:
                yield case
            before, at = case.sheet if case else {"units": {}}, REMARKS
            case = Case(found["number"], found["name"], {**before, "lines": []})
        elif not line.startswith("  "):
            continue  # the lesson, or a comment
        elif case is None:
            raise ValueError(f"{name} line {number}: no case begins before it")
        elif found := FACT.fullmatch(line):
            read_fact(case, found["word"], found["text"])
        elif found := LINE.fullmatch(line):
            at = int(found["number"])
            case.sheet["lines"].append(found["text"])
        elif line == "  remarks":
            at = REMARKS
        else:
            read_entry(case, at, line, f"{name} line {number}")
    if case is not None:
        yield case


def read_fact(case: Case, word: str, text: str) -> None:
    """Read whose sheet it is, and who stands where."""
    if word == "writes":
        power, phase = text.split()
        case.sheet = {"power": power, "phase": phase, "units": {}, "lines": []}
    elif word == "dislodged":
        case.sheet["dislodged"] = [dislodged(part) for part in text.split("; ")]
    else:
        lists = (part.split(" ", 1) for part in text.split("; "))
        case.sheet["units" if word == "has" else "centers"] = {power: items.split(", ") for power, items in lists}


def dislodged(text: str) -> dict[str, Any]:
    """Read one dislodged unit."""
    found = DISLODGED.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is not a dislodged unit, such as 'ITALY A VEN from TRI to APU TUS'")
    return {"power": found["power"], "unit": found["unit"], "from": found["by"], "retreats": found["places"].split()}


def read_entry(case: Case, at: int, line: str, where: str) -> None:
    """Read what tournaments make of a line."""
    found = COLUMNS.split(line.strip())
    if not 3 <= len(found) <= 5:
        raise ValueError(f"{where}: expected tournaments, status, order, doubts and rules, found {line!r}")
    shorts, status, order, codes, said = [*found, "-", "-"][:5]
    doubts = () if codes == "-" else tuple(codes.split(", "))
    names = list(TOURNAMENTS) if shorts == "all" else shorts.split(", ")
    rules = ["" if rule == "-" else rule for rule in said.split(" | ")]
    for short, rule in zip(names, rules * len(names) if len(rules) == 1 else rules, strict=True):
        case.expected[short].setdefault(at, []).append((status, None if order == "nothing" else order, rule, doubts))
