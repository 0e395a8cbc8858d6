"""Which sheet a picture shows: its codes and its markers say so, and must not contradict each other. Never a guess.

A sheet's serial is decoded here: what its codes say (`registration/marks.py`) is read as an id
(`paper/sheet/sheet_id.py`). Where no code can be read the printed id is, in `printed.py`.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from pipeline.paper.layout.sheet_layout import PageLayout
from pipeline.paper.sheet.sheet import SLOTS
from pipeline.paper.sheet.sheet_id import SheetId
from pipeline.reading.files.picture import Grey
from pipeline.reading.registration.marks import (
    COARSE_SIDE,
    Code,
    Marks,
    Points,
    find_codes,
    find_markers,
    reduced,
    sightings,
    without_streaks,
)

Layouts = Mapping[str, PageLayout]  # every sheet of the event that was printed, by its id

NO_SLOT = -1
EVERY_MARKER = frozenset(range(4 * SLOTS))
STRANGE = (
    "this sheet was not printed by this event; another copy of its folder printed it, or an older state of it was gone "
    "on from: scan it there, or type its lines"
)
EDGE = 0.06  # of the picture: the dark rim that scanners leave around paper
PRINTED = 0.6  # of the paper's brightness: print on this side is darker, what shines through from the other is not
DARK_PAPER = 90  # grey level; a scan without paper is darker
DARK_AND_LIGHT = [10, 95]  # percentiles of a marker: its print and its paper
BLANK_SIDE = 1000  # longest side of the picture that is looked at: 85 dpi of A4
WIDER_PX = 15  # of it: 4.5 mm, wider than any stroke
BLANK_DEPTH = 35  # grey levels; writing that shows through from the other side is fainter
BLANK_SHARE = 0.0006  # of the picture: one short word has 0.001


@dataclass(frozen=True, slots=True)
class Identified:
    """One sheet of ours, beyond doubt."""

    layout: PageLayout
    marks: Marks
    grey: Grey  # the picture, set right where it was mirrored


@dataclass(frozen=True, slots=True)
class BySlot:
    """Codes gone; the markers say whose sheet it is, but not which."""

    candidates: tuple[PageLayout, ...]
    marks: Marks
    grey: Grey


@dataclass(frozen=True, slots=True)
class NotOurs:
    """Positively somebody else's."""

    text: str


@dataclass(frozen=True, slots=True)
class NothingThere:
    """Empty paper."""


@dataclass(frozen=True, slots=True)
class Unclear:
    """Something that a person must look at; ``offers`` are the sheets it may be."""

    text: str
    offers: tuple[str, ...] = ()
    has_several: bool = False  # marks of more than one sheet can be seen
    is_unmarked: bool = False  # no code, and not enough of the markers to say whose


Identity = Identified | BySlot | NotOurs | NothingThere | Unclear


def identify(grey: Grey, layouts: Layouts, event: str) -> Identity:
    """Say which sheet of an event a picture shows."""
    codes = find_codes(grey)
    ids, strange = sheet_ids(codes)
    ours = [sheet for sheet in ids if sheet.event == event]
    if not ids:
        return without_codes(grey, layouts, strange)
    if not ours:
        return NotOurs(f"a sheet of another event: {ids[0]}; ours begin with {event}")
    if len(ids) > 1:
        names = ", ".join(map(str, ids))
        return Unclear(f"two sheets in one picture: {names}; scan them one by one", known(ids, layouts), True)
    layout = layouts.get(str(ours[0]))
    if layout is None:
        return Unclear(f"{ours[0]}: {STRANGE}")
    return with_markers(grey, codes, layout, layouts)


def with_markers(grey: Grey, codes: tuple[Code, ...], layout: PageLayout, layouts: Layouts) -> Identity:
    """Find the markers of the sheet that the codes name; they must not be another sheet's."""
    found = seen_as(grey, codes, layout)
    if isinstance(found, Identified):
        count = len(found.marks.markers)
        if count < 3 and has_others_markers(found.grey, layout.slot, max(1, count), layouts):
            text = f"the code says {layout.sheet}, but the corner markers are another sheet's"
            return Unclear(text, (layout.sheet,))
    return found


def seen_as(grey: Grey, codes: tuple[Code, ...], layout: PageLayout) -> Identified | NothingThere:
    """Find the markers of a sheet, whatever others there are."""
    markers = find_markers(grey, layout.marker_ids)
    if not markers:  # seen from behind, as some scanners deliver; a code can be read so, a marker cannot
        behind = mirrored(grey)
        markers = find_markers(behind, layout.marker_ids)
        if len(markers) >= 2:
            through = shines_through(behind, markers)
            return NothingThere() if through else Identified(layout, Marks(find_codes(behind), markers), behind)
    if len(markers) < 4:
        clean = without_streaks(grey)
        more = {} if clean is grey else find_markers(clean, layout.marker_ids)
        if len(more) > len(markers):
            markers = more
    return Identified(layout, Marks(codes, markers), grey)


def has_others_markers(grey: Grey, slot: int, least: int, layouts: Layouts) -> bool:
    """Whether so many corner markers of one other slot are seen; of a slot that nothing was printed with, at least two.

    Every slot is searched: a sheet of another folder of this event may have any.
    """
    seen = Counter(number // 4 for number in find_markers(grey, EVERY_MARKER - set(range(4 * slot, 4 * slot + 4))))
    ours = {layout.slot for layout in layouts.values()}
    return any(count >= (least if other in ours else max(2, least)) for other, count in seen.items())


def sheet_ids(codes: tuple[Code, ...]) -> tuple[list[SheetId], list[str]]:
    """Tell sheet ids from other people's codes."""
    ids, strange = [], []
    for text in dict.fromkeys(code.text for code in codes):
        try:
            ids.append(SheetId.read(text))
        except ValueError:
            strange.append(text)
    return ids, strange


def known(ids: list[SheetId], layouts: Layouts) -> tuple[str, ...]:
    """The ids among these that were printed."""
    return tuple(str(sheet) for sheet in ids if str(sheet) in layouts)


def all_markers(layouts: Layouts) -> list[int]:
    """The markers of every sheet and form that was printed."""
    return sorted({number for layout in layouts.values() for number in layout.marker_ids})


def without_codes(grey: Grey, layouts: Layouts, strange: list[str]) -> Identity:
    """Say what can be said of a picture without a code of ours."""
    for flipped in (False, True):
        picture = mirrored(grey) if flipped else grey
        markers = find_markers(picture, all_markers(layouts))
        slots = {number // 4 for number in markers}
        if len(markers) >= 2 and len(slots) == 1:
            mine = tuple(layout for layout in layouts.values() if layout.slot in slots)
            return BySlot(mine, Marks((), markers), picture)
        if len(markers) >= 3:
            offers = tuple(layout.sheet for layout in layouts.values() if layout.slot in slots)
            return Unclear("the corner markers are those of different sheets; scan them one by one", offers, True)
        if is_blank(grey):
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
    return bool(sightings(reduced(grey, COARSE_SIDE)[0], range(4 * slot, 4 * slot + 4)))


def shines_through(grey: Grey, markers: Mapping[int, Points]) -> bool:
    """Say whether markers are so faint that they are printed on the other side of the paper."""
    for corners in markers.values():
        left, top = np.maximum(corners.min(axis=0).astype(int), 0)
        right, bottom = corners.max(axis=0).astype(int)
        dark, light = np.percentile(grey[top:bottom, left:right], DARK_AND_LIGHT)
        if dark < PRINTED * light:
            return False
    return True


def mirrored(grey: Grey) -> Grey:
    """Turn a picture round as a mirror does."""
    return cv2.flip(grey, 1).astype(np.uint8, copy=False)


def is_blank(grey: Grey) -> bool:
    """Say whether this is empty paper, such as the back of a sheet."""
    small, _ = reduced(grey, BLANK_SIDE)
    rows, columns = (round(EDGE * side) for side in small.shape)
    inner = cv2.GaussianBlur(small[rows:-rows, columns:-columns], (3, 3), 0)
    paper = cv2.blur(
        cv2.morphologyEx(inner, cv2.MORPH_CLOSE, np.ones((WIDER_PX, WIDER_PX), np.uint8)), (WIDER_PX, WIDER_PX)
    )
    depth = cv2.subtract(paper, inner)
    return float(np.median(inner)) > DARK_PAPER and float((np.asarray(depth) > BLANK_DEPTH).mean()) < BLANK_SHARE
