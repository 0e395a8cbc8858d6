"""Several sheets on one picture: each is found by its markers and codes, and cut out as a picture of its own.

Two A5 sheets on an A4 glass, four sheets on a table: whatever way each lies. A sheet that is cut off at the edge or
hidden under another is a part like the others; what cannot be read of it is asked by itself.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import assert_never

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.ink import Box
from pipeline.paper.layout.sheet_layout import Form, PageLayout
from pipeline.reading.files.picture import Grey
from pipeline.reading.identity.identify import (
    BySlot,
    Identified,
    Identity,
    Layouts,
    NothingThere,
    NotOurs,
    Unclear,
    all_markers,
    mirrored,
)
from pipeline.reading.registration.fit import corners, solve
from pipeline.reading.registration.marks import Code, Points, area, find_codes, sightings
from pipeline.reading.registration.warp import transform

Quad = Points  # 4 by 2: the corners of a sheet, clockwise, in parts of the picture's width and height

ROOM = 0.7  # of a picture: where the markers seen span less, there may be another sheet; A4 on its own glass has 0.85
CODES = 2  # on one sheet
SAME = 0.3  # of a sheet's width: a marker so near to where the others say is of the same sheet
ROWS = 4  # of sheets on a picture, for their numbers only
AROUND_MM = 4.0  # of what is around a sheet is left to it: it may be crumpled
AROUND_CODE = 2.0  # times its side: what is cut out round a code of which nothing else is known


@dataclass(slots=True)
class SeenSheet:
    """One sheet on the picture, as its markers are found one by one."""

    form: Form
    slot: int
    markers: dict[int, Points] = field(default_factory=dict)  # 0..3, clockwise from the top left -> its corners

    def to_picture(self) -> NDArray[np.float64]:
        """Where its mm are on the picture: a perspective from three markers on, or only nearly so from fewer."""
        here = [corners(self.form.markers[n]) for n in self.markers]
        there = [self.markers[n] for n in self.markers]
        if len(here) >= 3:
            fitted = solve(here, there, len(here))
            if fitted is not None:
                return fitted.perspective
        flat = np.vstack(here)
        affine, *_ = np.linalg.lstsq(np.c_[flat, np.ones(len(flat))], np.vstack(there), rcond=None)
        return np.vstack([affine.T, [0.0, 0.0, 1.0]])

    def has_room_for(self, corner: int, points: Points) -> bool:
        """Say whether a marker is where this sheet's should be, and it has none yet."""
        if corner in self.markers:
            return False
        matrix = self.to_picture()
        told = transform(matrix, corners(self.form.markers[corner]))
        left, right = transform(matrix, np.array([[0.0, 0.0], [self.form.width, 0.0]]))
        off = float(np.linalg.norm(told.mean(axis=0) - points.mean(axis=0)))
        return off < SAME * float(np.linalg.norm(right - left))

    def outline(self) -> Points:
        """The corners of the sheet on the picture, with a little of what is around."""
        return outline_of(self.to_picture(), self.form)


def outline_of(perspective: NDArray[np.float64], form: Form) -> Points:
    """The corners of a sheet on its picture, with a little of what is around."""
    whole = Box(-AROUND_MM, -AROUND_MM, form.width + 2 * AROUND_MM, form.height + 2 * AROUND_MM)
    return transform(perspective, corners(whole))


def may_be_several(found: Identity, grey: Grey) -> bool:
    """Say whether a picture is worth a search for more than one sheet; a scan that one sheet fills is not."""
    match found:
        case Unclear():
            return found.has_several
        case NotOurs():
            return True
        case Identified() | BySlot():
            codes = found.marks.codes
            spots = [*found.marks.markers.values(), *(code.corners for code in codes)]
            hull = cv2.convexHull(np.vstack(spots).astype(np.float32))
            return len(codes) > CODES or float(cv2.contourArea(hull)) < ROOM * grey.size
        case NothingThere():
            return False
        case _:
            assert_never(found)


def sheets_on(grey: Grey, layouts: Layouts) -> tuple[Quad, ...]:
    """Find the sheets on a picture, from the top left to the bottom right."""
    numbers = all_markers(layouts)
    found, is_mirrored = sightings(grey, numbers), False
    if not found:
        found, is_mirrored = sightings(mirrored(grey), numbers), True
    outlines = [sheet.outline() for sheet in together(found, forms_by_slot(layouts.values()))]
    if is_mirrored:
        outlines = [np.c_[grey.shape[1] - 1 - outline[:, 0], outline[:, 1]] for outline in outlines]
    outlines += codes_alone(find_codes(grey), outlines, layouts)
    size = np.array(grey.shape[::-1], np.float64)
    return tuple(sorted((outline / size for outline in outlines), key=reading_order))


def reading_order(quad: Quad) -> tuple[int, float]:
    """Row by row from the top, and from the left."""
    across, down = (float(side) for side in quad.mean(axis=0))
    return int(ROWS * down), across


def forms_by_slot(layouts: Iterable[PageLayout]) -> dict[int, Form]:
    """A form for each slot: the markers are in the same places on all of a paper's."""
    return {layout.slot: layout.form for layout in layouts}


def together(found: Iterable[tuple[int, Points]], forms: dict[int, Form]) -> list[SeenSheet]:
    """Put markers together to sheets, the largest first."""
    sheets: list[SeenSheet] = []
    for number, points in sorted(found, key=lambda each: -area(each[1])):
        slot, corner = divmod(number, 4)
        mine = next((s for s in sheets if s.slot == slot and s.has_room_for(corner, points)), None)
        if mine is None:
            mine = SeenSheet(forms[slot], slot)
            sheets.append(mine)
        mine.markers[corner] = points
    return sheets


def codes_alone(codes: Iterable[Code], outlines: list[Points], layouts: Layouts) -> list[Points]:
    """The sheets of which only codes can be seen: what is around those that lie on none of the others."""
    alone: dict[str, list[Code]] = {}
    for code in codes:
        middle = tuple(float(v) for v in code.corners.mean(axis=0))
        if not any(cv2.pointPolygonTest(each.astype(np.float32), middle, False) >= 0 for each in outlines):
            alone.setdefault(code.text, []).append(code)
    return [around(same, layouts.get(text)) for text, same in alone.items()]


def around(codes: list[Code], layout: PageLayout | None) -> Points:
    """The outline of a sheet by its two codes; what is around one code, or a code of which nothing is known."""
    if layout is not None and len(codes) == 2:
        for first, second in (codes, codes[::-1]):
            places = [corners(box) for box in layout.form.codes]
            fitted = solve(places, [first.corners, second.corners], 0)
            if fitted is not None:
                return transform(fitted.perspective, corners(Box(0, 0, layout.form.width, layout.form.height)))
    spots = np.vstack([code.corners for code in codes])
    side = AROUND_CODE * float(np.sqrt(area(codes[0].corners)))
    if layout is not None:
        side = float(np.sqrt(area(codes[0].corners))) * layout.form.height / layout.form.codes[0].width
    (left, top), (right, bottom) = spots.min(axis=0) - side, spots.max(axis=0) + side
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])


def cut_out(grey: Grey, quad: Quad) -> Grey:
    """Cut one sheet out; what lies beside it becomes paper."""
    height, width = grey.shape
    outline = np.asarray(quad) * (width, height)
    left, top = np.clip(np.floor(outline.min(axis=0)), 0, (width - 1, height - 1)).astype(int)
    right, bottom = np.clip(np.ceil(outline.max(axis=0)), (left + 1, top + 1), (width, height)).astype(int)
    part = grey[top:bottom, left:right].copy()
    beside = np.full(part.shape, 255, np.uint8)
    cv2.fillConvexPoly(beside, np.round(outline - (left, top)).astype(np.int32), (0,))
    part[beside > 0] = int(np.percentile(part, 80))
    return part
