"""A sheet without a mark, laid straight by the rest of its print: which may it be? A person says so, never this."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from pipeline.paper.layout.sheet_layout import PageLayout
from pipeline.reading.files.picture import Grey
from pipeline.reading.identity.blank import SHARED_FEATURES, SHARED_SIDE, Blanks, Features, design, features, follow
from pipeline.reading.identity.identify import Layouts, has_others_markers
from pipeline.reading.identity.printed import has_heading_of, power_in, read_printed_id
from pipeline.reading.identity.several import Quad, outline_of
from pipeline.reading.registration.marks import Marks, area
from pipeline.reading.registration.register import RegisteredPage, laid
from pipeline.reading.rows.rows import part

NO_MARKS = Marks((), {})
ROOM_BESIDE = 0.4  # of the smallest sheet found: where less is left of a picture, no further sheet can be read
MOST_UNDER = 0.3  # of a sheet may lie under another; more, and it is that other
MOST_BESIDE = 3  # sheets without a mark on one picture


@dataclass(frozen=True, slots=True)
class Proposed:
    """A sheet that its printed id and its heading name, both as they were printed."""

    layout: PageLayout
    straight: RegisteredPage


@dataclass(frozen=True, slots=True)
class Nameless:
    """A sheet of one of our forms; its type does not say which, or not twice."""

    printed_id: str | None  # what could be read
    offers: tuple[str, ...]  # the sheet that its id names, or those of its design and of the power in its heading

    @property
    def text(self) -> str:
        """What a person is asked."""
        reads = "cannot be read" if self.printed_id is None else f"reads {self.printed_id}, and nothing bears it out"
        return f"a sheet on which neither a code nor the corner markers can be seen, and its printed id {reads}"


def by_print(grey: Grey, layouts: Layouts, blanks: Blanks) -> Proposed | Nameless | None:
    """Lay a page straight by the print of the likeliest forms and read its type; None where it is none of them."""
    page = features(grey)
    for layout in blanks.likeliest(page, layouts.values()):
        straight = laid_by_print(grey, page, NO_MARKS, layout, blanks)
        if straight is not None:
            return named(grey, page, straight, layouts, blanks)
    return None


def named(
    grey: Grey, page: Features, straight: RegisteredPage, layouts: Layouts, blanks: Blanks
) -> Proposed | Nameless:
    """Read what is printed on a sheet that was laid straight; the sheet that it names must lie straight as itself."""
    printed_id = read_printed_id(part(straight.flat, straight.form.printed_id))
    layout = layouts.get(printed_id or "")
    if layout is None:
        power = power_in(straight.flat, straight.form)
        alike = [each for each in layouts.values() if design(each.form) == design(straight.form)]
        mine = tuple(each.sheet for each in alike if (each.headed or each.power) == power)
        return Nameless(printed_id, mine)
    again = straight if layout.form == straight.form else laid_by_print(grey, page, NO_MARKS, layout, blanks)
    if again is None or not has_heading_of(again.flat, blanks.draw(layout.sheet), layout.form):
        return Nameless(printed_id, (layout.sheet,))
    others = has_others_markers(again.flat, layout.slot, 1, layouts)
    return Nameless(printed_id, (layout.sheet,)) if others else Proposed(layout, again)


def laid_by_print(
    grey: Grey, page: Features, marks: Marks, layout: PageLayout, blanks: Blanks
) -> RegisteredPage | None:
    """Lay a page straight as one sheet, by the print of its form; the marks that are left must not contradict it."""
    fitted = follow(blanks.print_of(layout), page, layout.form)
    found = None if fitted is None else laid(grey, marks, layout.marker_ids, layout.form, fitted)
    return found if isinstance(found, RegisteredPage) else None


def sheets_beside(grey: Grey, found: Sequence[Quad], layouts: Layouts, blanks: Blanks) -> tuple[Quad, ...]:
    """Find sheets without a mark beside those that were found on a picture, by what is printed on the rest of it."""
    more: list[Quad] = []
    rest, size = grey.copy(), np.array(grey.shape[::-1], np.float64)
    while found and len(more) < MOST_BESIDE:
        areas = [area(np.asarray(quad)) for quad in (*found, *more)]
        if 1 - sum(areas) < ROOM_BESIDE * min(areas):
            break
        for quad in (*found, *more):
            cv2.fillConvexPoly(rest, np.round(np.asarray(quad) * size).astype(np.int32), (int(np.median(grey)),))
        page = features(rest, SHARED_SIDE, SHARED_FEATURES)
        likeliest = blanks.likeliest(page, layouts.values())
        fits = ((follow(blanks.print_of(each), page, each.form), each.form) for each in likeliest)
        outline = next((outline_of(fitted.perspective, form) for fitted, form in fits if fitted is not None), None)
        if outline is None or any(overlap(outline / size, quad) > MOST_UNDER for quad in (*found, *more)):
            break
        more.append(outline / size)
    return tuple(more)


def overlap(one: Quad, other: Quad) -> float:
    """How much of a sheet lies where another does, 0..1."""
    shared, _ = cv2.intersectConvexConvex(one.astype(np.float32), np.asarray(other, np.float32))
    return float(shared) / max(area(one), 1e-9)
