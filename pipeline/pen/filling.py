"""Sheets as people fill them: any text into any field of a printed page, in one person's hand."""

import re
from collections.abc import Iterator, Mapping, Set
from typing import Any

import numpy as np
from msgspec import Struct

from pipeline.ink import Box, box_around
from pipeline.pen.hand import Hand
from pipeline.pen.laying import MM_PER_INCH, Picture, lay_strokes
from pipeline.pen.writing import Slip, Writing, WrittenWords, strike, tick, write_signature, write_words
from pipeline.problems import Problem, Stopped, Weight

# Rows of boxes as people fill them: an order line is taken apart into what is ticked and what is written where.
#
# All that is needed of a sheet is its layout: a page without a field ``order`` in a row has the row's boxes instead.

UNIT, OF, TO, VIA = "unit", "of", "to", "via"
SIGNS = "H-SCRBD"  # what a unit is ordered to do
NO_BUILD = "waive"
# What the boxes of a row of targets are called: where the unit can go, where another stands that it can help, or what
# may be built.
NAMED = re.compile(f"({OF} |[AF] )?[A-Z]{{3}}(/[NSEW]C)?")


class Tick(Struct, frozen=True):
    """A tick box is ticked."""


class Strike(Struct, frozen=True):
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
    boxes = dict(_split_unit(words[:place], UNIT, ""))
    sign, rest = words[place : place + 1], words[place + 1 :]
    boxes |= {word: Tick() for word in sign}
    if sign == ["-"] and rest[-1:] == ["VIA"]:
        return boxes | {TO: " ".join(rest[:-1]), "via": Tick()}
    if sign in (["S"], ["C"]):
        dash = rest.index("-") if "-" in rest else len(rest)
        boxes |= dict(_split_unit(rest[:dash], OF, "of "))
        rest = rest[dash + 1 :]
    return boxes | ({TO: " ".join(rest)} if rest else {})


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
    in_boxes = {name: mark for name, mark in boxes.items() if name not in ("-", "R", OF, "of A", "of F", TO)}
    other, place = boxes.get(OF), boxes.get(TO)
    if isinstance(other, str):
        box = f"{OF} {other.upper()}"
        in_boxes |= {box: Tick()} if box in named else {OF: other}
    if isinstance(place, str):
        no_coast = "of A" in boxes
        fitting = (name for name in sorted(named) if _box_says(name, place, by_province=no_coast))
        box = next(fitting, TO)
        in_boxes |= {box: Tick()} if box != TO else ({VIA: Tick()} if "-" in boxes else {}) | {TO: place}
    return in_boxes


def _box_says(box: str, place: str, *, by_province: bool) -> bool:
    """Whether a box names this place; for an army the coast is ignored."""
    return box[:3] == place[:3].upper() if by_province else box == place.upper()


def _split_unit(words: list[str], name: str, before: str) -> Iterator[tuple[str, str | Tick]]:
    """Split a unit into its letter and its place."""
    letter = words[0].upper() if len(words) > 1 and words[0].upper() in ("A", "F") else ""
    if letter:
        yield before + letter, Tick()
    if words[bool(letter) :]:
        yield name, " ".join(words[bool(letter) :])


def _spread_line(
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
    words_in_row: dict[tuple[str, int | None], WrittenWords | Tick | Strike] = {}
    for name, mark in filled.items():
        if isinstance(mark, Tick):
            words_in_row[name, row] = mark
            continue
        everywhere = words.slip is Slip.SCRIBBLE
        slip = words.slip if words.slip is not Slip.STRUCK_OUT and (everywhere or name == longest) else None
        words_in_row[name, row] = WrittenWords(mark, slip, words.before if name == longest else "")
    is_gone = words.slip is Slip.STRUCK_OUT or (words.slip is Slip.SCRIBBLE and not written)
    return words_in_row | ({("row", row): Strike()} if is_gone else {})


def _whole_rows(boxes: Mapping[tuple[str, int | None], Box]) -> dict[tuple[str, int | None], Box]:
    """Find the rows that are made of boxes, each from its first box to its last."""
    rows: dict[int, list[Box]] = {}
    for (name, row), box in boxes.items():
        if row is not None and name != "order":
            rows.setdefault(row, []).append(box)
    return {("row", row): box_around(of_row) for row, of_row in rows.items()}


FieldPlace = tuple[str, int | None]  # a field's name and row, as in the layout
BASE = 0.26  # the line people write on, above the lower edge of a field, as a share of its height
TALLEST = 0.58  # of a field's height: how large people write capitals at most
NARROWEST = 0.78  # how far people squeeze letters before they write smaller


class Signature(Struct, frozen=True):
    """A name is signed."""

    name: str


FieldMark = (
    str | WrittenWords | Tick | Strike | Signature | Writing
)  # a Writing brings strokes of its own, real ones for instance


def fill(
    page: Picture,
    layout_page: Mapping[str, Any],
    marks: Mapping[FieldPlace, FieldMark],
    hand: Hand,
    rng: np.random.Generator,
) -> Picture:
    """Write marks into the fields of a printed page and return the written page.

    ``layout_page`` is one page of the ``--layout`` file; the page is its picture, grey or colour, at any dpi. A plain
    string in the field ``signature`` is signed, a plain string elsewhere is written. An order for a row that is made of
    boxes is taken apart and spread over them.
    """
    boxes = {(field["name"], field.get("row")): Box(*field["box_mm"]) for field in layout_page["fields"]}
    boxes |= _whole_rows(boxes)
    marks = _in_boxes(marks, boxes)
    unknown = [place for place in marks if place not in boxes]
    if unknown:
        where = f"page {layout_page.get('page', '?')}"
        raise Stopped(Problem(Weight.STOPS, f"no field {name!r} in row {row}", where) for name, row in unknown)
    written = page.copy()
    dpi = round(page.shape[1] / layout_page["size_mm"][0] * MM_PER_INCH)
    for place, mark in marks.items():
        writing = write_mark(place[0], mark, boxes[place], hand, rng)
        lay_strokes(writing.strokes, hand.pen, rng, dpi, hand.heft).on(written, hand.pen)
    return written


def _in_boxes(marks: Mapping[FieldPlace, FieldMark], boxes: Mapping[FieldPlace, Box]) -> dict[FieldPlace, FieldMark]:
    """Spread the orders over the boxes of their rows, where the page has boxes instead of rows."""
    field_marks: dict[FieldPlace, FieldMark] = {}
    for (name, row), mark in marks.items():
        is_line = name == "order" and (name, row) not in boxes and ("row", row) in boxes
        if is_line and row is not None and isinstance(mark, str | WrittenWords):
            field_marks |= _spread_line(row, WrittenWords(mark) if isinstance(mark, str) else mark, boxes.keys())
        else:
            field_marks[name, row] = mark
    return field_marks


def write_mark(name: str, mark: FieldMark, box: Box, hand: Hand, rng: np.random.Generator) -> Writing:
    """Write one mark into one box; the strokes are in mm on the page."""
    match mark:
        case Tick():
            return tick(hand, box.width, box.height, rng).move_by(box.left, box.top)
        case Strike():
            lines = strike(0.0, box.width, hand.height_mm, hand, rng)
            return Writing(tuple(lines), hand.height_mm, ()).move_by(box.left, box.top + box.height * (1 - BASE))
        case Signature(signer):
            return _into(write_signature(signer, hand, rng), box, hand, rng)
        case Writing():
            return _into(mark, box, hand, rng)
        case WrittenWords(_, Slip.LEAVES_BOX):
            return _leave_box(write_words(mark, hand, rng), box, rng)
        case WrittenWords():
            return _into(write_words(mark, hand, rng), box, hand, rng)
        case str() if name == "signature":
            return _into(write_signature(mark, hand, rng), box, hand, rng)
        case str():
            return _into(write_words(WrittenWords(mark), hand, rng), box, hand, rng)


def _into(writing: Writing, box: Box, hand: Hand, rng: np.random.Generator) -> Writing:
    """Put a line into its box: smaller where the box is low, squeezed towards the end where it is short."""
    size = min(1.0, TALLEST * box.height / writing.height_mm)
    fitted = writing.scale(size, size)
    indent = min(0.02 * box.width, 1.0) + rng.exponential(min(0.012 * box.width, 1.5))
    left, _, right, _ = fitted.extent
    room = box.width - indent - min(0.5, 0.05 * box.width)
    if right - left > room:
        fitted = _squeeze_writing(fitted.move_by(-left, 0), room)
        left = 0.0
    elif box.width < 1.5 * box.height:
        indent = (box.width - (right - left)) / 2  # a single letter stands in the middle of its cell
    base = box.top + box.height * (1 - BASE) + rng.normal(0, 0.03 + 0.05 * hand.wobble) * fitted.height_mm
    if box.height < 1.6 * fitted.height_mm:
        base = box.top + box.height / 2 + fitted.height_mm / 2
    return fitted.move_by(box.left + indent - left, base)


def _squeeze_writing(writing: Writing, room: float) -> Writing:
    """Make a line fit: a little smaller all over if need be, and ever narrower towards the end, as people do."""
    length = writing.extent[2]
    share = room / length
    if share < NARROWEST:
        writing = writing.scale(share / NARROWEST, max(share / NARROWEST, 0.55))
        length, share = writing.extent[2], NARROWEST

    def across(x: float) -> float:
        return x - (1 - share) * x * x / length

    strokes = []
    for stroke in writing.strokes:
        x, y = stroke[:, 0], stroke[:, 1]
        strokes.append(np.stack([x - (1 - share) * x * x / length, y * (1 - 0.8 * (1 - share) * x / length)], axis=1))
    return Writing(tuple(strokes), writing.height_mm, tuple((across(a), across(b)) for a, b in writing.words))


def _leave_box(writing: Writing, box: Box, rng: np.random.Generator) -> Writing:
    """Put a line where it leaves its box: over the upper or the lower edge, or out at the right."""
    tall = writing.scale(1.15, 1.15)
    height, right = tall.height_mm, tall.extent[2]
    way = rng.integers(3)
    if way == 0:
        return tall.move_by(box.left + 1, box.bottom + rng.uniform(0.1, 0.4) * height)
    if way == 1:
        return tall.move_by(box.left + 1, box.top + rng.uniform(0.3, 0.7) * height)
    start = max(box.left + 1, box.right + rng.uniform(2, 10) - right)
    return tall.move_by(start, box.top + box.height * (1 - BASE))
