"""Sheets as people fill them: any text into any field of a printed page, in one person's hand."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeline.ink import Box
from pipeline.pen.boxes import Strike, Tick, spread, whole_rows
from pipeline.pen.hand import Hand
from pipeline.pen.laying import MM_PER_INCH, Picture, lay
from pipeline.pen.slips import Slip, WrittenWords, sign, strike, tick, write_words
from pipeline.pen.writing import Writing
from pipeline.problems import Problem, Stopped, Weight

__all__ = ["Mark", "Place", "Signature", "Strike", "Tick", "fill", "into", "write_mark"]

Place = tuple[str, int | None]  # a field's name and row, as in the layout
BASE = 0.26  # the line people write on, above the lower edge of a field, as a share of its height
TALLEST = 0.58  # of a field's height: how large people write capitals at most
NARROWEST = 0.78  # how far people squeeze letters before they write smaller


@dataclass(frozen=True, slots=True)
class Signature:
    """A name is signed."""

    name: str


Mark = (
    str | WrittenWords | Tick | Strike | Signature | Writing
)  # a Writing brings strokes of its own, real ones for instance


def fill(
    page: Picture, layout_page: Mapping[str, Any], marks: Mapping[Place, Mark], hand: Hand, rng: np.random.Generator
) -> Picture:
    """Write marks into the fields of a printed page and return the written page.

    ``layout_page`` is one page of the ``--layout`` file; the page is its picture, grey or colour, at any dpi. A plain
    string in the field ``signature`` is signed, a plain string elsewhere is written. An order for a row that is made of
    boxes is taken apart and spread over them.
    """
    boxes = {(field["name"], field.get("row")): Box(*field["box_mm"]) for field in layout_page["fields"]}
    boxes |= whole_rows(boxes)
    marks = in_boxes(marks, boxes)
    unknown = [place for place in marks if place not in boxes]
    if unknown:
        where = f"page {layout_page.get('page', '?')}"
        raise Stopped(Problem(Weight.STOPS, f"no field {name!r} in row {row}", where) for name, row in unknown)
    written = page.copy()
    dpi = round(page.shape[1] / layout_page["size_mm"][0] * MM_PER_INCH)
    for place, mark in marks.items():
        writing = write_mark(place[0], mark, boxes[place], hand, rng)
        lay(writing.strokes, hand.pen, rng, dpi, hand.heft).on(written, hand.pen)
    return written


def in_boxes(marks: Mapping[Place, Mark], boxes: Mapping[Place, Box]) -> dict[Place, Mark]:
    """Spread the orders over the boxes of their rows, where the page has boxes instead of rows."""
    found: dict[Place, Mark] = {}
    for (name, row), mark in marks.items():
        is_line = name == "order" and (name, row) not in boxes and ("row", row) in boxes
        if is_line and row is not None and isinstance(mark, str | WrittenWords):
            found |= spread(row, WrittenWords(mark) if isinstance(mark, str) else mark, boxes.keys())
        else:
            found[name, row] = mark
    return found


def write_mark(name: str, mark: Mark, box: Box, hand: Hand, rng: np.random.Generator) -> Writing:
    """Write one mark into one box; the strokes are in mm on the page."""
    match mark:
        case Tick():
            return tick(hand, box.width, box.height, rng).moved(box.left, box.top)
        case Strike():
            lines = strike(0.0, box.width, hand.height_mm, hand, rng)
            return Writing(tuple(lines), hand.height_mm, ()).moved(box.left, box.top + box.height * (1 - BASE))
        case Signature(signer):
            return into(sign(signer, hand, rng), box, hand, rng)
        case Writing():
            return into(mark, box, hand, rng)
        case WrittenWords(_, Slip.LEAVES_BOX):
            return beyond(write_words(mark, hand, rng), box, rng)
        case WrittenWords():
            return into(write_words(mark, hand, rng), box, hand, rng)
        case str() if name == "signature":
            return into(sign(mark, hand, rng), box, hand, rng)
        case str():
            return into(write_words(WrittenWords(mark), hand, rng), box, hand, rng)


def into(writing: Writing, box: Box, hand: Hand, rng: np.random.Generator) -> Writing:
    """Put a line into its box: smaller where the box is low, squeezed towards the end where it is short."""
    size = min(1.0, TALLEST * box.height / writing.height_mm)
    fitted = writing.scaled(size, size)
    indent = min(0.02 * box.width, 1.0) + rng.exponential(min(0.012 * box.width, 1.5))
    left, _, right, _ = fitted.extent
    room = box.width - indent - min(0.5, 0.05 * box.width)
    if right - left > room:
        fitted = squeezed(fitted.moved(-left, 0), room)
        left = 0.0
    elif box.width < 1.5 * box.height:
        indent = (box.width - (right - left)) / 2  # a single letter stands in the middle of its cell
    base = box.top + box.height * (1 - BASE) + rng.normal(0, 0.03 + 0.05 * hand.wobble) * fitted.height_mm
    if box.height < 1.6 * fitted.height_mm:
        base = box.top + box.height / 2 + fitted.height_mm / 2
    return fitted.moved(box.left + indent - left, base)


def squeezed(writing: Writing, room: float) -> Writing:
    """Make a line fit: a little smaller all over if need be, and ever narrower towards the end, as people do."""
    length = writing.extent[2]
    share = room / length
    if share < NARROWEST:
        writing = writing.scaled(share / NARROWEST, max(share / NARROWEST, 0.55))
        length, share = writing.extent[2], NARROWEST

    def across(x: float) -> float:
        return x - (1 - share) * x * x / length

    strokes = []
    for stroke in writing.strokes:
        x, y = stroke[:, 0], stroke[:, 1]
        strokes.append(np.stack([x - (1 - share) * x * x / length, y * (1 - 0.8 * (1 - share) * x / length)], axis=1))
    return Writing(tuple(strokes), writing.height_mm, tuple((across(a), across(b)) for a, b in writing.words))


def beyond(writing: Writing, box: Box, rng: np.random.Generator) -> Writing:
    """Put a line where it leaves its box: over the upper or the lower edge, or out at the right."""
    tall = writing.scaled(1.15, 1.15)
    height, right = tall.height_mm, tall.extent[2]
    way = rng.integers(3)
    if way == 0:
        return tall.moved(box.left + 1, box.top + box.height + rng.uniform(0.1, 0.4) * height)
    if way == 1:
        return tall.moved(box.left + 1, box.top + rng.uniform(0.3, 0.7) * height)
    start = max(box.left + 1, box.left + box.width + rng.uniform(2, 10) - right)
    return tall.moved(start, box.top + box.height * (1 - BASE))
