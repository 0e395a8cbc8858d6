"""Identify the sheet on a picture by its codes and markers, which must not contradict each other. Never a guess.

A sheet's serial is decoded here: what its codes say (`reading/marks.py`) is read as an id
(`paper/sheet.py`). Where no code can be read the printed id is, in `reading/unmarked.py`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import islice, product
from math import prod
from pathlib import Path
from typing import assert_never

import cv2
import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray

from pipeline.ink import Box, PictureFault
from pipeline.paper.sheet import SLOTS, SheetId
from pipeline.paper.sheet_layout import Form, PageLayout
from pipeline.reading.marks import (
    COARSE_SIDE,
    OUTLIER_MM,
    Code,
    Marks,
    PointArray,
    area,
    corners,
    find_codes,
    find_markers,
    find_markers_quickly,
    shrink_picture,
    sightings,
    solve,
    through_middles,
    transform,
    without_streaks,
)
from pipeline.reading.pages import BadPage, Grey, Opener, PageImage, pages
from pipeline.reading.register import NotRegistered, RegisteredPage, register
from pipeline.words.speech import sentence

Layouts = Mapping[str, PageLayout]  # every sheet of the event that was printed, by its id

NO_SLOT = -1  # a slot says whose sheet it is: its four corner markers are numbered 4 * slot to 4 * slot + 3
EVERY_MARKER = frozenset(range(4 * SLOTS))
STRANGE = (
    "this sheet was not printed by this event, but by another copy of its folder, or after the copy that this event "
    "was restored from: scan it there, or type its lines"
)
EDGE = 0.06  # of the picture: the dark rim that scanners leave around paper
PRINTED = 0.6  # of the paper's brightness: print on this side is darker, what shines through from the other is not
DARK_PAPER = 90  # grey level; a scan without paper is darker
DARK_AND_LIGHT = [10, 95]  # percentiles of a marker: its print and its paper
BLANK_SIDE = 1000  # longest side of the picture that is looked at: 85 dpi of A4
WIDER_PX = 15  # of it: 4.5 mm, wider than any stroke
BLANK_DEPTH = 35  # grey levels; writing that shows through from the other side is fainter
BLANK_SHARE = 0.0006  # of the picture: one short word has 0.001


class Identified(Struct, frozen=True):
    """One sheet of ours, beyond doubt."""

    layout: PageLayout
    marks: Marks
    grey: Grey  # the picture; a mirror image or a negative is corrected


class BySlot(Struct, frozen=True):
    """A page without readable codes: its markers say whose sheet it is, but not which one."""

    candidates: tuple[PageLayout, ...]
    marks: Marks
    grey: Grey


class NotOurs(Struct, frozen=True):
    """A page that is certainly not of this event."""

    text: str


class NothingThere(Struct, frozen=True):
    """Empty paper."""


class Unclear(Struct, frozen=True):
    """Something that a person must look at; ``offers`` are the sheets it may be."""

    text: str
    offers: tuple[str, ...] = ()
    has_several: bool = False  # marks of more than one sheet can be seen
    is_unmarked: bool = False  # no code, and not enough of the markers to say whose


Identity = Identified | BySlot | NotOurs | NothingThere | Unclear


def identify(grey: Grey, layouts: Layouts, event: str) -> Identity:
    """Say which sheet of an event a picture shows."""
    codes = find_codes(grey)
    ids, strange = _sheet_ids(codes)
    ours = [sheet for sheet in ids if sheet.event == event]
    if not ids:
        return _without_codes(grey, layouts, strange)
    if not ours:
        return NotOurs(f"a sheet of another event: {ids[0]}; ours begin with {event}")
    if len(ids) > 1:
        names = ", ".join(map(str, ids))
        printed = tuple(str(sheet) for sheet in ids if str(sheet) in layouts)
        return Unclear(f"several sheets in one picture: {names}; scan them one by one", printed, True)
    layout = layouts.get(str(ours[0]))
    if layout is None:
        return Unclear(f"{ours[0]}: {STRANGE}")
    return _with_markers(grey, codes, layout, layouts)


def _with_markers(grey: Grey, codes: tuple[Code, ...], layout: PageLayout, layouts: Layouts) -> Identity:
    """Find the markers of the sheet that the codes name; contradicting markers make the page doubtful."""
    identity = seen_as(grey, codes, layout)
    if isinstance(identity, Identified):
        count = len(identity.marks.markers)
        if count < 3 and has_others_markers(identity.grey, layout.slot, max(1, count), layouts):
            text = f"the code says {layout.sheet}, but the corner markers are another sheet's"
            return Unclear(text, (layout.sheet,))
    return identity


def seen_as(grey: Grey, codes: tuple[Code, ...], layout: PageLayout) -> Identified | NothingThere:
    """Find the markers of a sheet that is known by its codes; markers of other sheets are ignored."""
    markers = find_markers(grey, layout.marker_ids)
    if not markers and (turned := _make_positive(grey, layout.marker_ids)) is not None:
        return seen_as(turned, find_codes(turned), layout)
    if not markers:  # mirrored, as some scanners deliver: a code can be read so, a marker cannot
        behind = _mirror_picture(grey)
        markers = find_markers(behind, layout.marker_ids)
        if len(markers) >= 2:
            through = _shines_through(behind, markers)
            return NothingThere() if through else Identified(layout, Marks(find_codes(behind), markers), behind)
    if len(markers) < 4:
        clean = without_streaks(grey)
        more = {} if clean is grey else find_markers(clean, layout.marker_ids)
        if len(more) > len(markers):
            markers = more
    return Identified(layout, Marks(codes, markers), grey)


def has_others_markers(grey: Grey, slot: int, least: int, layouts: Layouts) -> bool:
    """Whether ``least`` corner markers of another slot are seen, or more; two at least if that slot was never printed.

    Every slot is searched: a sheet of another folder of this event may have any.
    """
    seen = Counter(number // 4 for number in find_markers(grey, EVERY_MARKER - set(range(4 * slot, 4 * slot + 4))))
    ours = {layout.slot for layout in layouts.values()}
    return any(count >= (least if other in ours else max(2, least)) for other, count in seen.items())


def _sheet_ids(codes: tuple[Code, ...]) -> tuple[list[SheetId], list[str]]:
    """Tell sheet ids from other people's codes."""
    ids, strange = [], []
    for text in dict.fromkeys(code.text for code in codes):
        try:
            ids.append(SheetId.read(text))
        except ValueError:
            strange.append(text)
    return ids, strange


def _all_markers(layouts: Layouts) -> list[int]:
    """The markers of every sheet and form that was printed."""
    return sorted({number for layout in layouts.values() for number in layout.marker_ids})


def _without_codes(grey: Grey, layouts: Layouts, strange: list[str]) -> Identity:
    """Identify a picture without a readable code by its markers."""
    if (turned := _make_positive(grey, _all_markers(layouts))) is not None:
        return _without_codes(turned, layouts, strange)
    for flipped in (False, True):
        picture = _mirror_picture(grey) if flipped else grey
        markers = find_markers(picture, _all_markers(layouts))
        slots = {number // 4 for number in markers}
        if len(markers) >= 2 and len(slots) == 1:
            mine = tuple(layout for layout in layouts.values() if layout.slot in slots)
            return BySlot(mine, Marks((), markers), picture)
        if len(markers) >= 3:
            offers = tuple(layout.sheet for layout in layouts.values() if layout.slot in slots)
            return Unclear("the corner markers are those of different sheets; scan them one by one", offers, True)
        if _is_blank(grey):
            return NothingThere()
    if has_others_markers(grey, NO_SLOT, 2, layouts):
        return Unclear(f"no code can be seen, and its corner markers are on no sheet that was printed: {STRANGE}")
    if strange:
        return NotOurs(f"not an order sheet: its code says {strange[0][:60]!r}")
    return Unclear(
        "neither a code nor the corner markers can be seen; is it an order sheet? scan it again, flat and whole",
        is_unmarked=True,
    )


def may_show(grey: Grey, slot: int) -> bool:
    """Whether any marker of a slot is seen at a glance, on any of the sheets of a picture (15 ms)."""
    return bool(sightings(shrink_picture(grey, COARSE_SIDE)[0], range(4 * slot, 4 * slot + 4)))


def _shines_through(grey: Grey, markers: Mapping[int, PointArray]) -> bool:
    """Say whether markers are so faint that they are printed on the other side of the paper."""
    for four_corners in markers.values():
        left, top = np.maximum(four_corners.min(axis=0).astype(int), 0)
        right, bottom = four_corners.max(axis=0).astype(int)
        dark, light = np.percentile(grey[top:bottom, left:right], DARK_AND_LIGHT)
        if dark < PRINTED * light:
            return False
    return True


def _mirror_picture(grey: Grey) -> Grey:
    """Turn a picture round as a mirror does."""
    return cv2.flip(grey, 1).astype(np.uint8, copy=False)


def _make_positive(grey: Grey, numbers: Sequence[int]) -> Grey | None:
    """Turn black to white where that shows markers; None where it shows none, or most of the picture is light."""
    if float(np.median(grey[::7, ::7])) >= DARK_PAPER:
        return None
    turned = cv2.bitwise_not(grey).astype(np.uint8, copy=False)
    seen = any(len(find_markers(way, numbers)) >= 2 for way in (turned, _mirror_picture(turned)))
    return turned if seen else None


def _is_blank(grey: Grey) -> bool:
    """Say whether this is empty paper, such as the back of a sheet."""
    small, _ = shrink_picture(grey, BLANK_SIDE)
    rows, columns = (round(EDGE * side) for side in small.shape)
    height, width = small.shape
    inner = cv2.GaussianBlur(
        small[rows : height - rows, columns : width - columns], (3, 3), 0
    )  # not [0:-0], in a narrow strip
    paper = cv2.blur(
        cv2.morphologyEx(inner, cv2.MORPH_CLOSE, np.ones((WIDER_PX, WIDER_PX), np.uint8)), (WIDER_PX, WIDER_PX)
    )
    depth = cv2.subtract(paper, inner)
    return float(np.median(inner)) > DARK_PAPER and float((np.asarray(depth) > BLANK_DEPTH).mean()) < BLANK_SHARE


# A first look at a picture while the sheet is still at hand: is it good enough, or should it be taken again.

MOST_PAGES = 4  # of one file: a telephone sends one, and a scanner's stack is read anyway
AROUND_MM = 2.0  # of white that is looked at round a marker
BLACK_AND_WHITE = [5, 95]  # percentiles of a marker: its print and its paper, without specks
STEEPEST = 97  # percentile of its slopes that counts as the steepest edge
SOBEL = 8  # response of the operator to a slope of one grey level per pixel
LEAST_CONTRAST = 60  # grey levels; a marker in the shadow says nothing about sharpness
# steepest edge, parts of the contrast per pixel: scans have 0.39, blurred by 0.19 mm 0.22, by 0.38 mm 0.13
SHARP = 0.20


class SpoiltPicture(Struct, frozen=True):
    """What is wrong with a picture, and whether it may be one of a sheet of this event."""

    text: str
    may_be_ours: bool = True


def glance(path: Path, layouts: Layouts, event: str, opener: Opener) -> tuple[SpoiltPicture, ...]:
    """Say what is wrong with a picture, page by page; empty if it is good enough."""
    return tuple(
        fault for page in islice(pages(path, opener), MOST_PAGES) for fault in _faults_of(page, layouts, event)
    )


def _faults_of(page: PageImage | BadPage, layouts: Layouts, event: str) -> tuple[SpoiltPicture, ...]:
    if isinstance(page, BadPage):
        return (SpoiltPicture(page.problem.text),)
    identity = identify(page.grey, layouts, event)
    match identity:
        case Identified():
            straight = register(identity.grey, identity.marks, identity.layout.marker_ids, identity.layout.form)
            if isinstance(straight, NotRegistered):
                return (SpoiltPicture(straight.why),)
            lost = [sentence(warning) for warning in straight.warnings if warning.code is PictureFault.MARKERS_LOST]
            sharpness = sharpness_of(straight)
            blurred = ["the picture is blurred; hold still, or come nearer"] if sharpness < SHARP else []
            return tuple(map(SpoiltPicture, (*lost, *blurred)))
        case NothingThere():
            return (SpoiltPicture("nothing is on the paper; is it the other side?"),)
        case NotOurs(text=text):
            return (SpoiltPicture(text, may_be_ours=False),)
        case Unclear():
            return (SpoiltPicture(identity.text, may_be_ours=not identity.is_unmarked),)
        case _:
            text = "the two square codes cannot be read; they and all four corners must be in the picture"
            return (SpoiltPicture(text),)


def sharpness_of(page: RegisteredPage) -> float:
    """How steep the edges of corner markers are, in parts of their contrast per pixel; 1 where none can be judged."""
    scale = page.flat.shape[1] / page.form.width
    shares = []
    for box in page.form.markers:
        left, top = (max(0, round((side - AROUND_MM) * scale)) for side in (box.left, box.top))
        right, bottom = (round((side + AROUND_MM) * scale) for side in (box.left + box.width, box.top + box.height))
        marker = page.flat[top:bottom, left:right].astype(np.float32)
        dark, light = np.percentile(marker, BLACK_AND_WHITE) if marker.size else (0.0, 0.0)
        if light - dark >= LEAST_CONTRAST:
            across, down = (cv2.Sobel(marker, cv2.CV_32F, *way) / SOBEL for way in ((1, 0), (0, 1)))
            shares.append(float(np.percentile(np.hypot(across, down), STEEPEST) / (light - dark)))
    return float(np.median(shares)) if shares else 1.0


class FrameSeen(Struct, frozen=True):
    """What one picture of a running camera shows."""

    sheets: tuple[str, ...] = ()  # ids of this event that its codes say
    strange: bool = False  # a code of something else
    outline: tuple[tuple[float, float], ...] = ()  # the sheet's corners, in parts of the picture's width and height
    markers: int = 0  # of four
    px_per_mm: float = 0.0
    sharpness: float = 0.0  # the steepest edge of its markers, in parts of their contrast per mm
    light: float = 0.0  # grey level of the paper beside them
    contrast: float = 0.0  # between print and paper, in grey levels


def look_at_frame(grey: Grey, layouts: Layouts, event: str) -> FrameSeen:
    """A quick look (50 ms) at a camera's frame; the picture that is taken is examined later."""
    codes = find_codes(grey)
    ids, strange = _sheet_ids(codes)
    ours = tuple(dict.fromkeys(str(each) for each in ids if each.event == event and str(each) in layouts))
    if len(ours) != 1 or len(ids) > 1:
        return FrameSeen(sheets=ours, strange=bool(strange or ids) and not ours)
    layout = layouts[ours[0]]
    seen = SeenSheet(layout.form, layout.slot)
    for number, points in find_markers_quickly(grey, layout.marker_ids).items():
        seen.markers[number % 4] = points
    if not seen.markers:
        return FrameSeen(sheets=ours)
    size = np.array([grey.shape[1], grey.shape[0]], np.float64)
    form = layout.form
    outline = transform(seen.to_picture(), corners(Box(0.0, 0.0, form.width, form.height))) / size
    judged = [_judge_marker(grey, points, form.markers[number].width) for number, points in seen.markers.items()]
    light, contrast, sharpness, px_per_mm = (float(np.median(values)) for values in zip(*judged, strict=True))
    return FrameSeen(
        sheets=ours,
        outline=tuple((float(x), float(y)) for x, y in outline),
        markers=len(seen.markers),
        px_per_mm=px_per_mm,
        sharpness=sharpness,
        light=light,
        contrast=contrast,
    )


def _judge_marker(grey: Grey, points: PointArray, side_mm: float) -> tuple[float, float, float, float]:
    """The light of a marker's paper, its contrast, how steep its edges are per mm, and the pixels per mm."""
    px_per_mm = float(np.sqrt(area(points))) / side_mm
    rim = AROUND_MM * px_per_mm
    left, top = np.maximum(points.min(axis=0) - rim, 0).astype(int)
    right, bottom = (points.max(axis=0) + rim).astype(int)
    marker = grey[top:bottom, left:right].astype(np.float32)
    dark, light = np.percentile(marker, BLACK_AND_WHITE)
    across, down = (cv2.Sobel(marker, cv2.CV_32F, *way) / SOBEL for way in ((1, 0), (0, 1)))
    steep = float(np.percentile(np.hypot(across, down), STEEPEST) / max(light - dark, 1.0))
    return float(light), float(light - dark), steep * px_per_mm, px_per_mm


# Several sheets on one picture: each is found by its markers and codes, and cut out as a picture of its own.
#
# Two A5 sheets on an A4 glass, four sheets on a table: whatever way each lies. A sheet that is cut off at the edge is a
# part like the others; what cannot be read of it is asked by itself. Of one that lies under another nothing is read:
# the rows that the other one covers would look empty, and the other one's would count as its own.

Quad = PointArray  # 4 by 2: the corners of a sheet, clockwise, in parts of the picture's width and height

ROOM = 0.7  # of a picture: where the markers seen span less, there may be another sheet; A4 on its own glass has 0.85
CODES = 2  # on one sheet
MOST_FITS = 256  # combinations tried of markers that are seen more than once, as in a pile of one power's sheets
WHOLE = 3  # markers of a sheet: from so many on, its place on the picture is known
BENT_MM = 3.0  # that corners of its four markers are off, at most; foreshortened by a third on a curled sheet 1.6
LEAST_UNDER = 0.15  # share of a sheet that another covers; from one marker alone its outline is wrong by up to a tenth
MOST_COVERED = 0.5  # share of a sheet: where more of it is covered, and no code shows, it is no page
NEAR_ENOUGH = 0.3  # share of a sheet's width: a marker this near to its expected place belongs to the same sheet
ROWS = 4  # of sheets on a picture, for their numbers only
PAPER = 80  # percentile of a sheet's picture: paper, of which most of it is
SEVERAL_AROUND_MM = 4.0  # margin that is cut out with a sheet, because it may be crumpled
AROUND_CODE = 2.0  # times its side: what is cut out round a code of which nothing else is known


class SeenSheet(Struct):
    """One sheet on the picture, as its markers are found one by one."""

    form: Form
    slot: int
    markers: dict[int, PointArray] = field(default_factory=dict)  # 0..3, clockwise from the top left -> its corners

    def to_picture(self) -> NDArray[np.float64]:
        """The map from mm of the sheet to the picture: a perspective from three markers or more, else an affine map."""
        if (bent := _through_all(self.form, self.markers)) is not None:
            return bent
        here = [corners(self.form.markers[n]) for n in self.markers]
        there = [self.markers[n] for n in self.markers]
        if len(here) >= 3:
            fitted = solve(here, there, len(here))
            if fitted is not None:
                return fitted.perspective
        flat = np.vstack(here)
        affine, *_ = np.linalg.lstsq(np.c_[flat, np.ones(len(flat))], np.vstack(there), rcond=None)
        return np.vstack([affine.T, [0.0, 0.0, 1.0]])

    def has_room_for(self, corner: int, points: PointArray) -> bool:
        """Say whether a marker is where this sheet's should be, and it has none yet."""
        if corner in self.markers:
            return False
        matrix = self.to_picture()
        expected = transform(matrix, corners(self.form.markers[corner]))
        left, right = transform(matrix, np.array([[0.0, 0.0], [self.form.width, 0.0]]))
        off = float(np.linalg.norm(expected.mean(axis=0) - points.mean(axis=0)))
        return off < NEAR_ENOUGH * float(np.linalg.norm(right - left))

    @property
    def is_whole(self) -> bool:
        """Whether so many of its markers are seen that its place on the picture is known."""
        return len(self.markers) >= WHOLE

    def is_surely_on(self, other: "SeenSheet") -> bool:
        """Whether it hides a marker of another sheet, and the other hides none of this one's."""
        return self.hides_marker_of(other) and not other.hides_marker_of(self)

    def hides_marker_of(self, other: "SeenSheet") -> bool:
        """Whether a marker of another sheet that is not seen would lie under this one."""
        hidden = [box for corner, box in enumerate(other.form.markers) if corner not in other.markers]
        spots = [transform(other.to_picture(), corners(box)).mean(axis=0) for box in hidden]
        return any(_lies_in(spot, self.paper()) for spot in spots)

    def outline(self) -> PointArray:
        """The corners of the sheet on the picture, with a little of what is around."""
        return outline_of(self.to_picture(), self.form)

    def paper(self) -> PointArray:
        """The corners of the sheet on the picture."""
        return outline_of(self.to_picture(), self.form, 0.0)


def outline_of(perspective: NDArray[np.float64], form: Form, around_mm: float = SEVERAL_AROUND_MM) -> PointArray:
    """The corners of a sheet on its picture, with a little of what is around."""
    whole = Box(-around_mm, -around_mm, form.width + 2 * around_mm, form.height + 2 * around_mm)
    return transform(perspective, corners(whole))


def may_be_several(identity: Identity, grey: Grey) -> bool:
    """Say whether a picture is worth a search for more than one sheet; a scan that one sheet fills is not."""
    match identity:
        case Unclear():
            return identity.has_several
        case NotOurs():
            return True
        case Identified() | BySlot():
            codes = identity.marks.codes
            spots = [*identity.marks.markers.values(), *(code.corners for code in codes)]
            hull = cv2.convexHull(np.vstack(spots).astype(np.float32))
            return len(codes) > CODES or float(cv2.contourArea(hull)) < ROOM * grey.size
        case NothingThere():
            return False
        case _:
            assert_never(identity)


class PlacedSheet(Struct, frozen=True):
    """Where a sheet lies on a picture of several."""

    quad: Quad
    is_under: bool = False  # another sheet lies on it, or may
    is_corner: bool = False  # mostly covered by another, no code of it visible
    offers: tuple[str, ...] = ()  # of one that lies under another: what its code says, or its markers


def sheets_on(grey: Grey, layouts: Layouts) -> tuple[PlacedSheet, ...]:
    """Find the sheets on a picture, from the top left to the bottom right."""
    numbers = _all_markers(layouts)
    seen, is_mirrored = sightings(grey, numbers), False
    if not seen:
        seen, is_mirrored = sightings(_mirror_picture(grey), numbers), True
    by_slot = {layout.slot: layout.form for layout in layouts.values()}  # all of a paper size have the same markers
    sheets, codes = _group_markers(seen, by_slot), find_codes(grey)
    if is_mirrored:
        codes = tuple(replace(code, corners=_mirror_points(code.corners, grey)) for code in codes)
    outlines = [sheet.outline() for sheet in sheets]
    alone = [
        _place_part(_outline_from_codes(same, layouts.get(text)), sheets, {text} & layouts.keys(), ())
        for text, same in _codes_alone(codes, outlines).items()
    ]
    places = [_place_sheet(sheet, sheets, codes, layouts) for sheet in sheets] + alone
    if is_mirrored:
        places = [replace(place, quad=_mirror_points(place.quad, grey)) for place in places]
    size = np.array(grey.shape[::-1], np.float64)
    return tuple(sorted((replace(place, quad=place.quad / size) for place in places), key=_reading_order))


def _place_sheet(sheet: SeenSheet, sheets: list[SeenSheet], codes: Iterable[Code], layouts: Layouts) -> PlacedSheet:
    """Place a sheet by its markers, and say which it may be where another lies on it."""
    above = [other for other in sheets if other is not sheet and not sheet.is_surely_on(other)]
    mine = tuple(text for text, layout in layouts.items() if layout.slot == sheet.slot)
    seen = {
        code.text
        for code in codes
        if _is_on(code, sheet.outline()) and not any(_is_on(code, other.paper()) for other in above if other.is_whole)
    }
    placed = _place_part(sheet.outline(), above, seen.intersection(mine), mine)
    return replace(placed, is_corner=placed.is_corner and not sheet.is_whole)


def _place_part(outline: PointArray, above: list[SeenSheet], coded: Set[str], offers: tuple[str, ...]) -> PlacedSheet:
    """Place a sheet, or what shows of it: what its codes say, or else the sheets that have its markers."""
    covered = sum(overlap(outline, other.paper()) for other in above if other.is_whole)
    if covered < LEAST_UNDER or not (coded or offers):
        return PlacedSheet(outline)
    return PlacedSheet(outline, True, not coded and covered > MOST_COVERED, tuple(sorted(coded)) or offers)


def _is_on(code: Code, outline: PointArray) -> bool:
    """Whether the middle of a code lies on a sheet."""
    return _lies_in(code.corners.mean(axis=0), outline)


def _lies_in(spot: PointArray, outline: PointArray) -> bool:
    """Whether a point lies in an outline."""
    across, down = map(float, spot)
    return cv2.pointPolygonTest(outline.astype(np.float32), (across, down), False) >= 0


def _mirror_points(points: PointArray, grey: Grey) -> PointArray:
    """The places of points on the mirrored picture."""
    return np.asarray(np.c_[grey.shape[1] - 1 - points[:, 0], points[:, 1]], np.float64)


def overlap(one: Quad, other: Quad) -> float:
    """How much of a sheet lies where another does, 0..1."""
    shared, _ = cv2.intersectConvexConvex(one.astype(np.float32), np.asarray(other, np.float32))
    return float(shared) / max(area(one), 1e-9)


def _reading_order(place: PlacedSheet) -> tuple[int, float]:
    """Row by row from the top, and from the left."""
    across, down = (float(side) for side in place.quad.mean(axis=0))
    return int(ROWS * down), across


def _group_markers(markers: Iterable[tuple[int, PointArray]], forms: dict[int, Form]) -> list[SeenSheet]:
    """Put markers together to sheets, the largest first."""
    left: dict[int, list[tuple[int, PointArray]]] = {}
    for number, points in sorted(markers, key=lambda each: -area(each[1])):
        left.setdefault(number // 4, []).append((number % 4, points))
    return [sheet for slot, spots in left.items() for sheet in _sheets_of_slot(slot, spots, forms[slot])]


def _sheets_of_slot(slot: int, spots: list[tuple[int, PointArray]], form: Form) -> list[SeenSheet]:
    """Put the markers of one slot together; where one is seen twice, those first that fit best on one sheet.

    Four of which none is seen twice may be foreshortened: the sides of a curled sheet say little of one another.
    """
    by_corner = dict(spots)
    if len(spots) == len(by_corner) and _bent_mm(form, by_corner) < BENT_MM:
        return [SeenSheet(form, slot, by_corner)]
    sheets: list[SeenSheet] = []
    while best := _best_fit(spots, form):
        sheets.append(SeenSheet(form, slot, best))
        spots = [spot for spot in spots if not any(spot[1] is taken for taken in best.values())]
    for corner, points in spots:
        mine = next((sheet for sheet in sheets if sheet.has_room_for(corner, points)), None)
        if mine is None:
            mine = SeenSheet(form, slot)
            sheets.append(mine)
        mine.markers[corner] = points
    return sheets


def _best_fit(spots: list[tuple[int, PointArray]], form: Form) -> dict[int, PointArray]:
    """The markers, one for each corner, that fit best on one sheet; nothing where no corner is seen twice."""
    by_corner = {corner: [points for each, points in spots if each == corner] for corner, _ in spots}
    counts = [len(each) for each in by_corner.values()]
    if len(by_corner) < WHOLE or max(counts) < 2 or prod(counts) > MOST_FITS:
        return {}
    places = [corners(form.markers[corner]) for corner in by_corner]
    rated = [(_misfit_mm(places, chosen), chosen) for chosen in product(*by_corner.values())]
    worst_mm, best = min(rated, key=lambda each: each[0])
    return dict(zip(by_corner, best, strict=True)) if worst_mm < OUTLIER_MM else {}


def _through_all(form: Form, markers: Mapping[int, PointArray]) -> NDArray[np.float64] | None:
    """The perspective through the middles of a sheet's four markers; None where fewer are seen, or paper is not so."""
    return through_middles(form, [markers[n] for n in range(4)]) if len(markers) == 4 else None


def _bent_mm(form: Form, markers: Mapping[int, PointArray]) -> float:
    """How far the worst corner of four markers is off, once their middles are where they were printed."""
    perspective = _through_all(form, markers)
    if perspective is None:
        return float("inf")
    back = np.linalg.inv(perspective).astype(np.float64)
    off = [transform(back, markers[n]) - corners(form.markers[n]) for n in markers]
    return float(np.linalg.norm(off, axis=-1).max())


def _misfit_mm(places: list[PointArray], seen: Sequence[PointArray]) -> float:
    """How far the worst corner of markers lies from where one sheet would have it."""
    fitted = solve(places, seen, len(seen))
    if fitted is None:
        return float("inf")
    back = transform(np.linalg.inv(fitted.perspective).astype(np.float64), np.vstack(seen))
    return float(np.linalg.norm(back - np.vstack(places), axis=1).max())


def _codes_alone(codes: Iterable[Code], outlines: list[PointArray]) -> dict[str, list[Code]]:
    """The codes that lie on none of the sheets, by their text: all that can be seen of some."""
    alone: dict[str, list[Code]] = {}
    for code in codes:
        if not any(_is_on(code, outline) for outline in outlines):
            alone.setdefault(code.text, []).append(code)
    return alone


def _outline_from_codes(codes: list[Code], layout: PageLayout | None) -> PointArray:
    """The outline of a sheet by its two codes; or the surroundings of a single or unknown code."""
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
    part[beside > 0] = int(np.percentile(part, PAPER))
    return part
