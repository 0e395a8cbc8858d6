"""Rows of boxes as people fill them: an order line is taken apart into what is ticked and what is written where.

All that is needed of a sheet is its layout: a page without a field ``order`` in a row has the row's boxes instead.
"""

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass

from pipeline.ink import Box
from pipeline.pen.slips import Slip, WrittenWords

UNIT, OF, TO, VIA = "unit", "of", "to", "via"
SIGNS = "H-SCRBD"
NO_BUILD = "waive"
# What the boxes of a row of targets are called: where the unit can go, where another stands that it can help, or what
# may be built.
NAMED = re.compile(f"({OF} |[AF] )?[A-Z]{{3}}(/[NSEW]C)?")


@dataclass(frozen=True, slots=True)
class Tick:
    """A tick box is ticked."""


@dataclass(frozen=True, slots=True)
class Strike:
    """A whole row is struck out."""


def boxes_of(line: str) -> dict[str, str | Tick]:
    """Say what goes into which box, in the words of the line.

    >>> boxes_of("A VIE - BOH")
    {'A': Tick(), 'unit': 'VIE', '-': Tick(), 'to': 'BOH'}
    >>> boxes_of("F North Sea C A YOR - NWY")
    {'F': Tick(), 'unit': 'North Sea', 'C': Tick(), 'of A': Tick(), 'of': 'YOR', 'to': 'NWY'}
    >>> boxes_of("A TRI - APU VIA"), boxes_of("WAIVE")
    ({'A': Tick(), 'unit': 'TRI', '-': Tick(), 'to': 'APU', 'via': Tick()}, {'waive': Tick()})
    >>> boxes_of("we all hold")
    {'unit': 'we all hold'}
    """
    words = line.split()
    if line.casefold() == NO_BUILD:
        return {NO_BUILD: Tick()}
    place = next((n for n, word in enumerate(words) if n and word in SIGNS), len(words))
    found = dict(unit_of(words[:place], UNIT, ""))
    sign, rest = words[place : place + 1], words[place + 1 :]
    found |= {word: Tick() for word in sign}
    if sign == ["-"] and rest[-1:] == ["VIA"]:
        return found | {TO: " ".join(rest[:-1]), "via": Tick()}
    if sign in (["S"], ["C"]):
        dash = rest.index("-") if "-" in rest else len(rest)
        found |= dict(unit_of(rest[:dash], OF, "of "))
        rest = rest[dash + 1 :]
    return found | ({TO: " ".join(rest)} if rest else {})


def in_targets(boxes: Mapping[str, str | Tick], named: Set[str]) -> dict[str, str | Tick]:
    """Tick the places and units that have a box of their own instead of writing them.

    >>> in_targets(boxes_of("A VIE - BOH"), {"BOH", "GAL", "of BUD"})
    {'A': Tick(), 'unit': 'VIE', 'BOH': Tick()}
    >>> in_targets(boxes_of("A VIE S A BUD - GAL"), {"BOH", "GAL", "of BUD"})
    {'A': Tick(), 'unit': 'VIE', 'S': Tick(), 'of BUD': Tick(), 'GAL': Tick()}
    >>> in_targets(boxes_of("A VIE S A TYR"), {"BOH", "GAL", "of BUD"})
    {'A': Tick(), 'unit': 'VIE', 'S': Tick(), 'of': 'TYR'}
    >>> in_targets(boxes_of("A LON - BRE"), {"WAL", "YOR"})
    {'A': Tick(), 'unit': 'LON', 'via': Tick(), 'to': 'BRE'}
    >>> in_targets(boxes_of("F STP/NC B"), {"A STP", "F STP/NC", "F STP/SC"})
    {'F STP/NC': Tick()}
    """
    built = next((f"{kind} {boxes[UNIT]}" for kind in "AF" if {kind, UNIT, "B"} <= boxes.keys()), "")
    if built in named:
        return {built: Tick()}
    found = {name: mark for name, mark in boxes.items() if name not in ("-", "R", OF, "of A", "of F", TO)}
    other, place = boxes.get(OF), boxes.get(TO)
    if isinstance(other, str):
        box = f"{OF} {other.upper()}"
        found |= {box: Tick()} if box in named else {OF: other}
    if isinstance(place, str):
        no_coast = "of A" in boxes
        fitting = (name for name in sorted(named) if box_says(name, place, by_province=no_coast))
        box = next(fitting, TO)
        found |= {box: Tick()} if box != TO else ({VIA: Tick()} if "-" in boxes else {}) | {TO: place}
    return found


def box_says(box: str, place: str, *, by_province: bool) -> bool:
    """Whether a box for a place says this place; of an army no coast is said."""
    return box[:3] == place[:3].upper() if by_province else box == place.upper()


def unit_of(words: list[str], name: str, before: str) -> Iterator[tuple[str, str | Tick]]:
    """Part a unit into its letter and its place."""
    letter = words[0].upper() if len(words) > 1 and words[0].upper() in ("A", "F") else ""
    if letter:
        yield before + letter, Tick()
    if words[bool(letter) :]:
        yield name, " ".join(words[bool(letter) :])


def spread(
    row: int, words: WrittenWords, known: Set[tuple[str, int | None]]
) -> dict[tuple[str, int | None], WrittenWords | Tick | Strike]:
    """Write a line into the boxes of a row, with its slip; ``known`` are the places that the page has.

    What has no box on this page is left out: the unit where it is printed, the sign where the line is no order. Where
    there are only ticks nothing can be scribbled: the row is struck out.
    """
    named = frozenset(name for name, number in known if number == row and NAMED.fullmatch(name))
    everything = in_targets(boxes_of(words.text), named) if named else boxes_of(words.text)
    filled = {name: mark for name, mark in everything.items() if (name, row) in known}
    written = [name for name, mark in filled.items() if isinstance(mark, str)]
    longest = max(written, key=lambda name: len(str(filled[name])), default="")
    found: dict[tuple[str, int | None], WrittenWords | Tick | Strike] = {}
    for name, mark in filled.items():
        if isinstance(mark, Tick):
            found[name, row] = mark
            continue
        everywhere = words.slip is Slip.SCRIBBLE
        slip = words.slip if words.slip is not Slip.STRUCK_OUT and (everywhere or name == longest) else None
        found[name, row] = WrittenWords(mark, slip, words.before if name == longest else "")
    is_gone = words.slip is Slip.STRUCK_OUT or (words.slip is Slip.SCRIBBLE and not written)
    return found | ({("row", row): Strike()} if is_gone else {})


def whole_rows(boxes: Mapping[tuple[str, int | None], Box]) -> dict[tuple[str, int | None], Box]:
    """Find the rows that are made of boxes, each from its first box to its last."""
    rows: dict[int, list[Box]] = {}
    for (name, row), box in boxes.items():
        if row is not None and name != "order":
            rows.setdefault(row, []).append(box)
    return {("row", row): around(found) for row, found in rows.items()}


def around(boxes: list[Box]) -> Box:
    """The box around boxes."""
    left, top = min(box.left for box in boxes), min(box.top for box in boxes)
    right = max(box.left + box.width for box in boxes)
    return Box(left, top, right - left, max(box.top + box.height for box in boxes) - top)
