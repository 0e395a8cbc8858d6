"""Identify and register a sheet without codes or markers by the rest of its print; a person must confirm it."""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from string import ascii_letters, digits

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from pipeline.ink import Box
from pipeline.paper.sheet import ALPHABET, SheetId
from pipeline.paper.sheet_layout import Form, PageLayout
from pipeline.reading import marks
from pipeline.reading.identify import Layouts, Quad, has_others_markers, outline_of, overlap
from pipeline.reading.outside import FreePaper, find_ink_across_heading, find_ink_outside, free_paper
from pipeline.reading.pages import Grey
from pipeline.reading.recogniser import EngineFailed
from pipeline.reading.register import RegisteredPage, part, register_nearly_known
from pipeline.reading.typed import see, tesseract_version

# What is printed on a sheet for people, read as type where its codes are gone: its id and its heading.

PRINT = 128  # grey level: darker is print on a blank sheet
AROUND_MM = 1.5  # around a word: a sheet that was laid by its print alone may be half a mm off


def read_printed_id(picture: Grey) -> str | None:
    """Read the id; None unless two pictures of it read the same and its check character is right."""
    if tesseract_version() is None:
        return None
    try:
        first, second = see([_larger(picture, 2), _larger(picture, 3)], ALPHABET + "-")
    except EngineFailed:
        return None
    text = first.text.replace(" ", "")
    if text != second.text.replace(" ", ""):
        return None
    try:
        return str(SheetId.read(text))
    except ValueError:
        return None


def _has_heading_of(flat: Grey, blank: Grey, form: Form) -> bool:
    """Say whether the heading of a straight sheet reads, letter for letter, as that of a blank one does."""
    places = [place for place in (_print_in(blank, line) for line in form.heading) if place is not None]
    read = words([part(sheet, place) for sheet in (flat, blank) for place in places])
    seen, wanted = read[: len(places)], read[len(places) :]
    return bool(wanted) and all(wanted) and seen == wanted


def _power_in(flat: Grey, form: Form) -> str:
    """Read the first line of the heading of a straight sheet, in capitals: a power; nothing where it cannot be read."""
    read = words([part(flat, line) for line in form.heading[:1]])
    return read[0].upper() if read else ""


def words(lines: Sequence[Grey]) -> list[str]:
    """Read lines of type, letters and digits only; nothing where Tesseract is not installed, or fails."""
    if tesseract_version() is None:
        return []
    try:
        seen = see([_larger(line, 2) for line in lines], ascii_letters + digits)
    except EngineFailed:
        return []
    return [re.sub("[^a-z0-9]", "", each.text.lower()) for each in seen]


def _print_in(blank: Grey, line: Box) -> Box | None:
    """The part of a line of type that has print on it, with a little around it; None where it has none."""
    columns = np.flatnonzero((part(blank, line) < PRINT).any(axis=0))
    if len(columns) == 0:
        return None
    first, last = (float(column) / marks.PIXELS_PER_MM for column in columns[[0, -1]])
    return Box(line.left + first - AROUND_MM, line.top, last - first + 2 * AROUND_MM, line.height)


def _larger(picture: Grey, times: int) -> Grey:
    """A larger picture of a line of type."""
    return cv2.resize(picture, None, fx=times, fy=times, interpolation=cv2.INTER_CUBIC).astype(np.uint8, copy=False)


# The print of a blank sheet, found again on a picture of which neither a code nor a corner marker can be seen.
#
# The last way to register a sheet. The print that all sheets of one form share is matched by ORB features (Rublee
# 2011). First every feature is compared with every other, and those are kept that agree on one turn and one size
# (Lowe 2004, 7.3). A perspective is fitted to them; then each feature is compared only with those near its expected
# place, so that one dot or letter is not taken for another.

SIDE = 1400  # longest side of the pictures that are compared: A4 at 120 dpi; at 160 dpi fewer sheets were found
SHARED_SIDE = 2400  # of a picture with several sheets on it
FEATURES = 5000  # of a picture: handwriting and dots have most of them
SHARED_FEATURES = 9000  # of a picture with several sheets on it
FEATURES_PRINTED = 1200  # of a blank sheet
SPARE = 4  # times as many features are detected as are used, so that each part of the picture can give some
PARTS = 10  # a picture is divided into PARTS by PARTS parts
EDGE_MM = 1.0  # left out around fields to write in and around marks
UNLIKE = 0.85  # ratio test: a match must be this much better than the second best
TURNS = 24  # turns that are voted on, 15 degrees apart
TURN_NEAR = np.radians(17.0)  # a feature votes for every turn this near to its own
TURN_MORE = 20.0  # degrees by which a perspective may turn one part of a sheet against another
SIZES = np.arange(1.0, 5.01, 0.25)  # pixels a mm, as powers of two: 50 to 810 dpi
SIZE_NEAR = 0.3  # powers of two: a feature votes for every size this near to its own
LEAST_VOTES = 12  # on four hopeless pictures 7 to 59 features agreed by chance: to look closer costs another 0.2 s
FLAT_MM = 4.0  # how far the affine map that fits best may be off a perspective
REACHES_MM = (8.0, 4.0, 1.5)  # how far around its expected place a feature is searched for, in each pass
ALIKE = 64  # bits of 256: of features at random 128 differ
FITS_MM = 1.0  # how far from its place a feature may be that agrees with a map
MOST_TRIES = 4000  # random samples (RANSAC)
CONFIDENCE = 0.999  # the wanted probability that a good sample is among them
CORNER_DEPTH = 12  # grey levels of a corner from what is around it (FAST, Rosten & Drummond 2006)
LEVEL = (0.0, 0.0, 1.0)  # the last row of a map without perspective
# 64 sheets with all marks torn off, scanned or photographed: fits within 4 mm had 63 to 905 features in 7 to 13 parts
# of the sheet; fits with up to 316 in 5 to 7 parts were 24 to 137 mm off, held by the print at one end of the sheet
LEAST_FOUND = 60
LEAST_CELLS = 7
LEAST_AT_END = 12  # in the upper and in the lower third
CELLS = 5  # a sheet is divided into 5 by 5 cells, to see whether the print that was found is all over it
# with limits from 0.45 to 1.2 mm, 12 of 16 sheets without a mark are proposed; with 0.3, one (benchmarks/constants.py)
WORST_RMS_MM = 0.6
LIKELIEST = 3  # designs that are tried on one picture
MOST_FREE = 20  # forms whose free paper is cached, 3 MB each; it depends on how many units are printed
MOST_DESIGNS = 10  # that are compared with a picture, 35 ms each

Model = Callable[[marks.PointArray, marks.PointArray, float], tuple[NDArray[np.float64] | None, NDArray[np.bool_]]]


class PrintFeatures(Struct, frozen=True, eq=False):
    """Keypoints of a picture, and their ORB descriptors."""

    places: marks.PointArray  # pixels of the picture, or mm of a sheet
    turns: NDArray[np.float64]  # degrees
    sizes: NDArray[np.float64]  # pixels or mm
    around: NDArray[np.uint8]  # 32 bytes each

    def __len__(self) -> int:
        return len(self.places)


DrawSheet = Callable[[str], Grey]  # a sheet's id -> the sheet as it was printed, at `FLAT_DPI`


class Blanks:
    """The sheets of an event as they were printed, each drawn when it is needed first."""

    def __init__(self, draw: DrawSheet, draw_heading: DrawSheet | None = None) -> None:
        self.draw = draw
        self.draw_heading = draw_heading or draw  # the upper part of a sheet, down to the fields of its header
        self.known: dict[Form, PrintFeatures] = {}
        self.free: dict[Form, FreePaper] = {}  # by form, whatever units are printed on it

    def print_of(self, layout: PageLayout) -> PrintFeatures:
        """The features of the print that all sheets of one form share."""
        if layout.form not in self.known:
            self.known[layout.form] = _blank_features(self.draw(layout.sheet), layout.form)
        return self.known[layout.form]

    def find_ink_outside(self, layout: PageLayout, page: RegisteredPage) -> tuple[Box, ...]:
        """Find what was written on a sheet outside of all that is to be filled in."""
        alike = layout.form.whole
        if alike not in self.free:
            if len(self.free) == MOST_FREE:
                del self.free[next(iter(self.free))]
            self.free[alike] = free_paper(self.draw(layout.sheet), layout.form)
        if not find_ink_outside(page, self.free[alike]):
            return ()
        # compare again with this very sheet: its units are printed in front of its rows
        return find_ink_outside(page, free_paper(self.draw(layout.sheet), layout.form))

    def find_ink_across_heading(self, layout: PageLayout, page: RegisteredPage) -> tuple[Box, ...]:
        """Find what was written across or beside what is printed in the heading of a sheet."""
        return find_ink_across_heading(page, self.draw_heading(layout.sheet))

    def likeliest(self, page: PrintFeatures, layouts: Iterable[PageLayout]) -> list[PageLayout]:
        """The designs that a picture is most like, the likeliest first: a sheet of each."""
        designs = {design(layout.form): layout for layout in layouts}
        newest = list(designs.values())[-MOST_DESIGNS:]
        votes = [(len(_match_features(self.print_of(layout), page)[0]), layout) for layout in newest]
        votes.sort(key=lambda each: -each[0])
        return [layout for count, layout in votes[:LIKELIEST] if count >= LEAST_VOTES]


def design(form: Form) -> Hashable:
    """A key that is equal for all sheets that differ only in the units printed on them."""
    return form.width, form.height, form.bars, form.fields, form.ticks, form.step, form.design


def features(grey: Grey, side: int = SIDE, most: int = FEATURES) -> PrintFeatures:
    """Find the features of a picture."""
    small, scale = marks.shrink_picture(grey, side)
    printed = _detect_features(small, most, None)
    return PrintFeatures((printed.places + 0.5) / scale - 0.5, printed.turns, printed.sizes / scale, printed.around)


def _blank_features(blank: Grey, form: Form) -> PrintFeatures:
    """Find the features of a blank sheet that all sheets of its form have: none of its id, its heading or its marks."""
    small, scale = marks.shrink_picture(blank, SIDE)
    shared = np.full(small.shape, 255, np.uint8)
    pixels = marks.PIXELS_PER_MM * scale
    shared[: round((form.printed_id.top + form.printed_id.height) * pixels)] = 0
    bars = (bar for pair in form.bars for bar in pair)
    for box in (*form.marks, *bars, *(field.box for field in form.to_fill)):
        left, top = (max(0, round((edge - EDGE_MM) * pixels)) for edge in (box.left, box.top))
        right, bottom = (
            round((box.left + box.width + EDGE_MM) * pixels),
            round((box.top + box.height + EDGE_MM) * pixels),
        )
        shared[top:bottom, left:right] = 0
    printed = _detect_features(small, FEATURES_PRINTED, shared)
    return PrintFeatures((printed.places + 0.5) / pixels, printed.turns, printed.sizes / pixels, printed.around)


def _detect_features(small: Grey, most: int, where: Grey | None) -> PrintFeatures:
    """Detect ORB features, about equally many in each part of the picture, because grey type has faint ones."""
    detector = cv2.ORB.create(nfeatures=SPARE * most, fastThreshold=CORNER_DEPTH)
    points, around = detector.compute(small, _evenly(detector.detect(small, where), small.shape, most))
    if not points:
        return PrintFeatures(np.zeros((0, 2)), np.zeros(0), np.zeros(0), np.zeros((0, 32), np.uint8))
    numbers = np.array([(*point.pt, point.angle, point.size) for point in points], np.float64)
    return PrintFeatures(numbers[:, :2], numbers[:, 2], numbers[:, 3], np.asarray(around, np.uint8))


def _evenly(points: Sequence[cv2.KeyPoint], size: tuple[int, ...], most: int) -> list[cv2.KeyPoint]:
    """Take the strongest features of each part of a picture in turn, until there are enough."""
    taken: Counter[tuple[int, int]] = Counter()
    turns: list[tuple[int, int]] = []
    strongest = sorted(points, key=lambda each: -each.response)
    for point in strongest:
        cell = int(point.pt[0] * PARTS / size[1]), int(point.pt[1] * PARTS / size[0])
        turns.append((taken[cell], len(turns)))
        taken[cell] += 1
    return [strongest[place] for _, place in sorted(turns)[:most]]


def _match_features(print_: PrintFeatures, page: PrintFeatures) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Match features of a print with those of a picture, and keep those that agree on one turn and one size."""
    none = np.zeros(0, np.int64)
    if len(print_) < LEAST_VOTES or len(page) < LEAST_VOTES:
        return none, none
    both = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(print_.around, page.around, k=2)
    clear = [(first.queryIdx, first.trainIdx) for first, next_ in both if first.distance < UNLIKE * next_.distance]
    if not clear:
        return none, none
    here, there = np.array(clear, np.int64).T
    turns = np.radians(page.turns[there] - print_.turns[here])
    sizes = np.log2(page.sizes[there] / print_.sizes[here])
    votes = [
        (np.abs((turns - turn + np.pi) % (2 * np.pi) - np.pi) < TURN_NEAR) & (np.abs(sizes - size) < SIZE_NEAR)
        for turn in np.arange(TURNS) * 2 * np.pi / TURNS
        for size in SIZES
    ]
    best = max(votes, key=lambda each: int(each.sum()))
    return here[best], there[best]


def _fit_print(print_: PrintFeatures, page: PrintFeatures, form: Form) -> marks.FittedPage | None:
    """Fit a perspective to the print of a form; None where too little of it is found, or not all over the sheet.

    First the sheet is taken as scanned: turned, shifted and scaled, so that print found at one end tells where the
    other end is. If that does not fit, it is taken as photographed, with a perspective.
    """
    here, there = _match_features(print_, page)
    if len(here) < LEAST_VOTES:
        return None
    pixels = float(np.median(page.sizes[there] / print_.sizes[here]))
    for rough, models in ((cv2.estimateAffinePartial2D, SCANNED), (cv2.estimateAffine2D, PHOTOGRAPHED)):
        perspective, _ = rough(
            print_.places[here],
            page.places[there],
            method=cv2.RANSAC,
            ransacReprojThreshold=FLAT_MM * pixels,
            maxIters=MOST_TRIES,
            confidence=CONFIDENCE,
        )
        fitted = (
            None
            if perspective is None
            else _refine_perspective(print_, page, np.vstack([perspective, LEVEL]), models, form)
        )
        if fitted is not None:
            return fitted
    return None


def _refine_perspective(
    print_: PrintFeatures, page: PrintFeatures, perspective: NDArray[np.float64], models: Sequence[Model], form: Form
) -> marks.FittedPage | None:
    """Refine a perspective: match again within a smaller and smaller distance of the expected places, and refit."""
    for model, reach in zip(models, REACHES_MM, strict=True):
        here, there = _match_near(print_, page, perspective, reach)
        if len(here) < LEAST_FOUND:
            return None
        sheet, seen = print_.places[here], page.places[there]
        refined, fits = model(sheet, seen, FITS_MM * _scale_of(perspective, form))
        if refined is None or not marks.is_possible(refined, sheet):
            return None
        perspective = refined
    return _accept_perspective(sheet[fits], seen[fits], perspective, form)


def _fit_affine(
    sheet: marks.PointArray, seen: marks.PointArray, pixels: float
) -> tuple[NDArray[np.float64] | None, NDArray[np.bool_]]:
    """Fit an affine map (RANSAC); points within ``pixels`` of it are inliers."""
    matrix, fits = cv2.estimateAffine2D(
        sheet, seen, method=cv2.RANSAC, ransacReprojThreshold=2 * pixels, maxIters=MOST_TRIES, confidence=CONFIDENCE
    )
    return None if matrix is None else np.vstack([matrix, LEVEL]), np.ravel(fits) > 0


def _fit_homography(
    sheet: marks.PointArray, seen: marks.PointArray, pixels: float
) -> tuple[NDArray[np.float64] | None, NDArray[np.bool_]]:
    """Fit a homography (MAGSAC); points within ``pixels`` of it are inliers."""
    matrix, fits = cv2.findHomography(sheet, seen, cv2.USAC_MAGSAC, pixels, maxIters=MOST_TRIES, confidence=CONFIDENCE)
    return None if matrix is None else matrix.astype(np.float64), np.ravel(fits) > 0


SCANNED: tuple[Model, ...] = (_fit_affine, _fit_homography, _fit_homography)  # what is fitted in each pass
PHOTOGRAPHED: tuple[Model, ...] = (_fit_homography, _fit_homography, _fit_homography)


def _match_near(
    print_: PrintFeatures, page: PrintFeatures, perspective: NDArray[np.float64], reach_mm: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Match features of a print again, each only with those near the place that a perspective maps it to."""
    middle = page.places.mean(axis=0)
    expected, seen = marks.transform(perspective, print_.places) - middle, page.places - middle
    far = (
        _squared_lengths(expected)[:, None]
        - 2 * (expected.astype(np.float32) @ seen.T.astype(np.float32))
        + _squared_lengths(seen)
    )
    side, low = marks.transform(perspective, np.array([[0.0, 0.0], [1.0, 0.0]]))
    turn = float(np.degrees(np.arctan2(low[1] - side[1], low[0] - side[0])))
    alike = _unit_vectors(print_.turns + turn) @ _unit_vectors(page.turns).T > np.cos(np.radians(TURN_MORE))
    reach = reach_mm * float(np.linalg.norm(low - side))
    allowed = (alike & (far < reach**2)).astype(np.uint8)
    matches = cv2.BFMatcher(cv2.NORM_HAMMING).match(print_.around, page.around, allowed)
    pairs = np.array([(m.queryIdx, m.trainIdx) for m in matches if m.distance < ALIKE], np.int64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def _squared_lengths(points: marks.PointArray) -> NDArray[np.float32]:
    """The squared distance of each point from the origin."""
    return np.asarray((points**2).sum(axis=1), np.float32)


def _unit_vectors(turns: NDArray[np.float64]) -> NDArray[np.float32]:
    """Unit vectors (x, y) of directions in degrees."""
    return np.stack([np.cos(np.radians(turns)), np.sin(np.radians(turns))], axis=1).astype(np.float32)


def _scale_of(perspective: NDArray[np.float64], form: Form) -> float:
    """How many pixels a mm has in the middle of a sheet."""
    middle = np.array([form.width / 2, form.height / 2])
    origin, right, down = marks.transform(perspective, middle + np.array([[0, 0], [1, 0], [0, 1]]))
    (a, b), (c, d) = right - origin, down - origin
    return float(np.sqrt(abs(a * d - b * c)))


def _accept_perspective(
    sheet: marks.PointArray, seen: marks.PointArray, perspective: NDArray[np.float64], form: Form
) -> marks.FittedPage | None:
    """Accept a perspective only if enough features fit it, with a small error, in all parts of the sheet; else None."""
    if len(sheet) < LEAST_FOUND:
        return None
    off = np.linalg.norm(marks.transform(np.linalg.inv(perspective).astype(np.float64), seen) - sheet, axis=1)
    rms = float(np.sqrt(np.mean(off**2)))
    cells = np.floor(sheet / (form.width, form.height) * CELLS)
    ends = [int((sheet[:, 1] < form.height / 3).sum()), int((sheet[:, 1] > form.height * 2 / 3).sum())]
    if rms > WORST_RMS_MM or len(np.unique(cells, axis=0)) < LEAST_CELLS or min(ends) < LEAST_AT_END:
        return None
    return marks.FittedPage(perspective, 0, rms)


NO_MARKS = marks.Marks((), {})
ROOM_BESIDE = 0.4  # of the smallest sheet found: where less is left of a picture, no further sheet can be read
MOST_UNDER = 0.3  # share of a sheet that may lie under another; above, it is the same sheet
MOST_BESIDE = 3  # sheets without a mark on one picture


LaidSheet = tuple[PageLayout, RegisteredPage]  # found by its printed id; its heading reads as it was printed


class Nameless(Struct, frozen=True):
    """A sheet of one of our forms, of which id and heading cannot be read, or do not agree."""

    printed_id: str | None  # what could be read
    offers: tuple[str, ...]  # the sheet that its id names, or those of its design and of the power in its heading

    @property
    def text(self) -> str:
        """The question to a person."""
        named = f"reads {self.printed_id}, which its heading does not confirm"
        reads = "cannot be read" if self.printed_id is None else named
        return f"a sheet on which neither a code nor the corner markers can be seen, and its printed id {reads}"


def identify_by_print(grey: Grey, layouts: Layouts, blanks: Blanks) -> LaidSheet | Nameless | None:
    """Register a page by the print of the likeliest forms and read its id; None if it fits none of them."""
    page = features(grey)
    for layout in blanks.likeliest(page, layouts.values()):
        straight = register_by_print(grey, page, NO_MARKS, layout, blanks)
        if straight is not None:
            return _propose_named_sheet(grey, page, straight, layouts, blanks)
    return None


def _propose_named_sheet(
    grey: Grey, page: PrintFeatures, straight: RegisteredPage, layouts: Layouts, blanks: Blanks
) -> LaidSheet | Nameless:
    """Read id and heading of a registered page; the sheet that they name must register on the page, too."""
    printed_id = read_printed_id(part(straight.flat, straight.form.printed_id))
    layout = layouts.get(printed_id or "")
    if layout is None:
        power = _power_in(straight.flat, straight.form)
        alike = [each for each in layouts.values() if design(each.form) == design(straight.form)]
        mine = tuple(each.sheet for each in alike if (each.headed or each.power) == power)
        return Nameless(printed_id, mine)
    again = straight if layout.form == straight.form else register_by_print(grey, page, NO_MARKS, layout, blanks)
    if again is None or not _has_heading_of(again.flat, blanks.draw(layout.sheet), layout.form):
        return Nameless(printed_id, (layout.sheet,))
    others = has_others_markers(again.flat, layout.slot, 1, layouts)
    return Nameless(printed_id, (layout.sheet,)) if others else (layout, again)


def register_by_print(
    grey: Grey, page: PrintFeatures, seen: marks.Marks, layout: PageLayout, blanks: Blanks
) -> RegisteredPage | None:
    """Register a page as one sheet by the print of its form; None if print or marks do not fit."""
    fitted = _fit_print(blanks.print_of(layout), page, layout.form)
    registered = None if fitted is None else register_nearly_known(grey, seen, layout.marker_ids, layout.form, fitted)
    return registered if isinstance(registered, RegisteredPage) else None


def sheets_beside(grey: Grey, quads: Sequence[Quad], layouts: Layouts, blanks: Blanks) -> tuple[Quad, ...]:
    """Find sheets without a mark beside those that were found on a picture, by what is printed on the rest of it."""
    more: list[Quad] = []
    rest, size = grey.copy(), np.array(grey.shape[::-1], np.float64)
    while quads and len(more) < MOST_BESIDE:
        areas = [marks.area(np.asarray(quad)) for quad in (*quads, *more)]
        if 1 - sum(areas) < ROOM_BESIDE * min(areas):
            break
        for quad in (*quads, *more):
            cv2.fillConvexPoly(rest, np.round(np.asarray(quad) * size).astype(np.int32), (int(np.median(grey)),))
        page = features(rest, SHARED_SIDE, SHARED_FEATURES)
        likeliest = blanks.likeliest(page, layouts.values())
        fits = ((_fit_print(blanks.print_of(each), page, each.form), each.form) for each in likeliest)
        outline = next((outline_of(fitted.perspective, form) for fitted, form in fits if fitted is not None), None)
        if outline is None or any(overlap(outline / size, quad) > MOST_UNDER for quad in (*quads, *more)):
            break
        more.append(outline / size)
    return tuple(more)
