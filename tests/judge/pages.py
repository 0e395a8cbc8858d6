"""Cases as pages: what stands on a page is what is tested, every order with its result and its reason.

A page file (``tests/cases/judge/*.case``) is a row of cases. A case is a title, what it teaches, and blocks::

    6.A.11  Two equal armies, one empty province
    Equal strength: neither gets in, and both stay where they were.

      AUSTRIA  A VIE - TYR                       fails      bounces 1:1 with A VEN - TYR
      ITALY    A VEN - TYR                       fails      bounces 1:1 with A VIE - TYR
      ends: AUSTRIA A VIE; ITALY A VEN

A power stands before the first of its lines. ``has`` lists its units (left out: those it orders) and ``owns`` its
centres. ``map``, ``phase`` and ``rules`` stand before the powers; without them it is Spring 1901 on the standard map,
under the preferences of the test cases. ``then`` opens the orders of the next phase (or of one it names), ``under``
the same orders under other rules: those that fare as in the first block are left out. After the orders stand the final
position (``ends``), the dislodged units with their retreats (``dislodged``), and where it is told the centres
(``owned``) and the next phase (``next``).
"""

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct, field

FOLDER = Path(__file__).parents[1] / "cases" / "judge"
TITLE = re.compile(r"(?P<number>\S*\d\S*)  (?P<name>\S.*)")
HEAD = re.compile(r"  (?P<power>[A-Z]{5,7})?(?: {2,}(?P<rest>\S.*))?")
LINE = re.compile(r"(?P<order>\S.*?) {2,}(?P<result>[a-z]+) {2,}(?P<reason>\S.*)")
LIST = re.compile(r"(?P<word>has|owns) (?P<items>.*)")
WORD = re.compile(r"  (?P<word>phase|rules|map|ends|dislodged|owned|next):? (?P<text>.*)")


class Line(Struct):
    """One order of a page and what it should do."""

    power: str
    order: str
    result: str
    reason: str


class Block(Struct):
    """One phase of a case under one set of rules."""

    kind: str  # "first", "then", "under"
    rules: str = "datc"
    board: str = "standard"
    phase: str = ""  # the phase that follows, where there was one before
    lines: list[Line] = field(default_factory=list)
    powers: list[str] = field(default_factory=list)
    has: dict[str, list[str]] = field(default_factory=dict)
    owns: dict[str, list[str]] = field(default_factory=dict)
    told: dict[str, str] = field(default_factory=dict)  # ends, dislodged, owned, next


class Case(Struct):
    """One case: a title, what it teaches, and its phases."""

    number: str
    name: str
    lesson: str
    blocks: list[Block]
    where: str  # file and line


def cases() -> Iterator[Case]:
    """Read every page."""
    for path in sorted(FOLDER.glob("*.case")):
        yield from read_page(path.read_text("utf-8"), path.name)


def read_page(text: str, name: str) -> Iterator[Case]:
    """Read the cases of one page; what is not understood is a `ValueError` with its line."""
    case: Case | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        if title := TITLE.fullmatch(line):
            if case:
                yield case
            case = Case(title["number"], title["name"], "", [], f"{name} line {number}")
        elif case is None:
            raise ValueError(f"{name} line {number}: a case begins with its number, two spaces and its name: {line!r}")
        elif not line.startswith(" "):
            case.lesson = f"{case.lesson} {line}".strip()
        elif not read_line(case, line):
            raise ValueError(f"{name} line {number}: not understood: {line!r}")
    if case:
        yield case


def read_line(case: Case, line: str) -> bool:
    """Read one indented line into the case; say whether it was understood."""
    if line.strip() == "then" or line.startswith("  under "):
        kind, _, rules = line.strip().partition(" ")
        case.blocks.append(Block(kind, rules or case.blocks[-1].rules, board=case.blocks[-1].board))
        if kind == "under":
            case.blocks[-1].lines = [each for each in case.blocks[0].lines if each.result != "automatic"]
        return True
    if not case.blocks:
        case.blocks.append(Block("first", phase="S1901M"))
    block = case.blocks[-1]
    if word := WORD.fullmatch(line):
        if word["word"] == "map":
            block.board = word["text"]
        elif word["word"] in ("phase", "rules"):
            setattr(block, word["word"], word["text"])
        else:
            block.told[word["word"]] = word["text"]
        return True
    head = HEAD.fullmatch(line)
    if not head:
        return False
    if head["power"]:
        block.powers.append(head["power"])
    return not head["rest"] or read_power(block, head["rest"])


def read_power(block: Block, text: str) -> bool:
    """Read what a power has, or one of its orders; say whether it was understood."""
    if items := LIST.fullmatch(text):
        kept = block.has if items["word"] == "has" else block.owns
        kept[block.powers[-1]] = [item for item in items["items"].split(", ") if item != "nothing"]
    elif order := LINE.fullmatch(text):
        line = Line(block.powers[-1], order["order"], order["result"], order["reason"])
        known = [(each.power, each.order) for each in block.lines]
        if block.kind == "under" and (line.power, line.order) in known:
            block.lines[known.index((line.power, line.order))] = line
        else:
            block.lines.append(line)
    else:
        return False
    return True
