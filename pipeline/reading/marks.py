"""What is printed for machines and found on a picture: the two codes and the four corner markers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import permutations

import cv2
import numpy as np
import zxingcpp
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from pipeline.ink import Box
from pipeline.paper.sheet import is_live
from pipeline.paper.sheet_layout import Form
from pipeline.reading.limits import MM_PER_INCH
from pipeline.reading.pages import Grey

PointArray = NDArray[np.float64]  # n by 2, pixels of the page's picture or mm of the sheet, as the name says

CODE_SIDE = 2600  # longest side for codes: 18 mm codes have 5 pixels a square in 220 dpi, more only costs time
SHARPER = 1.5  # strength of the unsharp mask
CLOSER = 4  # times, for a code at the resolution of a straight sheet
COARSE_SIDE = 1250  # about 100 dpi for a page that fills the picture: 15 ms
QUICK_SIDE = 900  # of one picture of many: a marker of 8 mm has 20 pixels and more
FINE_SIDE = 2600  # about 220 dpi, as CODE_SIDE
SHARED_SIDE = 4000  # four A4 sheets beside one another have 170 dpi
MARKER_SQUARES = 7  # along a marker's side: five and its rim
MOST_STEPS, NEAR_PX = 30, 0.01  # of the search for a corner, which ends when a step is so small
ASTRAY = 1.5  # half windows: a corner found further off is another one
HALF_WINDOW_PX = (2, 9)  # least and most that is looked at on either side of a corner
STREAK_SHARE = 0.006  # of the picture's width: 1.3 mm
STREAK_LINES = 600  # lines of the picture that a column is judged by: every 0.5 mm of A4
STREAK_DEPTH = 40  # grey levels by which a column's middle differs from the page's
STREAK_EVEN = 0.3  # of the usual spread: a column that print and ink do not change is a streak
MOST_STRUCK = 0.1  # of the columns: more is no dirt on the glass but a picture of something else
STREAK_RIM_PX = 5  # a streak's own width and two soft pixels on either side
PEPPER_PX = 5  # side of the median: strewn dots are one or two pixels wide
DARK_AND_LIGHT = [10, 95]  # percentiles of a code: its print and its paper
BEHIND = 0.55  # share of this side's print: 0.10 to 0.38 shine through paper
QR = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)


class Code(Struct, frozen=True):
    """One QR code that was read."""

    text: str
    corners: PointArray  # 4 by 2, clockwise from its own top left
    through: float = 0.0  # how dark print of the paper's other side is beside it, 0..1; 0: none shines through


class Marks(Struct, frozen=True):
    """All codes and markers of one picture."""

    codes: tuple[Code, ...]
    markers: Mapping[int, PointArray]  # number -> its corners, clockwise from its own top left

    def scale(self, scale: float) -> "Marks":
        """The marks of the same picture made smaller; pixel middles stay middles."""
        return Marks(
            tuple(replace(code, corners=(code.corners + 0.5) * scale - 0.5) for code in self.codes),
            {number: (points + 0.5) * scale - 0.5 for number, points in self.markers.items()},
        )

    @property
    def through(self) -> float:
        """How dark print of the paper's other side is, 0..1."""
        return max((code.through for code in self.codes), default=0.0)


def find_codes(grey: Grey) -> tuple[Code, ...]:
    """Read the QR codes of a picture, without those for phones and those of the paper's other side.

    A code is read in a mirror, too, and however faint it is: what shines through says nothing of this side.
    """
    small, scale = shrink_picture(grey, CODE_SIDE)
    symbols = _codes_in(small)
    if not symbols and scale < 1:
        small, scale = grey, 1.0
        symbols = _codes_in(small)
    codes = [Code(code.text, _code_corners(code.position) / scale) for code in symbols]
    if len({code.text for code in codes}) < 2:
        return tuple(codes)
    dark = [_code_darkness(grey, code) for code in codes]
    behind = [each for each in dark if each < BEHIND * max(dark)]
    through = max(behind, default=0.0)
    return tuple(replace(code, through=through) for code, each in zip(codes, dark, strict=True) if each not in behind)


def _code_darkness(grey: Grey, code: Code) -> float:
    """How dark the print of a code is against its paper: 1 where it is black."""
    left, top = np.maximum(code.corners.min(axis=0).astype(int), 0)
    right, bottom = code.corners.max(axis=0).astype(int) + 1
    dark, light = np.percentile(grey[top:bottom, left:right], DARK_AND_LIGHT)
    return float(1 - dark / max(light, 1.0))


def _codes_in(grey: Grey) -> list[zxingcpp.Barcode]:
    """Read the QR codes that tell a sheet, or are somebody else's; one for telephones says nothing of its paper."""
    return [code for code in zxingcpp.read_barcodes(grey, formats=QR) if not is_live(code.text)]


def read_code_closely(part: Grey) -> str | None:
    """Read one code whose place is known, from pictures made larger and sharper; blur and a shaky hand hide it else."""
    large = cv2.resize(part, None, fx=CLOSER, fy=CLOSER, interpolation=cv2.INTER_CUBIC)
    soft = cv2.GaussianBlur(large, (0, 0), CLOSER)  # a pixel of the picture
    sharp = cv2.addWeighted(large, 1 + SHARPER, soft, -SHARPER, 0)
    _, black = cv2.threshold(sharp, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    for picture in (large, sharp, black):
        barcodes = zxingcpp.read_barcodes(picture, formats=QR)
        if barcodes:
            return str(barcodes[0].text)
    return None


def _code_corners(position: zxingcpp.Position) -> PointArray:
    points = (position.top_left, position.top_right, position.bottom_right, position.bottom_left)
    return np.array([(corner.x, corner.y) for corner in points], np.float64)


def find_markers(grey: Grey, numbers: Iterable[int]) -> dict[int, PointArray]:
    """Find the fiducial markers with these numbers; looks closer while fewer than three are found."""
    wanted = tuple(sorted(set(numbers)))
    best: dict[int, PointArray] = {}
    if not wanted:
        return best
    for side, mend in ((COARSE_SIDE, None), (FINE_SIDE, None), (COARSE_SIDE, without_streaks), (COARSE_SIDE, median)):
        picture, scale = shrink_picture(grey if mend is None else mend(grey), side)
        markers = {number: points / scale for number, points in _detect(picture, wanted).items()}
        best = markers if len(markers) > len(best) else best
        if len(best) >= 3:
            break
    return {number: _refine(grey, points) for number, points in best.items()}


def find_markers_quickly(grey: Grey, numbers: Iterable[int]) -> dict[int, PointArray]:
    """Find the markers with these numbers at one look, as is enough for one picture of many a second."""
    picture, scale = shrink_picture(grey, QUICK_SIDE)
    return {number: points / scale for number, points in _detect(picture, tuple(sorted(set(numbers)))).items()}


def _detect(grey: Grey, numbers: tuple[int, ...]) -> dict[int, PointArray]:
    """Run OpenCV's detector for some of the dictionary; of a number seen twice the larger one counts."""
    markers: dict[int, PointArray] = {}
    for number, points in _every(grey, numbers):
        if number not in markers or area(points) > area(markers[number]):
            markers[number] = points
    return markers


def _every(grey: Grey, numbers: tuple[int, ...]) -> list[tuple[int, PointArray]]:
    """Run OpenCV's detector for some of the dictionary; several sheets may have the same numbers."""
    quads, ids, _ = _detector(numbers).detectMarkers(grey)
    indices = [] if ids is None else np.ravel(ids)
    return [
        (numbers[int(index)], quad.reshape(4, 2).astype(np.float64)) for quad, index in zip(quads, indices, strict=True)
    ]


def sightings(grey: Grey, numbers: Iterable[int]) -> list[tuple[int, PointArray]]:
    """Find all markers with these numbers on a picture of more than one sheet, each as often as it is seen."""
    wanted = tuple(sorted(set(numbers)))
    if not wanted:
        return []
    picture, scale = shrink_picture(grey, SHARED_SIDE)
    return [(number, points / scale) for number, points in _every(picture, wanted)]


@lru_cache(maxsize=256)
def _detector(numbers: tuple[int, ...]) -> cv2.aruco.ArucoDetector:
    """Make a detector that knows only some markers: quicker, and blind to other people's."""
    whole = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_1000)
    some = cv2.aruco.Dictionary(whole.bytesList[list(numbers)].copy(), whole.markerSize, whole.maxCorrectionBits)
    wishes = cv2.aruco.DetectorParameters()
    wishes.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(some, wishes)


def _refine(grey: Grey, points: PointArray) -> PointArray:
    """Find the corners again on the full picture, to a fraction of a pixel."""
    side = float(np.sqrt(area(points)))
    half = int(np.clip(side / MARKER_SQUARES / 2, *HALF_WINDOW_PX))  # half a square: no second edge in the window
    start = points.astype(np.float32).reshape(-1, 1, 2)
    inside = (start > half + 2).all() and (start[..., 0] < grey.shape[1] - half - 2).all()
    if not inside or not (start[..., 1] < grey.shape[0] - half - 2).all():
        return points
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, MOST_STEPS, NEAR_PX)
    refined = cv2.cornerSubPix(grey, start.copy(), (half, half), (-1, -1), stop).reshape(4, 2).astype(np.float64)
    return refined if float(np.abs(refined - points).max()) <= ASTRAY * half else points


def shrink_picture(grey: Grey, side: int) -> tuple[Grey, float]:
    """Make the longest side of a picture no longer than this; never larger than it was.

    First by a whole number, at which OpenCV is ten times as quick, then by less than two: no pixel is passed over.
    """
    scale = side / max(grey.shape)
    if scale >= 1:
        return grey, 1.0
    times = int(1 / scale)
    if times > 1:
        height, width = (length // times for length in grey.shape)
        part = grey[: height * times, : width * times]
        grey = cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    rest = scale * times
    return cv2.resize(grey, None, fx=rest, fy=rest, interpolation=cv2.INTER_LINEAR).astype(np.uint8, copy=False), scale


def without_streaks(grey: Grey) -> Grey:
    """Fill the columns that a speck on the scanner's glass turned into lines, dark or white."""
    lines = grey[:: max(1, grey.shape[0] // STREAK_LINES)]
    middle, spread = np.median(lines, axis=0), lines.std(axis=0)
    is_off = np.abs(middle - np.median(middle)) > STREAK_DEPTH
    struck = _narrow(is_off | (spread < STREAK_EVEN * np.median(spread)))
    if not struck.any() or struck.mean() > MOST_STRUCK:
        return grey
    struck = cv2.dilate(struck.astype(np.uint8)[None], np.ones((1, STREAK_RIM_PX), np.uint8))[0] > 0
    return bridge_columns(grey, struck)


def bridge_columns(grey: Grey, struck: NDArray[np.bool_], lightest_of: int = 0) -> Grey:
    """Fill columns of a picture with the mean of those beside them, or with the lightest of so many on either side."""
    good = np.flatnonzero(~struck)
    mended = grey.copy()
    for column in np.flatnonzero(struck):
        after = int(np.searchsorted(good, column))
        left, right = good[max(0, after - 1)], good[min(len(good) - 1, after)]
        if lightest_of:
            sides = (grey[:, max(0, left + 1 - lightest_of) : left + 1], grey[:, right : right + lightest_of])
            mended[:, column] = np.maximum(*(side.max(axis=1) for side in sides))
        else:
            mended[:, column] = (grey[:, left].astype(np.uint16) + grey[:, right]) // 2
    return mended


def _narrow(columns: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Keep only runs as narrow as a speck: empty margins are as even as a streak, but wide."""
    widest = max(4, round(STREAK_SHARE * len(columns)))
    edges = np.flatnonzero(np.diff(np.r_[0, columns.astype(np.int8), 0]))
    kept = np.zeros_like(columns)
    for first, last in zip(edges[::2], edges[1::2], strict=True):
        kept[first:last] = last - first <= widest
    return kept


def median(grey: Grey) -> Grey:
    """Take out pepper and salt."""
    return cv2.medianBlur(grey, PEPPER_PX).astype(np.uint8, copy=False)


def area(points: PointArray) -> float:
    """The area of a quadrilateral."""
    x, y = points[:, 0], points[:, 1]
    return abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2


# The map from the sheet's millimetres to the picture's pixels: a homography plus the bend of paper and rollers.

FLAT_DPI = 200  # of every sheet taken out of its picture
NODE_PIXELS = 24  # between two nodes of the grid, so that the grid grows by a whole number to pixels
NODE_MM = NODE_PIXELS * MM_PER_INCH / FLAT_DPI  # 3.05; paper does not bend more finely
PIXELS_PER_MM = FLAT_DPI / MM_PER_INCH
GridPoints = NDArray[np.float64]  # rows by columns by 2


class Warp(Struct, frozen=True):
    """A map from mm on the sheet to pixels on the picture."""

    perspective: NDArray[np.float64]  # 3 by 3, mm -> pixels
    width: float  # mm
    height: float
    bend: GridPoints  # displacement in mm at each node

    @classmethod
    def flat(cls, perspective: NDArray[np.float64], width: float, height: float) -> "Warp":
        """Make the map of a sheet that lies flat."""
        # one node outside on each side
        rows, columns = int(np.ceil(height / NODE_MM)) + 3, int(np.ceil(width / NODE_MM)) + 3
        return cls(perspective, width, height, np.zeros((rows, columns, 2)))

    @property
    def pixels_per_mm(self) -> float:
        """How finely the middle of the sheet was scanned."""
        middle = np.array([[self.width / 2, self.height / 2]]) + np.array([[0, 0], [1, 0], [0, 1]])
        origin, right, down = transform(self.perspective, middle)
        (a, b), (c, d) = right - origin, down - origin
        return float(np.sqrt(abs(a * d - b * c)))

    def bent(self, more: GridPoints) -> "Warp":
        """Add to the bend."""
        return replace(self, bend=self.bend + more)

    def scale(self, scale: float) -> "Warp":
        """The map onto the same picture made smaller; pixel middles stay middles."""
        shift = (scale - 1) / 2
        smaller = np.array([[scale, 0, shift], [0, scale, shift], [0, 0, 1]])
        return replace(self, perspective=smaller @ self.perspective)

    def nodes(self) -> GridPoints:
        """Where the nodes are, in mm on the sheet."""
        rows, columns = self.bend.shape[:2]
        x = (np.arange(columns) - 1) * NODE_MM
        y = (np.arange(rows) - 1) * NODE_MM
        return np.stack(np.meshgrid(x, y), axis=-1).astype(np.float64)

    def carry(self, points: PointArray) -> PointArray:
        """Where points of the sheet are on the picture."""
        x, y = (points / NODE_MM + 1).astype(np.float32).T
        bend = cv2.remap(self.bend.astype(np.float32), x[:, None], y[:, None], cv2.INTER_LINEAR)[:, 0]
        return transform(self.perspective, points + bend)

    def picture(self, grey: Grey) -> Grey:
        """Take the sheet out of the picture, straight, at `FLAT_DPI`; the first pixel's middle is half a pixel in."""
        return _remap_pixels(grey, *self._places())

    def strips(self, grey: Grey, columns: Iterable[slice]) -> Grey:
        """Take some columns of it out of the picture; the others are left black."""
        flat: Grey = np.zeros((round(self.height * PIXELS_PER_MM), round(self.width * PIXELS_PER_MM)), np.uint8)
        for strip in columns:
            flat[:, strip] = _remap_pixels(grey, *self._places(strip))
        return flat

    def _places(self, strip: slice = slice(None)) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Where each pixel of the sheet, or of some of its columns, is on the picture: columns and rows."""
        places = transform(self.perspective, (self.nodes() + self.bend).reshape(-1, 2))
        rows, columns = self.bend.shape[:2]
        grid = places.reshape(rows, columns, 2).astype(np.float32)
        return self._dense(grid[..., 0], strip), self._dense(grid[..., 1], strip)

    def _dense(self, grid: NDArray[np.float32], strip: slice) -> NDArray[np.float32]:
        """Grow the nodes of one axis to the pixels of a strip of the sheet; only those in it and beside it count."""
        first = NODE_PIXELS * 3 // 2  # the second node, where the sheet begins, is the edge before this pixel
        start, end, _ = strip.indices(round(self.width * PIXELS_PER_MM))
        left = max(0, (first + start) // NODE_PIXELS - 1)
        part = np.ascontiguousarray(grid[:, left : (first + end) // NODE_PIXELS + 2])
        grown = cv2.resize(part, (part.shape[1] * NODE_PIXELS, part.shape[0] * NODE_PIXELS))
        off = first - left * NODE_PIXELS
        return np.asarray(grown[first:, off + start : off + end][: round(self.height * PIXELS_PER_MM)], np.float32)


def _remap_pixels(grey: Grey, x: NDArray[np.float32], y: NDArray[np.float32]) -> Grey:
    """Take pixels out of a picture that lie at these places of it."""
    remapped: Grey = cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(
        np.uint8, copy=False
    )
    return remapped


def transform(perspective: NDArray[np.float64], points: PointArray) -> PointArray:
    carried = np.c_[points, np.ones(len(points))] @ perspective.T
    flat: PointArray = carried[:, :2] / carried[:, 2:]
    return flat


# The homography of a sheet on its picture, fitted to the marks that were found.

OUTLIER_MM = 1.5  # a marker's corner this far from where the others say is not that marker's
UNEVEN = 3.0  # a page photographed so that one corner is three times as large as another cannot be read


class FittedPage(Struct, frozen=True):
    """A homography, and how well the marks agree with it."""

    perspective: NDArray[np.float64]  # 3 by 3, mm -> pixels
    markers: int  # found
    rms_mm: float


def fit(marks: Marks, marker_ids: Sequence[int], form: Form) -> FittedPage | None:
    """Fit a homography to the markers; to the codes as well where fewer than three markers are left."""
    boxes = dict(zip(marker_ids, form.markers, strict=True))
    numbers = [number for number in marker_ids if number in marks.markers]
    sheet = [corners(boxes[number]) for number in numbers]
    seen = [marks.markers[number] for number in numbers]
    if len(numbers) >= 3:
        return solve(sheet, seen, len(numbers))
    best: FittedPage | None = None
    for places, codes in _pairings(marks.codes, form):
        if len(numbers) + len(codes) < 2:
            continue
        tried = solve([*sheet, *places], [*seen, *(code.corners for code in codes)], len(numbers))
        if tried and (best is None or tried.rms_mm < best.rms_mm):
            best = tried
    return best


def fit_middles(marks: Marks, marker_ids: Sequence[int], form: Form) -> NDArray[np.float64] | None:
    """The homography through the middles of all four markers: on curled paper their sides are too short."""
    if any(number not in marks.markers for number in marker_ids):
        return None
    return through_middles(form, [marks.markers[number] for number in marker_ids])


def through_middles(form: Form, seen: Sequence[PointArray]) -> NDArray[np.float64] | None:
    """The homography through the middles of a form's four markers, in their order; None where paper cannot lie so."""
    here = np.array([corners(box).mean(axis=0) for box in form.markers])
    there = np.array([points.mean(axis=0) for points in seen])
    perspective = cv2.getPerspectiveTransform(here.astype(np.float32), there.astype(np.float32)).astype(np.float64)
    return perspective if is_possible(perspective, here) else None


def disagreement_mm(perspective: NDArray[np.float64], marks: Marks, marker_ids: Sequence[int], form: Form) -> float:
    """The median distance of the marks from where a homography puts them."""
    back = np.linalg.inv(perspective).astype(np.float64)
    off = [
        float(np.linalg.norm(transform(back, marks.markers[number]) - corners(box), axis=1).mean())
        for number, box in zip(marker_ids, form.markers, strict=True)
        if number in marks.markers
    ]
    for code in marks.codes:
        seen = transform(back, code.corners)
        off.append(min(float(np.linalg.norm(seen - corners(box), axis=1).mean()) for box in form.codes))
    return float(np.median(off)) if off else float("inf")


def apart_mm(one: NDArray[np.float64], other: NDArray[np.float64], form: Form) -> float:
    """The median distance, at the bars beside the rows, between two homographies."""
    middles = np.array([(bar.left + bar.width / 2, bar.top + bar.height / 2) for pair in form.bars for bar in pair])
    back = transform(np.linalg.inv(one).astype(np.float64), transform(other, middles))
    return float(np.median(np.linalg.norm(back - middles, axis=1)))


def _pairings(codes: Sequence[Code], form: Form) -> Iterator[tuple[list[PointArray], list[Code]]]:
    """Each assignment of the codes that were read to the two that were printed."""
    places = [corners(box) for box in form.codes]
    seen = list(codes[:2])
    for order in permutations(places, len(seen)):
        yield list(order), seen


def solve(sheet: Sequence[PointArray], seen: Sequence[PointArray], markers: int) -> FittedPage | None:
    """Fit a perspective to corresponding points."""
    here, there = np.vstack(sheet), np.vstack(seen)
    scale = float(np.sqrt(np.ptp(there, axis=0).prod() / max(1e-6, float(np.ptp(here, axis=0).prod()))))
    robust = cv2.RANSAC if len(sheet) >= 4 else 0
    matrix, _ = cv2.findHomography(here, there, robust, max(2.0, OUTLIER_MM * scale))
    if matrix is None:
        return None
    perspective = matrix.astype(np.float64)
    if not is_possible(perspective, here):
        return None
    back = transform(np.linalg.inv(perspective).astype(np.float64), there)
    off = np.linalg.norm(back - here, axis=1)
    keep = off < 2 * OUTLIER_MM if robust else np.ones(len(off), bool)
    return FittedPage(perspective, markers, float(np.sqrt(np.mean(off[keep] ** 2)))) if keep.any() else None


def is_possible(perspective: NDArray[np.float64], points: PointArray) -> bool:
    """Say whether paper can look like this: not seen from behind, no corner far larger than another."""
    left, top = points.min(axis=0)
    right, bottom = points.max(axis=0)
    areas = []
    for x in (left, right):
        for y in (top, bottom):
            origin, across, down = transform(perspective, np.array([[x, y], [x + 1, y], [x, y + 1]]))
            (a, b), (c, d) = across - origin, down - origin
            areas.append(float(a * d - b * c))
    return min(areas) > 0 and max(areas) < UNEVEN**2 * min(areas)


def corners(box: Box) -> PointArray:
    """The corners of a box, clockwise from the top left, in mm."""
    right, bottom = box.left + box.width, box.top + box.height
    return np.array([[box.left, box.top], [right, box.top], [right, bottom], [box.left, bottom]], np.float64)
