"""What is printed for machines and found on a picture: the two codes and the four corner markers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import zxingcpp
from numpy.typing import NDArray

from pipeline.paper.sheet.live_code import is_live
from pipeline.reading.files.picture import Grey

Points = NDArray[np.float64]  # n by 2, pixels of the page's picture or mm of the sheet, as the name says

CODE_SIDE = 2600  # longest side for codes: 18 mm codes have 5 pixels a square in 220 dpi, more only costs time
SHARPER = 1.5  # how much of what a blur takes away is given back: an unsharp mask
CLOSER = 4  # times, for a code at the resolution of a straight sheet
COARSE_SIDE = 1250  # about 100 dpi for a page that fills the picture: 15 ms
FINE_SIDE = 2600  # about 220 dpi, as CODE_SIDE
SHARED_SIDE = 4000  # four A4 sheets beside one another have 170 dpi
MARKER_SQUARES = 7  # along a marker's side: five and its rim
MOST_STEPS, NEAR_PX = 30, 0.01  # of the search for a corner, which ends when a step is so small
ASTRAY = 1.5  # times that: a corner found further off is another
HALF_WINDOW_PX = (2, 9)  # least and most that is looked at on either side of a corner
STREAK_SHARE = 0.006  # of the picture's width: 1.3 mm
STREAK_LINES = 600  # lines of the picture that a column is judged by: every 0.5 mm of A4
STREAK_DEPTH = 40  # grey levels by which a column's middle differs from the page's
STREAK_EVEN = 0.3  # of the usual spread: a column that print and ink do not change is a streak
MOST_STRUCK = 0.1  # of the columns: more is no dirt on the glass but a picture of something else
STREAK_RIM_PX = 5  # a streak's own width and two soft pixels on either side
PEPPER_PX = 5  # side of the median: strewn dots are one or two pixels wide
QR = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)


@dataclass(frozen=True, slots=True)
class Code:
    """One QR code that was read."""

    text: str
    corners: Points  # 4 by 2, clockwise from its own top left


@dataclass(frozen=True, slots=True)
class Marks:
    """All codes and markers of one picture."""

    codes: tuple[Code, ...]
    markers: Mapping[int, Points]  # number -> its corners, clockwise from its own top left

    @property
    def texts(self) -> tuple[str, ...]:
        """What the codes say, each text once."""
        return tuple(dict.fromkeys(code.text for code in self.codes))

    def scaled(self, scale: float) -> "Marks":
        """The marks of the same picture made smaller; pixel middles stay middles."""
        return Marks(
            tuple(Code(code.text, (code.corners + 0.5) * scale - 0.5) for code in self.codes),
            {number: (corners + 0.5) * scale - 0.5 for number, corners in self.markers.items()},
        )

    @property
    def slots(self) -> frozenset[int]:
        """Which slots the markers belong to."""
        return frozenset(number // 4 for number in self.markers)


def find_codes(grey: Grey) -> tuple[Code, ...]:
    """Read the QR codes of a picture, but for those that are for telephones."""
    small, scale = reduced(grey, CODE_SIDE)
    found = codes_in(small)
    if not found and scale < 1:
        small, scale = grey, 1.0
        found = codes_in(small)
    return tuple(Code(code.text, code_corners(code.position) / scale) for code in found)


def codes_in(grey: Grey) -> list[zxingcpp.Barcode]:
    """Read the QR codes that tell a sheet, or are somebody else's; one for telephones says nothing of its paper."""
    return [code for code in zxingcpp.read_barcodes(grey, formats=QR) if not is_live(code.text)]


def read_code_closely(part: Grey) -> str | None:
    """Read one code whose place is known, from pictures made larger and sharper; blur and a shaky hand hide it else."""
    large = cv2.resize(part, None, fx=CLOSER, fy=CLOSER, interpolation=cv2.INTER_CUBIC)
    soft = cv2.GaussianBlur(large, (0, 0), CLOSER)  # a pixel of the picture
    sharp = cv2.addWeighted(large, 1 + SHARPER, soft, -SHARPER, 0)
    _, black = cv2.threshold(sharp, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    for picture in (large, sharp, black):
        found = zxingcpp.read_barcodes(picture, formats=QR)
        if found:
            return str(found[0].text)
    return None


def code_corners(position: zxingcpp.Position) -> Points:
    """The corners of a code as an array."""
    corners = (position.top_left, position.top_right, position.bottom_right, position.bottom_left)
    return np.array([(corner.x, corner.y) for corner in corners], np.float64)


def find_markers(grey: Grey, numbers: Iterable[int]) -> dict[int, Points]:
    """Find the markers with these numbers; looks closer while fewer than three are found."""
    wanted = tuple(sorted(set(numbers)))
    best: dict[int, Points] = {}
    if not wanted:
        return best
    for side, mend in ((COARSE_SIDE, None), (FINE_SIDE, None), (COARSE_SIDE, without_streaks), (COARSE_SIDE, median)):
        picture, scale = reduced(grey if mend is None else mend(grey), side)
        found = {number: corners / scale for number, corners in detect(picture, wanted).items()}
        best = found if len(found) > len(best) else best
        if len(best) >= 3:
            break
    return {number: refine(grey, corners) for number, corners in best.items()}


def detect(grey: Grey, numbers: tuple[int, ...]) -> dict[int, Points]:
    """Run OpenCV's detector for some of the dictionary; of a number seen twice the larger one counts."""
    found: dict[int, Points] = {}
    for number, points in every(grey, numbers):
        if number not in found or area(points) > area(found[number]):
            found[number] = points
    return found


def every(grey: Grey, numbers: tuple[int, ...]) -> list[tuple[int, Points]]:
    """Run OpenCV's detector for some of the dictionary; several sheets may have the same numbers."""
    corners, ids, _ = detector(numbers).detectMarkers(grey)
    indices = [] if ids is None else np.ravel(ids)
    return [
        (numbers[int(index)], quad.reshape(4, 2).astype(np.float64))
        for quad, index in zip(corners, indices, strict=True)
    ]


def sightings(grey: Grey, numbers: Iterable[int]) -> list[tuple[int, Points]]:
    """Find all markers with these numbers on a picture of more than one sheet, each as often as it is seen."""
    wanted = tuple(sorted(set(numbers)))
    if not wanted:
        return []
    picture, scale = reduced(grey, SHARED_SIDE)
    return [(number, points / scale) for number, points in every(picture, wanted)]


@lru_cache(maxsize=256)
def detector(numbers: tuple[int, ...]) -> cv2.aruco.ArucoDetector:
    """Make a detector that knows only some markers: quicker, and blind to other people's."""
    whole = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_1000)
    some = cv2.aruco.Dictionary(whole.bytesList[list(numbers)].copy(), whole.markerSize, whole.maxCorrectionBits)
    wishes = cv2.aruco.DetectorParameters()
    wishes.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(some, wishes)


def refine(grey: Grey, corners: Points) -> Points:
    """Find the corners again on the full picture, to a fraction of a pixel."""
    side = float(np.sqrt(area(corners)))
    half = int(np.clip(side / MARKER_SQUARES / 2, *HALF_WINDOW_PX))  # half a square: no second edge in the window
    start = corners.astype(np.float32).reshape(-1, 1, 2)
    inside = (start > half + 2).all() and (start[..., 0] < grey.shape[1] - half - 2).all()
    if not inside or not (start[..., 1] < grey.shape[0] - half - 2).all():
        return corners
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, MOST_STEPS, NEAR_PX)
    found = cv2.cornerSubPix(grey, start.copy(), (half, half), (-1, -1), stop).reshape(4, 2).astype(np.float64)
    return found if float(np.abs(found - corners).max()) <= ASTRAY * half else corners


def reduced(grey: Grey, side: int) -> tuple[Grey, float]:
    """Make the longest side of a picture no longer than this; never larger than it was."""
    scale = side / max(grey.shape)
    if scale >= 1:
        return grey, 1.0
    return cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False), scale


def without_streaks(grey: Grey) -> Grey:
    """Fill the columns that a speck on the scanner's glass turned into lines, dark or white."""
    lines = grey[:: max(1, grey.shape[0] // STREAK_LINES)]
    middle, spread = np.median(lines, axis=0), lines.std(axis=0)
    is_off = np.abs(middle - np.median(middle)) > STREAK_DEPTH
    struck = narrow(is_off | (spread < STREAK_EVEN * np.median(spread)))
    if not struck.any() or struck.mean() > MOST_STRUCK:
        return grey
    struck = cv2.dilate(struck.astype(np.uint8)[None], np.ones((1, STREAK_RIM_PX), np.uint8))[0] > 0
    return bridged(grey, struck)


def bridged(grey: Grey, struck: NDArray[np.bool_], lightest_of: int = 0) -> Grey:
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


def narrow(columns: NDArray[np.bool_]) -> NDArray[np.bool_]:
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


def area(corners: Points) -> float:
    """The area of a quadrilateral."""
    x, y = corners[:, 0], corners[:, 1]
    return abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2
