"""The handwriting set's own ink, paper and scans (handwriting/tools/inkrender.py): what they ask, and what people do.

The letters and their spacing are the set's in every measurement (`people`). Ours are the pens, the paper and the scans,
and with these on the same sheets it is seen how much they matter.
"""

import sys
from collections.abc import Mapping
from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np

from pipeline.ink import Box
from pipeline.pen.filling import FieldMark, FieldPlace, write_mark
from pipeline.pen.hand import Hand
from pipeline.reading.limits import MM_PER_INCH
from pipeline.reading.pages import Grey
from training.strokes import HANDWRITING

Rng = np.random.Generator
BGR = np.array((0.114, 0.587, 0.299))  # how bright each colour is (ITU-R BT.601)
MARGIN_PX = 12
THICKEST = 0.16  # of the capitals' height, as the set's composer has it


@lru_cache(maxsize=1)
def tools() -> ModuleType:
    """Load the set's own pens, paper and scans."""
    sys.path.insert(0, str(HANDWRITING / "tools"))
    import inkrender  # type: ignore[import-not-found]  # noqa: PLC0415 - the set's own tool

    found: ModuleType = inkrender
    return found


def fill_with_their_ink(
    page: Grey, layout_page: Mapping[str, Any], marks: Mapping[FieldPlace, FieldMark], hand: Hand, rng: Rng
) -> Grey:
    """Write marks into the fields of a printed page as `fill` does, with a pen and ink of the set's."""
    boxes = {(field["name"], field.get("row")): Box(*field["box_mm"]) for field in layout_page["fields"]}
    written, per_mm = page.astype(np.float32), page.shape[1] / layout_page["size_mm"][0]
    pen = pick_their_pen(hand, rng)
    colour = float(np.array(tools().INKS[pen["ink"]]) @ BGR)
    for place, mark in marks.items():
        writing = write_mark(place[0], mark, boxes[place], hand, rng)
        strokes = [np.asarray(stroke) * per_mm for stroke in writing.strokes]
        points = np.vstack(strokes)
        (left, top), (right, low) = points.min(0).astype(int) - MARGIN_PX, points.max(0).astype(int) + MARGIN_PX
        left, top = max(0, left), max(0, top)
        part = written[top:low, left:right]
        moved = [stroke - (left, top) for stroke in strokes]
        thin = {**pen, "w": min(pen["w"], THICKEST * writing.height_mm)}
        cover = tools().ink_alpha(moved, part.shape, thin, rng, round(per_mm * MM_PER_INCH))
        part[:] = part * (1 - cover) + colour * rng.uniform(0.85, 1.15) * cover
    return np.clip(written, 0, 255).astype(np.uint8)


def pick_their_pen(hand: Hand, rng: Rng) -> dict[str, Any]:
    """Pick a pen of the same make as a hand's own, as the set's composer does."""
    make = hand.pen.make
    theirs = tools().PENS[make]
    ink = "graphite" if make == "pencil" else rng.choice(["black", "blue", "navy"])
    own = {
        "name": make,
        "ink": ink,
        "tex": theirs["tex"],
        "w": rng.uniform(*theirs["w"]),
        "a": rng.uniform(*theirs["a"]),
    }
    return {**tools().pick_pen(rng), **own}


def on_their_paper(paper: Grey, rng: Rng, dpi: int) -> Grey:
    """Give a filled sheet the set's shades and grain."""
    shades = tools().paper(paper.shape, rng) @ BGR
    return np.asarray(np.clip(paper * (shades / 255), 0, 255), np.uint8)


def by_their_scanner(grey: Grey, rng: Rng, dpi: int) -> Grey:
    """Scan it as the set's tool does: a sensor's noise, and JPEG of quality 72 to 95."""
    scanned: Grey = np.ascontiguousarray(
        tools().scan(np.repeat(grey[..., None], 3, axis=2).astype(np.float32), rng)[..., 0]
    )
    return scanned
