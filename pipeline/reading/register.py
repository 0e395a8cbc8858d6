"""Registration: find a page's orientation and homography, lay it straight, measure the residual; refuse if unsure."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from pipeline.ink import Box, PictureFault, PictureMessage
from pipeline.paper.sheet_layout import Form, Guide
from pipeline.reading import dewarp
from pipeline.reading.curl import find_curl
from pipeline.reading.limits import MM_PER_INCH
from pipeline.reading.marks import (
    FLAT_DPI,
    PIXELS_PER_MM,
    FittedPage,
    Marks,
    Warp,
    apart_mm,
    bridge_columns,
    corners,
    disagreement_mm,
    fit,
    fit_middles,
    read_code_closely,
    shrink_picture,
    transform,
)
from pipeline.reading.pages import Grey
from pipeline.reading.patterns import Shades, without_grain, without_patterns
from pipeline.reading.rims import without_rims

# Faults of printer and scanner, measured on a picture.

Perspective = NDArray[np.float64]  # 3 by 3, mm on the sheet -> pixels

NEIGHBOUR_MM = 1.0  # dirt on the glass draws lines of 0.1 to 0.6 mm; what is beside them is paper or print
RIM_MM = 3.0  # at the sides of a picture the paper's own edge is seen
EDGE_MM = 8.0  # from the sheet's edge: where its markers are, about
MOST_INSET_MM = 1.0  # of a box that is measured: its edge is soft, and may lie off
LIGHTEST_MM = 0.6  # on either side of a line: a printed dot is 0.4 wide with its blur, a hyphen 2
BLUR_MM = 0.2  # beside a line that is a little darker than paper
DEEPER = 20  # grey levels below both neighbours: a scanner's grain has 4 to 8
PAPER, PRINT = 130, 110  # grey levels
ALWAYS = 0.9  # a line must be dark in this share of the rows that could show it
ENOUGH_MM = 8.0  # such rows must make up this height: two bands of the test deck make 12
PAPER_SHARE = 0.3  # of all rows must be paper for a dark line to be seen at all


class Streak(Struct, frozen=True):
    """A line down the whole picture, drawn by something on the scanner's glass."""

    left_mm: float  # from the left edge of the picture
    width_mm: float
    is_white: bool  # it hides print; else it is drawn on the paper


class PagePlacement(Struct, frozen=True):
    """The rotation, scale and shear of a sheet in its picture."""

    across: float  # horizontal scale, relative to the size that the file states; 0 if it states none
    down: float
    askew: float  # degrees from upright, on its side or upside down
    sheared: float  # degrees by which the sides are not at right angles
    taper: float  # how much longer one side is than the one across from it; a scanner's picture has less than 0.002
    dpi: float


def lie_of(
    perspective: Perspective, form: Form, shape: Sequence[int], size_mm: tuple[float, float] | None
) -> PagePlacement:
    """Measure size and angles between the middles of the sheet's edges, where its markers are."""
    width, height = form.width, form.height
    right_mm, low_mm = width - EDGE_MM, height - EDGE_MM
    middles = np.array([[EDGE_MM, height / 2], [right_mm, height / 2], [width / 2, EDGE_MM], [width / 2, low_mm]])
    left, right, top, bottom = transform(perspective, middles)
    across, down = right - left, bottom - top
    ends_mm = width - 2 * EDGE_MM, height - 2 * EDGE_MM
    lie = [0.0, 0.0]
    if size_mm is not None:
        per_px = np.array([size_mm[0] / shape[1], size_mm[1] / shape[0]])
        lie = [float(np.linalg.norm(way * per_px)) / mm for way, mm in zip((across, down), ends_mm, strict=True)]
    turned, upright = (float(np.degrees(np.arctan2(way[1], way[0]))) for way in (across, down))
    askew = (turned + 45) % 90 - 45
    sheared = (upright - turned) % 180 - 90
    points = transform(
        perspective, np.array([[EDGE_MM, EDGE_MM], [right_mm, EDGE_MM], [right_mm, low_mm], [EDGE_MM, low_mm]])
    )
    sides = np.linalg.norm(np.roll(points, -1, axis=0) - points, axis=1)
    taper = float(np.abs(sides[:2] / sides[2:] - 1).max())
    dpi = float(np.linalg.norm(across)) / ends_mm[0] * MM_PER_INCH
    return PagePlacement(lie[0], lie[1], askew, sheared, taper, dpi)


def find_streaks(grey: Grey, dpi: float, *, has_bands: bool = False) -> tuple[Streak, ...]:
    """Find the lines that dirt draws down a picture.

    Dark ones are seen on paper; white ones only where something black is printed from edge to edge (``has_bands``).
    A grey line is dark on paper and pale on black: it is one line.
    """
    per_mm = dpi / MM_PER_INCH
    soft = np.asarray(cv2.blur(grey, (1, 3)), np.int16)  # a little along the feed: grain goes, lines stay
    beside = max(2, round(NEIGHBOUR_MM * per_mm))
    middle = soft[:, beside:-beside]
    left, right = soft[:, : -2 * beside], soft[:, 2 * beside :]
    least, most = np.minimum(left, right), np.maximum(left, right)
    rim = max(0, round(RIM_MM * per_mm) - beside)
    dark = share(middle < least - DEEPER, least > PAPER, PAPER_SHARE * len(grey))
    streaks = [Streak((a + b) / 2 / per_mm, (b - a) / per_mm, False) for a, b in _runs(dark >= ALWAYS, rim, beside)]
    if has_bands:
        white = share(middle > most + 2 * DEEPER, most < PRINT, ENOUGH_MM * per_mm)
        pale = [Streak((a + b) / 2 / per_mm, (b - a) / per_mm, True) for a, b in _runs(white >= ALWAYS, rim, beside)]
        streaks += [p for p in pale if all(abs(p.left_mm - d.left_mm) > NEIGHBOUR_MM for d in streaks)]
    return tuple(sorted(streaks, key=lambda streak: streak.left_mm))


def _without_lines(grey: Grey, streaks: Sequence[Streak], dpi: float) -> tuple[Grey, Grey]:
    """Fill dark lines with what is lightest beside them, and draw where: black there, else white.

    A stroke that crosses a line is bridged where it is level; a dot beside a line does not become a dash.
    """
    per_mm = dpi / MM_PER_INCH
    struck = np.zeros(grey.shape[1], bool)
    for line in streaks:
        middle, half = line.left_mm * per_mm, (line.width_mm / 2 + BLUR_MM) * per_mm
        struck[max(0, int(middle - half)) : int(middle + half) + 1] = True
    where = np.where(struck, 0, 255).astype(np.uint8)
    return bridge_columns(grey, struck, max(1, round(LIGHTEST_MM * per_mm))), np.repeat(where[None], len(grey), axis=0)


def share(seen: NDArray[np.bool_], where: NDArray[np.bool_], least: float) -> NDArray[np.float64]:
    """In what part of the rows that could show it something is seen, column by column; 0 where too few could."""
    could = where.sum(axis=0)
    return np.where(could >= least, (seen & where).sum(axis=0) / np.maximum(could, 1), 0.0)


def _runs(columns: NDArray[np.bool_], rim: int, offset: int) -> list[tuple[int, int]]:
    """Stretches of columns, first and one past the last, in pixels of the picture; those at its rim are left out."""
    kept = columns.copy()
    kept[:rim] = kept[max(0, len(kept) - rim) :] = False
    edges = np.flatnonzero(np.diff(np.r_[0, kept.astype(np.int8), 0]))
    return [(int(a) + offset, int(b) + offset) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def mean_grey(grey: Grey, perspective: Perspective, box: Box) -> float | None:
    """The mean grey of a box of the sheet, its rim left out; None where it lies outside the picture."""
    inset = min(box.width / 4, box.height / 4, MOST_INSET_MM)
    x = np.linspace(box.left + inset, box.left + box.width - inset, max(4, round(4 * box.width)))
    y = np.linspace(box.top + inset, box.top + box.height - inset, max(4, round(4 * box.height)))
    places = transform(perspective, np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2))
    height, width = grey.shape
    if places.min() < 0 or places[:, 0].max() > width - 1 or places[:, 1].max() > height - 1:
        return None
    at = places.astype(np.float32)
    return float(cv2.remap(grey, at[None, :, 0].copy(), at[None, :, 1].copy(), cv2.INTER_LINEAR).mean())


# Deblurring of motion: the blur kernel is estimated on the corner markers and removed from the codes.
# The print of a marker is known exactly. So the kernel is the one that turns the printed markers into those of the
# picture; it is then removed from the codes (Wiener 1949, Richardson 1972 and Lucy 1974). A
# code that reads after that is right or does not read at all: its own correction of errors sees to it.


LENGTHS = (6.0, 9.0, 12.0, 14.0)  # pixels of a shake: 0.8 to 1.8 mm; a code whose squares are 0.6 mm reads below that
TURNS = 16  # directions that are tried, half a turn in all
SOFT = 0.8  # pixels: the lens
REACH = 9  # pixels a shake goes each way
AROUND_MM = 1.5  # a shaken marker's place is known no better
ALIKE = 0.93  # markers under the right shake are 0.98 to 1.00 alike, under a wrong one 0.70
SURELY = 0.97  # as ALIKE, to be shaken; 12 shaken pages: the same with 0.87 to 0.99 (benchmarks/constants.py)
DOTS_GONE = 7.0  # pixels: the dots are 9.4 apart
EDGE = 20  # pixels added around a picture, or its edges ring
NOISE = 0.003  # against the picture, for Wiener's filter
ROUNDS = (20, 60)  # of Richardson's and Lucy's
NO_INK, FULL_INK = 5, 97  # percentiles of a code's picture: its paper, and its print
LONGER = (-2, -1, 0, 1)  # pixels, tried around the best of LENGTHS: half the way to the next
ASIDE = (-0.1, 0.0, 0.1)  # radians, tried around the best of TURNS, which are 0.2 apart
FINER_SQUARES = 8  # times, to draw squares that do not end on pixels


def read_shaken_code(flat: Grey, form: Form, marker_ids: Sequence[int], around_mm: float) -> frozenset[str]:
    """Read the codes of a shaken sheet; nothing where no shake explains its markers."""
    if (explained := _find_shake(flat, form, marker_ids, ALIKE)) is None:
        return frozenset()
    shake, _ = explained
    read = set[str]()
    for box in form.codes:
        text = next(filter(None, map(read_code_closely, _deblur(part(flat, box, around_mm), shake))), None)
        read |= {text} if text else set()
    return frozenset(read)


def _is_shaken(flat: Grey, form: Form, marker_ids: Sequence[int]) -> bool:
    """Say whether a picture is so shaken that its dots run into one another."""
    shake = _find_shake(flat, form, marker_ids, SURELY)
    return shake is not None and shake[1] >= DOTS_GONE


def _find_shake(flat: Grey, form: Form, marker_ids: Sequence[int], least: float) -> tuple[Shades, float] | None:
    """Find the shake that makes the printed markers those of the picture, and its length in pixels at `FLAT_DPI`.

    None where no marker is whole, or none makes them alike by ``least``, -1..1.
    """
    seen = [
        (part(flat, box, AROUND_MM), _printed_marker(number, box))
        for number, box in zip(marker_ids, form.markers, strict=True)
    ]
    whole = [(there, print_) for there, print_ in seen if min(there.shape) > max(print_.shape)]
    if not whole:
        return None
    turns = np.arange(TURNS) * np.pi / TURNS
    rough = max((_explains(whole, kernel(length, turn)), length, turn) for length in LENGTHS for turn in turns)
    _, length, turn = rough
    near = [(length + more, turn + aside) for more in LONGER for aside in ASIDE]
    alike, best_length, best_turn = max((_explains(whole, kernel(*each)), *each) for each in near)
    return (kernel(best_length, best_turn), best_length) if alike >= least else None


def _explains(seen: Sequence[tuple[Grey, Shades]], shake: Shades) -> float:
    """How alike the printed markers are to those of the picture, once they are shaken."""
    explained = []
    for there, print_ in seen:
        blurred = cv2.filter2D(print_, -1, shake, borderType=cv2.BORDER_REPLICATE)
        explained.append(dewarp.best_match(there.astype(np.float32), np.asarray(blurred, np.float32))[1])
    return float(np.median(explained))


@lru_cache(maxsize=512)  # 1 kB each; the same are tried for every page
def kernel(length: float, turn: float) -> Shades:
    """Draw a shake: a line of this length, in pixels, at this turn, in radians."""
    side = 2 * REACH + 1
    fine = np.zeros((side * FINER_SQUARES, side * FINER_SQUARES), np.float32)
    middle, half = (side * FINER_SQUARES - 1) / 2, length * FINER_SQUARES / 2
    ends = [tuple(round(16 * (middle + sign * half * way)) for way in (np.cos(turn), np.sin(turn))) for sign in (-1, 1)]
    cv2.line(fine, ends[0], ends[1], (1.0,), FINER_SQUARES, cv2.LINE_AA, 4)
    small = cv2.GaussianBlur(cv2.resize(fine, (side, side), interpolation=cv2.INTER_AREA), (0, 0), SOFT)
    return np.asarray(small / small.sum(), np.float32)


def _printed_marker(number: int, box: Box) -> Shades:
    """Draw a marker as it is printed, with a square of white around it."""
    whole = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_1000)
    side = round(box.width * PIXELS_PER_MM * FINER_SQUARES)
    sharp = cv2.aruco.generateImageMarker(whole, number, side)
    white = round(AROUND_MM / 2 * PIXELS_PER_MM) * FINER_SQUARES
    drawn = cv2.copyMakeBorder(sharp, white, white, white, white, cv2.BORDER_CONSTANT, value=(255,))
    return np.asarray(
        cv2.resize(drawn, None, fx=1 / FINER_SQUARES, fy=1 / FINER_SQUARES, interpolation=cv2.INTER_AREA), np.float32
    )


def part(flat: Grey, box: Box, around_mm: float = 0.0) -> Grey:
    """Cut a box out of a straight sheet."""
    left, top = (max(0, round((edge - around_mm) * PIXELS_PER_MM)) for edge in (box.left, box.top))
    right = round((box.left + box.width + around_mm) * PIXELS_PER_MM)
    bottom = round((box.top + box.height + around_mm) * PIXELS_PER_MM)
    return flat[top:bottom, left:right]


def _deblur(flat: Grey, shake: Shades) -> Iterator[Grey]:
    """Take a shake out of a picture, in ways of which one may do where another does not."""
    ink = np.pad(255 - flat.astype(np.float32), EDGE, mode="edge")
    yield _as_paper(_wiener_filter(ink, shake))
    ink = np.maximum(ink - np.percentile(ink, NO_INK), 1)
    guess = np.full_like(ink, ink.mean())
    for turn in range(1, max(ROUNDS) + 1):
        again = np.maximum(cv2.filter2D(guess, -1, shake), 1e-3)
        guess = guess * np.asarray(cv2.filter2D(ink / again, -1, shake[::-1, ::-1]), np.float32)
        if turn in ROUNDS:
            yield _as_paper(guess * np.float32(255 / np.percentile(guess, FULL_INK)))


def _wiener_filter(ink: Shades, shake: Shades) -> Shades:
    """Divide by a shake where it left something to divide (Wiener's filter)."""
    wide = np.zeros_like(ink)
    wide[: shake.shape[0], : shake.shape[1]] = shake
    wide = np.roll(wide, (-(shake.shape[0] // 2), -(shake.shape[1] // 2)), (0, 1))
    spectrum = np.fft.rfft2(wide)
    sharpened = np.fft.irfft2(np.fft.rfft2(ink) * np.conj(spectrum) / (np.abs(spectrum) ** 2 + NOISE), ink.shape)
    return np.asarray(sharpened, np.float32)


def _as_paper(ink: Shades) -> Grey:
    """Turn ink back into a picture of paper."""
    inner = ink[EDGE:-EDGE, EDGE:-EDGE]
    return np.asarray(255 - np.clip(inner, 0, 255), np.uint8)


# Lines that cross the whole sheet, creases of its paper and what dirt on the glass draws askew: none of it is ink.
#
# Nobody writes from edge to edge. So a line counts where the paper is a little darker along it in nearly every strip of
# the sheet, its margins too; then every pixel is made lighter by what the line makes paper darker there. A letter that
# it crosses stays as it is. Where a line is so dark that it may be a pen's, the rows that it touches are asked.

STRIP_MM = 6.0  # so much of a sheet is looked at together: a crease leans by 0.2 mm over it, writing covers less of it
CREASE_MM = 1.4  # on both sides of a line lies paper that is lighter
DARKER = 0.045  # of the paper's brightness: a crease has 0.12 and more, grain in the median of a strip 0.01
AS_PRINT = 0.8  # of the paper's brightness: what is darker than this is no shadow
AT_EDGE = 2  # strips at each end, in one of which it must be seen: there nobody writes
IN_STRIPS = 0.85  # of all: print and writing may cover a line here and there
LEAN = 0.06  # mm a mm, at most; folds by hand lean by 0.03
LEANS_TRIED = 25
MOST_CREASES = 48  # in a direction: a sheet folded to eighths has three, one that lay on a ruled block 37 at 8 mm
CORE_MM = 0.7  # on both sides of a line, where some of it may be left when it is made lighter
LEFT_OVER = 0.7  # of the paper's brightness: what is left there and lighter than this is no ink
AS_A_PEN = 0.45  # of the paper's brightness: as dark is a pencil
LEAST_RULED = 8  # with so many evenly spaced lines the paper is ruled, and a line that is missing among them is assumed
REGULAR = 0.8  # of the lines must fit the even spacing
PRINTED_MM = 0.6  # this near to a dotted rule a crease cannot be distinguished, unless it is much darker

Darkness = NDArray[np.float32]


class Crease(Struct, frozen=True, eq=False):
    """A line down a sheet, or across one that was turned on its side."""

    middles: Darkness  # px, in each strip
    depth: float  # by how much it darkens paper, in the median, 0..1


def _without_creases(flat: Grey, form: Form, lines: Grey | None = None) -> tuple[Grey, Grey | None]:
    """Take the lines that cross a whole sheet out of it; those that may be a pen's are drawn beside the scanner's."""
    for is_across in (False, True):
        sheet = flat.T if is_across else flat
        printed = [guide.y for guide in form.guides] if is_across else []
        creases = _creases(sheet, printed)
        for crease in creases:
            sheet = _lighten_along(sheet, crease, is_ruled=len(creases) >= LEAST_RULED)
            if crease.depth >= AS_A_PEN:
                lines = np.full(flat.shape, 255, np.uint8) if lines is None else lines
                _draw_crease(lines.T if is_across else lines, crease)
        flat = np.ascontiguousarray(sheet.T if is_across else sheet)
    return flat, lines


def _creases(sheet: Grey, printed: Sequence[float]) -> list[Crease]:
    """Find the lines down a sheet, the surest first; ``printed`` is where rules of dots are, in mm."""
    half = sheet[::2, ::2]
    rows = round(STRIP_MM * PIXELS_PER_MM / 2)
    count = len(half) // rows
    usual = _middle_row(half[: count * rows].reshape(count, rows, -1)[:, ::3]).astype(np.float32)
    beside = round(CREASE_MM * PIXELS_PER_MM / 2)
    left, right = usual[:, : -2 * beside], usual[:, 2 * beside :]
    darker, than_one_side = (
        _darker_than(paper, usual, beside) for paper in (np.minimum(left, right), np.maximum(left, right))
    )
    for place in printed:
        near = _columns_near(place)
        darker[:, near][darker[:, near] < 3 * DARKER] = 0
    lines = _lines_in(darker, beside)
    places = [float(np.median(crease.middles)) / PIXELS_PER_MM for crease in lines]
    between = np.zeros_like(darker)
    for place in _left_out(places, len(sheet[0]) / PIXELS_PER_MM):  # words stand on one side of it, or dots on it
        between[:, _columns_near(place)] = than_one_side[:, _columns_near(place)]
    return lines + _lines_in(between, beside)


def _middle_row(strips: Grey) -> Grey:
    """The middle of each column of each strip (strips by rows by columns), the upper one of two.

    Whole rows change places as numbers do that are sorted, in a tenth of the time of ``np.partition``.
    """
    rows = [np.ascontiguousarray(strips[:, row]) for row in range(strips.shape[1])]
    for turn in range(len(rows)):
        for row in range(turn % 2, len(rows) - 1, 2):
            rows[row], rows[row + 1] = np.minimum(*rows[row : row + 2]), np.maximum(*rows[row : row + 2])
    return rows[len(rows) // 2]


def _darker_than(paper: Darkness, usual: Darkness, beside: int) -> Darkness:
    """By how much each column is darker than paper on both sides of it; at the sides of a sheet none is."""
    darkness = np.zeros_like(usual)
    darkness[:, beside:-beside] = np.clip(1 - usual[:, beside:-beside] / np.maximum(paper, 1), 0, 1)
    return darkness


def _columns_near(place_mm: float) -> slice:
    """The columns so near to a place that a line there counts as the one expected; of a sheet at half its size."""
    middle, off = place_mm * PIXELS_PER_MM / 2, PRINTED_MM * PIXELS_PER_MM / 2
    return slice(max(0, int(middle - off)), int(middle + off) + 1)


def _lines_in(darker: Darkness, beside: int) -> list[Crease]:
    """Find lines one by one; what is ``beside`` one, in columns, is none."""
    creases: list[Crease] = []
    while len(creases) < MOST_CREASES and (crease := _surest_line(darker)) is not None:
        creases.append(crease)
        for strip, middle in zip(darker, crease.middles / 2, strict=True):
            strip[max(0, int(middle) - beside) : int(middle) + beside + 1] = 0
    return creases


def _left_out(places: Sequence[float], end: float) -> list[float]:
    """Where a ruled block has lines that were not found, from those that were; none where they are not as regular.

    >>> [round(place) for place in _left_out([8, 16, 24, 40, 48, 56, 64, 80], 90)]
    [0, 32, 72, 88]
    >>> _left_out([70, 140, 210], 297)
    []
    """
    if len(places) < LEAST_RULED:
        return []
    seen = np.sort(places)
    steps = np.diff(seen)
    numbers = np.r_[0, np.cumsum(np.rint(steps / np.median(steps)))]
    pitch, first = np.polyfit(numbers, seen, 1)
    if (np.abs(numbers * pitch + first - seen) <= PRINTED_MM).mean() < REGULAR:
        return []
    expected = first + pitch * np.arange(-int(first / pitch), int((end - first) / pitch) + 1)
    return [float(place) for place in expected if np.abs(seen - place).min() > pitch / 2]


def _surest_line(darker: Darkness) -> Crease | None:
    """Find the line that is darker than its paper in most strips; None where none is in nearly all."""
    count, width = darker.shape
    near = np.asarray(cv2.dilate(darker, np.ones((1, 3), np.uint8)), np.float32)
    rows = np.arange(count) - (count - 1) / 2
    step = STRIP_MM * PIXELS_PER_MM / 2
    is_seen, best = near >= DARKER, (0, 0, np.zeros(count, int))
    reach = 2 * round(LEAN * count * step / 2) + 1
    anywhere = np.asarray(cv2.dilate(is_seen.astype(np.uint8), np.ones((1, reach), np.uint8)))
    if anywhere.sum(axis=0, dtype=int).max() < IN_STRIPS * count:
        return None  # no line, whichever way it leans
    for lean in np.linspace(-LEAN, LEAN, LEANS_TRIED):
        off = np.rint(rows * step * lean).astype(int)
        level = np.stack([np.roll(strip, -shift) for strip, shift in zip(is_seen, off, strict=True)])
        from_edge_to_edge = level[:AT_EDGE].any(axis=0) & level[-AT_EDGE:].any(axis=0)
        seen = np.where(from_edge_to_edge, level.sum(axis=0), 0)
        best = max(best, (int(seen.max()), int(seen.argmax()), off), key=itemgetter(0))
    if best[0] < IN_STRIPS * count:
        return None
    places = np.clip(best[1] + best[2], 2, width - 3)
    around = np.stack([darker[np.arange(count), places + off] for off in range(-2, 3)])
    middles = places + around.argmax(axis=0) - 2
    fitted = np.polyval(np.polyfit(np.arange(count), middles, 2), np.arange(count))
    middles = np.where(np.abs(middles - fitted) <= 2, middles, fitted)
    return Crease(np.asarray(2 * middles, np.float32), float(np.median(around.max(axis=0))))


def _lighten_along(sheet: Grey, crease: Crease, *, is_ruled: bool) -> Grey:
    """Make the pixels along a crease or ruled line lighter, by as much as it darkens the paper there."""
    left_over = LEFT_OVER if crease.depth < AS_A_PEN else 0.0  # nothing is visible under a black line
    lightened, reach, core = sheet.copy(), round(CREASE_MM * PIXELS_PER_MM), round(CORE_MM * PIXELS_PER_MM)
    rows = round(STRIP_MM * PIXELS_PER_MM / 2) * 2
    places = np.arange(len(crease.middles)) * rows + rows / 2
    middles = np.interp(np.arange(len(sheet)), places, crease.middles)
    across = np.rint(middles).astype(int)[:, None] + np.arange(-reach, reach + 1)
    across = np.clip(across, 0, sheet.shape[1] - 1)
    along = np.arange(len(sheet))[:, None]
    here = sheet[along, across].astype(np.float32)
    starts = range(0, len(sheet), rows)
    around = [here[max(0, start - 2 * rows) : start + 3 * rows] for start in starts]
    usual = np.stack([np.median(near, axis=0) for near in around])
    papers = np.linspace(usual[:, :3].mean(axis=1), usual[:, -3:].mean(axis=1), usual.shape[1], axis=1)
    darker = np.clip(usual / np.maximum(papers, 1), 0.05, 1)
    white = np.array([[np.percentile(end, 90) for end in (near[:, :3], near[:, -3:])] for near in around])
    is_print = (papers[:, [0, -1]] < AS_PRINT * white).any(axis=1)
    if is_ruled and is_print.any() and not is_print.all():  # where large type stands the line is as dark as elsewhere
        papers[is_print] = np.linspace(white[is_print, 0], white[is_print, 1], usual.shape[1], axis=1)
        darker[is_print] = np.median(darker[~is_print], axis=0)
    rest = slice(reach - core, reach + core + 1)
    for start, paper, dark in zip(starts, papers, darker, strict=True):
        there = slice(start, start + rows)
        lighter = np.clip(here[there] / dark, 0, 255)
        lighter[:, rest] = np.where(lighter[:, rest] > left_over * paper[rest], paper[rest], lighter[:, rest])
        lightened[along[there], across[there]] = lighter.astype(np.uint8)
    return lightened


def _draw_crease(lines: Grey, crease: Crease) -> None:
    rows = round(STRIP_MM * PIXELS_PER_MM / 2) * 2
    places = np.arange(len(crease.middles)) * rows + rows / 2
    points = np.stack([crease.middles, places], axis=1).astype(np.int32)
    drawn = np.ascontiguousarray(lines)
    cv2.polylines(drawn, [points], False, (0,), round(2 * CORE_MM * PIXELS_PER_MM))
    lines[:] = drawn


# Show-through: print of the paper's other side. Its code shows how dark it is; ink no darker is removed. A pencil may
# be hardly darker: on eight sheets hardly a tenth of the pixels of a piece from the other side were darker, of this
# side's pieces a third and more. So what is near the dark pixels of such a piece stays, as pale as it is; but not in
# boxes to tick, where a felt pen of the other side would look like a tick.

DARKEST_BEHIND = 1.15  # times the darkness of the other side's code: a felt pen is darker, and paper has grain
MORE_BEHIND = 0.03  # of the paper's brightness
SOFT_EDGE = 0.15  # of the paper's brightness: strokes of this side begin to be seen over so much
OWN_SHARE = 0.2  # of a piece's pixels: with as many that are darker it is ink of this side
PALE_MM = 0.35  # from a dark pixel of such a piece: the rest of a pen's stroke
BLACK_MM = 14.0  # nothing printed is dark over so much
COARSE = 8  # pixels of a sheet in one of the picture on which paper is measured


def behind(through: float) -> float:
    """How dark the darkest print of the other side may be, where its code is as dark as ``through``."""
    return DARKEST_BEHIND * through + MORE_BEHIND


def _without_back(flat: Grey, through: float, form: Form) -> Grey:
    """Remove ink that is no darker than the show-through of the other side, if there is any."""
    if not through:
        return flat
    small = cv2.resize(flat, None, fx=1 / COARSE, fy=1 / COARSE, interpolation=cv2.INTER_AREA)
    side = round(BLACK_MM * PIXELS_PER_MM / COARSE) | 1
    wide = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
    paper = np.maximum(cv2.resize(cv2.blur(wide, (5, 5)), flat.shape[::-1]), 1).astype(np.float32)
    darkness = np.asarray(1 - flat / paper, np.float32)
    kept = darkness * np.clip((darkness - behind(through)) / SOFT_EDGE, 0, 1)
    if form.rows and not form.cells:
        first, last = form.rows[0].box, form.rows[-1].box
        rows = slice(round(first.top * PIXELS_PER_MM), round((last.top + last.height) * PIXELS_PER_MM))
        kept[rows] = np.where(_pale_strokes(darkness[rows], behind(through)), darkness[rows], kept[rows])
    return np.asarray(np.clip(paper * (1 - kept), 0, 255), np.uint8)


def _pale_strokes(darkness: NDArray[np.float32], least: float) -> NDArray[np.bool_]:
    """Where there are strokes of this side: near pixels that are dark, in pieces that have many of them."""
    ink, dark = darkness > least / 2, darkness > least
    _, labels, sizes, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8))
    is_own = np.bincount(labels[dark], minlength=len(sizes)) >= OWN_SHARE * sizes[:, cv2.CC_STAT_AREA]
    near = np.ones(2 * (2 * round(PALE_MM * PIXELS_PER_MM) + 1,), np.uint8)
    return np.asarray(ink & (cv2.dilate((dark & is_own[labels]).astype(np.uint8), near) > 0), np.bool_)


FINEST = 1.8  # times FLAT_DPI: a finer picture is made smaller first, or fine lines would fall between its pixels
FINER = 1.25  # times FLAT_DPI: what it is made then, so that laying it straight loses nothing
LEAST_DPI = 90  # a marker's square has 5 pixels
ROWS_FOR_STREAKS = 4  # every fourth row of the picture shows them
ONE_LINE_MM = 3.0  # nearer lines down a page are reported as one
MOST_LINES = 3  # lines that are reported one by one
MOST_TAKEN_OUT = 8  # a picture of a screen has more
COARSE_DPI = 140  # below it the director is told; scanners offer 150
BARS_WITH_MARKERS = 0.5  # share of the bars that must be found if three markers were found
BARS_WITHOUT = 0.75  # the same with fewer markers, when only the bars confirm the position
BARS_TO_TELL = 0.9  # below this share the director is told that bars are lost
DOTS_TO_TRUST = 0.25  # share of the dotted pieces that must be found to say how the paper lies between the bars
AGREED_MM = (
    0.25  # markers that agree less have something lying on one of them: 0.02 on a clean sheet, 0.44 under a staple
)
ALONG_MM = 0.3  # a quarter of the way from dot to dot: further off, one dot may be taken for the next
FEW_ASTRAY = 0.04  # of the pieces that are found: so few are grain, of a scan of one bit 0.025; crumpled paper has 0.07
SURE_DOTS = 0.4  # share of the pieces that surely are dots once the sheet is straight; a shaken picture has none
FLAT_MM = 0.08  # dots this near their places need no more straightening: half a pixel
CLIPPED, MOST_CLIPPED = 254, 0.8  # grey level, and share of a sheet: its paper has no grain left
PALE_DOTS = 0.6  # of the darkness of the markers: of good pictures the dots have 0.78 to 1.16, overexposed 0.00 to 0.50
DOT_MM, CELL_MM = 0.3, 0.6  # on every side of a dot's middle: its blur ends, and the next dot's part begins
WRITTEN = 64  # grey levels below white; beside a dot is paper
DARK_PAPER = 90  # grey level
BETWEEN = (20, 236)  # grey levels that are neither black nor white, with room at both ends for what JPEG does to them
MOST_BETWEEN = 0.002  # of the pixels, in a picture of one bit
PEPPER_SAMPLE_PX = 500  # side of the part that is looked at: 250,000 pixels tell a share of 0.008 to 2 %
PEPPER_DEPTH = 80  # grey levels from its neighbours
PEPPER_SHARE = 0.008  # of the pixels of half of all lines; writing and printed dots have 0.002
CODE_MM = 1.0  # that a code may be off on uncurled paper: a dot is 1.2, and its corners are known to half of that
ROW_MM = 3.0  # a mark that is further off may be a row off: the least pitch is 9
WORST_MM = 0.5  # of residual: of 8 pages crumpled twice as badly as the worst, three were a dot off, with 0.52 to 0.61


class RegisteredPage(Struct, frozen=True):
    """A sheet laid straight."""

    flat: Grey  # at FLAT_DPI
    form: Form
    warp: Warp  # from mm to pixels of the picture as it was laid straight
    residual_mm: float  # root mean square
    turned: int  # the page's orientation: degrees clockwise by which the picture was turned, 0..359
    dpi: float  # of the picture
    warnings: tuple[PictureMessage, ...] = ()
    is_one_bit: bool = False  # the scanner threw the grey away
    through: float = 0.0  # how dark print of the other side was, which was taken out of ``flat``
    lines: Grey | None = None  # black where a line of the scanner was taken out of ``flat``; None where there was none


class NotRegistered(Struct, frozen=True):
    """A picture that could not be laid straight with certainty."""

    why: str
    is_bent: bool = False  # the paper is bent: no other method is tried, since it might be wrong


def register(grey: Grey, marks: Marks, marker_ids: Sequence[int], form: Form) -> RegisteredPage | NotRegistered:
    """Register (deskew) a sheet whose form is known, by its marks: homography, then dewarping."""
    fitted = fit(marks, marker_ids, form)
    if fitted is None:
        return NotRegistered(
            f"only {len(marks.markers)} of the corner markers and {len(marks.codes)} of the codes can be seen"
        )
    return register_nearly_known(grey, marks, marker_ids, form, fitted)


def register_nearly_known(
    grey: Grey, marks: Marks, marker_ids: Sequence[int], form: Form, fitted: FittedPage
) -> RegisteredPage | NotRegistered:
    """Register a sheet whose homography is nearly known; the marks that were seen must not contradict it."""
    warp = Warp.flat(fitted.perspective, form.width, form.height)
    dpi = warp.pixels_per_mm * MM_PER_INCH
    if dpi < LEAST_DPI:
        return NotRegistered(f"the picture has about {dpi:.0f} dpi; scan at 200 to 300")
    streaks = find_streaks(grey[::ROWS_FOR_STREAKS], dpi)
    scanned, where = grey, None
    if 0 < len(streaks) <= MOST_TAKEN_OUT:
        grey, where = _without_lines(grey, streaks, dpi)
    speckled = grey
    grey = _without_pepper(grey)
    if dpi > FLAT_DPI * FINEST:
        speckled = shrink_picture(speckled, round(max(grey.shape) * FLAT_DPI * FINER / dpi))[0]
        grey, scale = shrink_picture(grey, round(max(grey.shape) * FLAT_DPI * FINER / dpi))
        marks = marks.scale(scale)
        warp = warp.scale(scale)
    laid = _straighten(grey, warp, form, fitted, marks, marker_ids)
    if isinstance(laid, NotRegistered):
        laid = _uncurl(grey, form, fitted, marks, marker_ids) or laid
    if isinstance(laid, NotRegistered):
        return laid
    flat, warp, residual, bars = laid
    printed = warp.picture(speckled)  # sharp dots of a rendered PDF look like pepper, and are gone from ``flat``
    doubts = (*warnings(scanned, printed, form, marks, dpi, bars), *_line_warnings([line.left_mm for line in streaks]))
    lines = None if where is None else warp.picture(shrink_picture(where, max(grey.shape))[0])
    has_one_bit = is_one_bit(scanned)
    if not has_one_bit:  # its dots are a pattern that is the picture
        flat = without_rims(without_grain(without_patterns(flat)))
    flat, lines = _without_creases(_without_back(flat, marks.through, form), form, lines)
    turned = _rotation_degrees(warp)
    return RegisteredPage(flat, form, warp, residual, turned, dpi, doubts, has_one_bit, marks.through, lines)


Laid = tuple[Grey, Warp, float, float]  # the sheet laid straight, the map, its residual in mm, the share of the bars


def _straighten(
    grey: Grey, warp: Warp, form: Form, fitted: FittedPage, marks: Marks, marker_ids: Sequence[int]
) -> Laid | NotRegistered:
    """Dewarp a sheet by its bars and its dotted lines, or refuse it."""
    laid = _straighten_by_bars(grey, warp, form, fitted, marks, marker_ids)
    if isinstance(laid, NotRegistered):
        return laid
    warp, bars = laid
    flat, warp, residual, has_dots = _straighten_by_dots(grey, warp, form, fitted, bars.offsets, marker_ids)
    if not has_dots:
        residual = max(residual, _codes_off(warp, marks, form))
    if residual > WORST_MM:
        why = f"the rows lie up to {residual:.1f} mm off; flatten the sheet and scan it again"
        return NotRegistered(why, is_bent=True)
    return flat, warp, residual, bars.share


def _uncurl(grey: Grey, form: Form, fitted: FittedPage, marks: Marks, marker_ids: Sequence[int]) -> Laid | None:
    """Lay a curled sheet straight; its codes, by which no curl is found, must then lie where they were printed."""
    perspective = fit_middles(marks, marker_ids, form)
    if perspective is None or not marks.codes or not form.rows:
        return None
    warp = Warp.flat(perspective, form.width, form.height)
    warp = warp.bent(find_curl(warp.picture(grey), form).bend(warp))
    laid = _straighten_by_bars(grey, warp, form, replace(fitted, rms_mm=0.0), marks, marker_ids)
    if isinstance(laid, NotRegistered):
        return None
    warp, bars = laid
    flat, warp, residual, has_dots = _straighten_by_dots(grey, warp, form, fitted, bars.offsets, marker_ids)
    is_right = has_dots and residual <= WORST_MM and _codes_off(warp, marks, form) < CODE_MM
    return (flat, warp, residual, bars.share) if is_right else None


def _codes_off(warp: Warp, marks: Marks, form: Form) -> float:
    """How many mm the codes that were read lie from where they were printed; 0 where none was read."""
    places = [warp.carry(corners(box)) for box in form.codes]
    off = [min(np.linalg.norm(place - code.corners, axis=1).max() for place in places) for code in marks.codes]
    return float(max(off, default=0.0)) / warp.pixels_per_mm


def _straighten_by_bars(
    grey: Grey, warp: Warp, form: Form, fitted: FittedPage, marks: Marks, marker_ids: Sequence[int]
) -> tuple[Warp, dewarp.MarksFound] | NotRegistered:
    """Dewarp the sheet by the bars beside its rows, or refuse it: too few, too many, or not where the marks say."""
    beside = dewarp.columns_of_bars(form)
    flat = warp.strips(grey, beside)
    bars = dewarp.find_bars(flat, form)
    sure = fitted.markers >= 3 and fitted.rms_mm <= AGREED_MM
    if not sure and bars.share >= 0.5:
        warp = _refit_perspective(warp, form, bars.offsets)
        flat = warp.strips(grey, beside)
        bars = dewarp.find_bars(flat, form)
        if marks.markers or marks.codes:
            off = disagreement_mm(warp.perspective, marks, marker_ids, form)
        else:
            off = apart_mm(fitted.perspective, warp.perspective, form)
        if off > ROW_MM:
            return NotRegistered("the bars beside the rows are not where the rest of the print says")
    needed = BARS_WITH_MARKERS if fitted.markers >= 3 else BARS_WITHOUT
    if bars.share < needed:
        return NotRegistered(f"{bars.share:.0%} of the bars beside the rows can be seen, {needed:.0%} are needed")
    if dewarp.has_more_bars(flat, form):
        return NotRegistered("there are more rows on the paper than this sheet has")
    return warp.bent(dewarp.bars_bend(bars, form, warp, anchored=sure)), bars


def _straighten_by_dots(
    grey: Grey, warp: Warp, form: Form, fitted: FittedPage, bars: NDArray[np.float64], marker_ids: Sequence[int]
) -> tuple[Grey, Warp, float, bool]:
    """Dewarp the sheet by its dotted lines; returns the residual, and whether dots or only the bars say so."""
    flat = warp.picture(grey)
    dots = dewarp.find_dots(flat, form, dewarp.FIRST)
    if dots.share >= DOTS_TO_TRUST and dots.rms_mm < FLAT_MM:
        return flat, warp, dots.rms_mm, True
    if dots.share >= DOTS_TO_TRUST and not _is_shaken(flat, form, marker_ids):
        bent, doubt = _remove_bends(flat, warp, form, dots)
        finer = dewarp.find_dots(bent.picture(grey), form, dewarp.THEN)
        if finer.share >= DOTS_TO_TRUST:
            bent = bent.bent(dewarp.dots_bend(finer, form, bent, dewarp.THEN))
        straight = bent.picture(grey)
        left = dewarp.find_dots(straight, form, dewarp.MEASURED)
        if left.share >= SURE_DOTS:
            return straight, bent, float(np.hypot(left.rms_mm, form.guides[-1].pitch * np.sqrt(doubt))), True
    rough = np.diff(bars, axis=0)  # shaken or faxed: what looks like dots is none, and the bars alone must do
    return flat, warp, max(fitted.rms_mm, float(np.nanstd(rough)) if np.isfinite(rough).any() else WORST_MM), False


def _remove_bends(flat: Grey, warp: Warp, form: Form, dots: dewarp.MarksFound) -> tuple[Warp, float]:
    """Remove the larger bends; returns the share of dots that may be off by one."""
    astray = np.abs(dots.offsets[..., 0]) > ALONG_MM
    if astray.sum() > FEW_ASTRAY * (~np.isnan(dots.offsets[..., 0])).sum():
        laid = dewarp.lay(flat, form)
        return warp.bent(laid.bend(warp)), laid.doubt
    offsets = np.where(astray[..., None], np.nan, dots.offsets)
    return warp.bent(dewarp.dots_bend(replace(dots, offsets=offsets), form, warp, dewarp.FIRST)), 0.0


def _refit_perspective(warp: Warp, form: Form, offsets: NDArray[np.float64]) -> Warp:
    """Fit the perspective again, to the bars: they lie all along both sides, where two markers do not."""
    middles = np.array([[(b.left + b.width / 2, b.top + b.height / 2) for b in pair] for pair in form.bars])
    known = ~np.isnan(offsets[..., 0])
    here = middles[known]
    there = transform(warp.perspective, here + offsets[known])
    perspective, _ = cv2.findHomography(here, there, cv2.RANSAC, max(2.0, warp.pixels_per_mm))
    return warp if perspective is None else Warp.flat(perspective.astype(np.float64), form.width, form.height)


def _without_pepper(grey: Grey) -> Grey:
    """Denoise: take out black and white dots (salt and pepper) of a scanner or a fax.

    They are everywhere. Dotted lines of a rendered PDF are as sharp, but most lines of pixels meet none, or few.
    """
    rows, columns = (slice(side // 3, side // 3 + PEPPER_SAMPLE_PX) for side in grey.shape)
    sample = grey[rows, columns]
    alone = np.asarray(cv2.absdiff(sample, cv2.medianBlur(sample, 3))) > PEPPER_DEPTH
    if min(float(np.median(alone.mean(axis=along))) for along in (0, 1)) < PEPPER_SHARE:
        return grey
    return cv2.medianBlur(grey, 3).astype(np.uint8, copy=False)


def _rotation_degrees(warp: Warp) -> int:
    """The page's orientation: how far the picture is turned, in degrees clockwise."""
    start, end = transform(warp.perspective, np.array([[20.0, warp.height / 2], [warp.width - 20, warp.height / 2]]))
    across, down = end - start
    return round(float(np.degrees(np.arctan2(down, across)))) % 360


def _is_too_light(flat: Grey, form: Form) -> bool:
    """Say whether so much light came in that the thin dots of the rows are lost, and with them any thin stroke.

    A good scanner's paper, and that of a rendered PDF, is as white as white can be, too; but there the dots have all
    the darkness that was printed.
    """
    if float((flat[::3, ::3] >= CLIPPED).mean()) < MOST_CLIPPED:
        return False
    black = float(np.median([np.percentile(_level_of(flat, marker), 5) for marker in form.markers]))
    dots = np.concatenate([np.zeros(0), *(_darkness_of_dots(flat, guide) for guide in form.guides)])
    return bool(len(dots)) and float(dots.mean()) < PALE_DOTS * (255 - black)


def _level_of(flat: Grey, box: Box) -> Grey:
    """The pixels of a box on a straight sheet."""
    edges = (box.top, box.top + box.height, box.left, box.left + box.width)
    top, bottom, left, right = (max(0, round(edge * PIXELS_PER_MM)) for edge in edges)
    return flat[top:bottom, left:right]


def _darkness_of_dots(flat: Grey, guide: Guide) -> NDArray[np.float64]:
    """How dark each dot of a line is, on average over the area that was printed; without those by which is writing.

    All darkness around a dot is summed: how a dot lies on the grid of pixels changes its darkest pixel, not the sum.
    """
    dot, cell = round(DOT_MM * PIXELS_PER_MM), round(CELL_MM * PIXELS_PER_MM)
    row = round(guide.y * PIXELS_PER_MM - 0.5)
    columns = np.rint(np.array(guide.dots) * PIXELS_PER_MM - 0.5).astype(int)
    columns = columns[(columns >= cell) & (columns < flat.shape[1] - cell)]
    cells = np.lib.stride_tricks.sliding_window_view(flat, (2 * cell + 1, 2 * cell + 1))[row - cell, columns - cell]
    dark = 255 - cells.astype(np.float64)
    is_dot = np.zeros(dark.shape[1:], bool)
    is_dot[cell - dot : cell + dot + 1, cell - dot : cell + dot + 1] = True
    beside = dark[:, ~is_dot]
    printed = dark[:, is_dot] - np.median(beside, axis=1, keepdims=True)
    unwritten = printed[beside.max(axis=1) < WRITTEN]
    darkness: NDArray[np.float64] = unwritten.sum(axis=1) / (guide.dot * PIXELS_PER_MM) ** 2
    return darkness


def warnings(grey: Grey, flat: Grey, form: Form, marks: Marks, dpi: float, bars: float) -> tuple[PictureMessage, ...]:
    """Warnings about the picture, so that the next one is better."""
    told = []
    one_bit = is_one_bit(grey)
    if not one_bit and _is_too_light(flat, form):
        told.append(PictureMessage.of(PictureFault.TOO_LIGHT))
    if float(np.median(flat[::7, ::5])) < DARK_PAPER:
        told.append(PictureMessage.of(PictureFault.TOO_DARK))
    if len(marks.markers) < 4:
        told.append(PictureMessage.of(PictureFault.MARKERS_LOST, lost=4 - len(marks.markers)))
    if bars < BARS_TO_TELL:
        told.append(PictureMessage.of(PictureFault.BARS_LOST, share=round(1 - bars, 3)))
    if dpi < COARSE_DPI:
        told.append(PictureMessage.of(PictureFault.COARSE, dpi=round(dpi)))
    if one_bit:
        told.append(PictureMessage.of(PictureFault.ONE_BIT))
    return tuple(told)


def _line_warnings(places: Sequence[float]) -> tuple[PictureMessage, ...]:
    """Tell where lines run down a page, in mm from the scan's left edge; those beside one another as one.

    >>> [warning.as_body() for warning in _line_warnings([86.2, 87.1, 120.0])]
    [{'code': 'LINE_DOWN', 'at_mm': 86}, {'code': 'LINE_DOWN', 'at_mm': 120}]
    >>> len(_line_warnings([86.2, 87.1, 120.0])), len(_line_warnings(list(range(10, 200, 5))))
    (2, 1)
    """
    apart = [place for before, place in pairwise((-ONE_LINE_MM, *places)) if place - before >= ONE_LINE_MM]
    if len(apart) > MOST_LINES:
        return (PictureMessage.of(PictureFault.LINES_DOWN, count=len(apart)),)
    return tuple(PictureMessage.of(PictureFault.LINE_DOWN, at_mm=round(place)) for place in apart)


def is_one_bit(grey: Grey) -> bool:
    """Say whether a scanner threw the grey away."""
    counts = np.bincount(grey[::7, ::5].ravel(), minlength=256)
    return float(counts[slice(*BETWEEN)].sum()) < MOST_BETWEEN * float(counts.sum())
