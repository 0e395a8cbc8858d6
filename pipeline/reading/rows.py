"""The ink of each row: cut out of the straight sheet, cleaned of what was printed, and measured."""

from dataclasses import dataclass

import cv2
import numpy as np

from pipeline.ink import Box
from pipeline.reading.picture import Grey
from pipeline.reading.recogniser import Crop
from pipeline.reading.register import RegisteredPage
from pipeline.reading.strokes import Parts, has_ink, ink_parts, is_struck, own_parts, without_dots
from pipeline.reading.warp import PIXELS_PER_MM
from pipeline.reading.whiten import WHITE, on_white
from pipeline.tournament.sheet_layout import Field, Form, Guide

REACH_MM = 3.0  # above and below a field: tall letters and tails that leave it
RIGHT_MM = 7.0  # beyond its right end, where a long order runs on
CLEAR_MM = 1.5  # from the bar at the row's end
LEFT_MM = 1.0
AROUND_MM = 2.0  # of white left and right of the ink in a crop
FAINT = 60.0  # grey levels of the darkest tenth of the ink; a ball pen has 150
OUT_MM = 1.6  # ink this far outside its field is said to leave it
VIEW_MM = 6.0  # half of each neighbour, for the eye


@dataclass(frozen=True, slots=True)
class RowInk:
    """One row as it was found on the paper."""

    number: int
    box: Box
    crop: Crop
    is_blank: bool
    is_struck: bool
    notes: tuple[str, ...]


def rows(page: RegisteredPage) -> tuple[RowInk, ...]:
    """Cut out all rows of a sheet."""
    return tuple(row_ink(page.flat, page.form, field, field.row or 0) for field in page.form.rows)


def field_has_ink(page: RegisteredPage, name: str) -> bool | None:
    """Say whether somebody wrote into a field of the header; None where the sheet has no such field."""
    field = page.form.field(name)
    return None if field is None else not row_ink(page.flat, page.form, field, 0).is_blank


def row_ink(flat: Grey, form: Form, field: Field, number: int) -> RowInk:
    """Cut out one field, clean it, and say what can be seen."""
    left, top, right, bottom = pixels(field, form, flat.shape)
    grey = on_white(flat[top:bottom, left:right])
    parts = ink_parts(grey)
    guide = guide_of(form, field)
    if guide is not None:
        parts = without_dots(grey, parts, guide, left, top)
    upper = round(field.box.top * PIXELS_PER_MM) - top
    lower = round((field.box.top + field.box.height) * PIXELS_PER_MM) - top
    own = own_parts(grey, parts, upper, lower)
    baseline = round(guide.y * PIXELS_PER_MM - 0.5) - top if guide else lower
    if not has_ink(own):
        return RowInk(number, field.box, Crop(grey, baseline), is_blank=True, is_struck=False, notes=())
    struck = is_struck(own)
    return RowInk(
        number,
        field.box,
        Crop(trimmed(grey, own), baseline),
        is_blank=False,
        is_struck=struck,
        notes=notes(grey, own, upper, lower, struck=struck),
    )


def pixels(field: Field, form: Form, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """The part of the sheet to look at: left, top, right, bottom."""
    box = field.box
    reach, end = 0.0, box.left + box.width
    if field.row is not None:  # words are printed close around the header's fields, but nothing near a row's
        reach, end = REACH_MM, min(end + RIGHT_MM, form.bars[0][1].left - CLEAR_MM)
    left = max(0, round((box.left - LEFT_MM) * PIXELS_PER_MM))
    top = max(0, round((box.top - reach) * PIXELS_PER_MM))
    right = min(shape[1], round(end * PIXELS_PER_MM))
    bottom = min(shape[0], round((box.top + box.height + reach) * PIXELS_PER_MM))
    return left, top, right, bottom


def guide_of(form: Form, field: Field) -> Guide | None:
    """The dotted line in a field."""
    box = field.box
    inside = (g for g in form.guides if box.top < g.y < box.top + box.height and g.left <= box.left + 1 <= g.right)
    return next(inside, None)


def trimmed(grey: Grey, own: Parts) -> Grey:
    """Cut away the empty paper left and right of the ink."""
    sizes = own.strokes
    around = round(AROUND_MM * PIXELS_PER_MM)
    first = max(0, int(sizes[:, cv2.CC_STAT_LEFT].min()) - around)
    last = int((sizes[:, cv2.CC_STAT_LEFT] + sizes[:, cv2.CC_STAT_WIDTH]).max()) + around
    return np.ascontiguousarray(grey[:, first:last])


def notes(grey: Grey, own: Parts, upper: int, lower: int, *, struck: bool) -> tuple[str, ...]:
    """What was seen on the paper, for the director."""
    found = ["struck out"] if struck else []
    out = round(OUT_MM * PIXELS_PER_MM)
    ink = own.mask
    if ink[: max(0, upper - out)].any() or ink[lower + out :].any():
        found.append("ink leaves the row")
    if WHITE - float(np.percentile(grey[ink], 10)) < FAINT:
        found.append("faint ink")
    return tuple(found)


def part(flat: Grey, box: Box, around_mm: float = 0.0) -> Grey:
    """Cut a box out of a straight sheet."""
    left, top = (max(0, round((edge - around_mm) * PIXELS_PER_MM)) for edge in (box.left, box.top))
    right = round((box.left + box.width + around_mm) * PIXELS_PER_MM)
    bottom = round((box.top + box.height + around_mm) * PIXELS_PER_MM)
    return flat[top:bottom, left:right]


def view(flat: Grey, box: Box) -> bytes:
    """The row as a PNG for the eye, with half of its neighbours, nothing painted out."""
    # 16 shades are enough for the eye; a sensor's grain would make the file ten times as large
    shades = (part(flat, box, VIEW_MM) & 0xF0) | 0x08
    packed = [cv2.IMWRITE_PNG_COMPRESSION, 1, cv2.IMWRITE_PNG_STRATEGY, cv2.IMWRITE_PNG_STRATEGY_RLE]
    _, png = cv2.imencode(".png", shades, packed)
    return png.tobytes()
