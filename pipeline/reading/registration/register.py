"""Registration: lay a sheet's picture straight, say how well that went, and refuse where it is not sure."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.paper.layout.sheet_layout import Form
from pipeline.reading.files.limits import MM_PER_INCH
from pipeline.reading.files.picture import Grey
from pipeline.reading.registration.defects import streaks, without_lines
from pipeline.reading.registration.dewarp_bars import MarksFound, bars_bend, columns_of_bars, find_bars, has_more_bars
from pipeline.reading.registration.dewarp_dots import lay
from pipeline.reading.registration.dots import FIRST, MEASURED, THEN, dots_bend, find_dots
from pipeline.reading.registration.fit import FittedPage, apart_mm, disagreement_mm, fit
from pipeline.reading.registration.marks import Marks, reduced
from pipeline.reading.registration.picture_faults import PictureFault
from pipeline.reading.registration.shaken import is_shaken
from pipeline.reading.registration.warp import FLAT_DPI, Warp, transform
from pipeline.words import Told

FINEST = 1.8  # times FLAT_DPI: a finer picture is made smaller first, or fine lines would fall between its pixels
FINER = 1.25  # times FLAT_DPI: what it is made then, so that laying it straight loses nothing
LEAST_DPI = 90  # a marker's square has 5 pixels
ROWS_FOR_STREAKS = 4  # every fourth row of the picture shows them
ONE_LINE_MM = 3.0  # lines down a page that are nearer to one another are told as one
MOST_LINES = 3  # that are told one by one
MOST_TAKEN_OUT = 8  # a picture of a screen has more
COARSE_DPI = 140  # below it the director is told; scanners offer 150
BARS_WITH_MARKERS = 0.5  # share of the bars that must be found where three markers were
BARS_WITHOUT = 0.75  # the same where fewer were: there the bars alone say that the sheet lies so
BARS_TO_TELL = 0.9  # the same below which the director is told that bars are lost
DOTS_TO_TRUST = 0.25  # share of the dotted pieces that must be found to say how the paper lies between the bars
AGREED_MM = (
    0.25  # markers that agree less have something lying on one of them: 0.02 on a clean sheet, 0.44 under a staple
)
ALONG_MM = 0.3  # a quarter of the way from dot to dot
SURE_DOTS = 0.4  # share of the pieces that surely are dots once the sheet is straight; a shaken picture has none
FLAT_MM = 0.08  # dots this near their places need no more straightening: half a pixel
BETWEEN = (20, 236)  # grey levels that are neither black nor white, with room at both ends for what JPEG does to them
MOST_BETWEEN = 0.002  # of the pixels, in a picture of one bit
PEPPER_SAMPLE_PX = 500  # side of the part that is looked at: 250,000 pixels tell a share of 0.008 to 2 %
PEPPER_DEPTH = 80  # grey levels from its neighbours
PEPPER_SHARE = 0.008  # of the pixels; writing and printed dots have 0.002
ROW_MM = 3.0  # a mark that is further off may be a row off: the least pitch is 9
WORST_MM = 0.5  # of 8 pages crumpled twice as badly as the worst, the three that were a dot off told 0.52 to 0.61


@dataclass(frozen=True, slots=True)
class RegisteredPage:
    """A sheet laid straight."""

    flat: Grey  # at FLAT_DPI
    form: Form
    warp: Warp  # from mm to pixels of the picture as it was laid straight
    residual_mm: float  # root mean square
    turned: int  # how far the picture was turned, in degrees clockwise, 0..359
    dpi: float  # of the picture
    warnings: tuple[Told, ...] = ()  # of `PictureFault`
    is_one_bit: bool = False  # the scanner threw the grey away
    lines: Grey | None = None  # black where a line of the scanner was taken out of ``flat``; None where there was none


@dataclass(frozen=True, slots=True)
class NotRegistered:
    """A picture that could not be laid straight with certainty."""

    why: str
    is_bent: bool = False  # the paper is: another way to lay it would only be another chance to be wrong


def register(grey: Grey, marks: Marks, marker_ids: Sequence[int], form: Form) -> RegisteredPage | NotRegistered:
    """Lay a sheet straight whose form is known, by its marks."""
    fitted = fit(marks, marker_ids, form)
    if fitted is None:
        return NotRegistered(f"only {len(marks.markers)} corner markers and {len(marks.codes)} codes can be seen")
    return laid(grey, marks, marker_ids, form, fitted)


def laid(
    grey: Grey, marks: Marks, marker_ids: Sequence[int], form: Form, fitted: FittedPage
) -> RegisteredPage | NotRegistered:
    """Lay a sheet straight whose perspective is nearly known; the marks that were seen must not contradict it."""
    warp = Warp.flat(fitted.perspective, form.width, form.height)
    dpi = warp.pixels_per_mm * MM_PER_INCH
    if dpi < LEAST_DPI:
        return NotRegistered(f"the picture has about {dpi:.0f} dpi; scan at 200 to 300")
    found = streaks(grey[::ROWS_FOR_STREAKS], dpi)
    scanned, where = grey, None
    if 0 < len(found) <= MOST_TAKEN_OUT:
        grey, where = without_lines(grey, found, dpi)
    grey = without_pepper(grey)
    if dpi > FLAT_DPI * FINEST:
        grey, scale = reduced(grey, round(max(grey.shape) * FLAT_DPI * FINER / dpi))
        marks = marks.scaled(scale)
        warp = warp.scaled(scale)
    beside = columns_of_bars(form)
    flat = warp.strips(grey, beside)
    bars = find_bars(flat, form)
    sure = fitted.markers >= 3 and fitted.rms_mm <= AGREED_MM
    if not sure and bars.share >= 0.5:
        warp = refitted(warp, form, bars.offsets)
        flat = warp.strips(grey, beside)
        bars = find_bars(flat, form)
        if marks.markers or marks.codes:
            off = disagreement_mm(warp.perspective, marks, marker_ids, form)
        else:
            off = apart_mm(fitted.perspective, warp.perspective, form)
        if off > ROW_MM:
            return NotRegistered("the bars beside the rows are not where the rest of the print says")
    needed = BARS_WITH_MARKERS if fitted.markers >= 3 else BARS_WITHOUT
    if bars.share < needed:
        return NotRegistered(f"{bars.share:.0%} of the bars beside the rows can be seen, {needed:.0%} are needed")
    if has_more_bars(flat, form):
        return NotRegistered("there are more rows on the paper than this sheet has")
    warp = warp.bent(bars_bend(bars, form, warp, (sure, sure)))
    flat, warp, residual = straightened(grey, warp, form, fitted, bars.offsets, marker_ids)
    if residual > WORST_MM:
        why = f"the rows lie up to {residual:.1f} mm off; flatten the sheet and scan it again"
        return NotRegistered(why, is_bent=True)
    told = (*warnings(scanned, marks, dpi, bars.share), *told_lines([line.left_mm for line in found]))
    lines = None if where is None else warp.picture(reduced(where, max(grey.shape))[0])
    return RegisteredPage(flat, form, warp, residual, turned(warp), dpi, told, is_one_bit(scanned), lines)


def straightened(
    grey: Grey, warp: Warp, form: Form, fitted: FittedPage, bars: NDArray[np.float64], marker_ids: Sequence[int]
) -> tuple[Grey, Warp, float]:
    """Lay the sheet straight by its dotted lines as well, and measure what is left."""
    flat = warp.picture(grey)
    dots = find_dots(flat, form, FIRST)
    if dots.share >= DOTS_TO_TRUST and dots.rms_mm < FLAT_MM:
        return flat, warp, dots.rms_mm
    if dots.share >= DOTS_TO_TRUST and not is_shaken(flat, form, marker_ids):
        bent, doubt = unbent(flat, warp, form, dots)
        finer = find_dots(bent.picture(grey), form, THEN)
        if finer.share >= DOTS_TO_TRUST:
            bent = bent.bent(dots_bend(finer, form, bent, THEN))
        straight = bent.picture(grey)
        left = find_dots(straight, form, MEASURED)
        if left.share >= SURE_DOTS:
            return straight, bent, float(np.hypot(left.rms_mm, form.guides[-1].pitch * np.sqrt(doubt)))
    rough = np.diff(bars, axis=0)  # shaken or faxed: what looks like dots is none, and the bars alone must do
    return flat, warp, max(fitted.rms_mm, float(np.nanstd(rough)) if np.isfinite(rough).any() else WORST_MM)


def unbent(flat: Grey, warp: Warp, form: Form, dots: MarksFound) -> tuple[Warp, float]:
    """Take the larger bends out, and say of which share of the dots it is not sure which they are."""
    if not is_crumpled(dots):
        return warp.bent(dots_bend(dots, form, warp, FIRST)), 0.0
    found = lay(flat, form)
    return warp.bent(found.bend(warp)), found.doubt


def is_crumpled(dots: MarksFound) -> bool:
    """Say whether paper lies so far along its lines from its place that one dot may be taken for the next."""
    return bool(np.nanmax(np.abs(dots.offsets[..., 0])) > ALONG_MM)


def refitted(warp: Warp, form: Form, offsets: NDArray[np.float64]) -> Warp:
    """Fit the perspective again, to the bars: they lie all along both sides, where two markers do not."""
    middles = np.array([[(b.left + b.width / 2, b.top + b.height / 2) for b in pair] for pair in form.bars])
    known = ~np.isnan(offsets[..., 0])
    here = middles[known]
    there = transform(warp.perspective, here + offsets[known])
    perspective, _ = cv2.findHomography(here, there, cv2.RANSAC, max(2.0, warp.pixels_per_mm))
    return warp if perspective is None else Warp.flat(perspective.astype(np.float64), form.width, form.height)


def without_pepper(grey: Grey) -> Grey:
    """Take out black and white dots, where a scanner or a fax has strewn them all over."""
    rows, columns = (slice(side // 3, side // 3 + PEPPER_SAMPLE_PX) for side in grey.shape)
    sample = grey[rows, columns]
    alone = cv2.absdiff(sample, cv2.medianBlur(sample, 3))
    if float((np.asarray(alone) > PEPPER_DEPTH).mean()) < PEPPER_SHARE:
        return grey
    return cv2.medianBlur(grey, 3).astype(np.uint8, copy=False)


def turned(warp: Warp) -> int:
    """How far the picture is turned, in degrees clockwise."""
    start, end = transform(warp.perspective, np.array([[20.0, warp.height / 2], [warp.width - 20, warp.height / 2]]))
    across, down = end - start
    return round(float(np.degrees(np.arctan2(down, across)))) % 360


def warnings(grey: Grey, marks: Marks, dpi: float, bars: float) -> tuple[Told, ...]:
    """What a director should know about the picture, to do better with the next one."""
    found = []
    if len(marks.markers) < 4:
        found.append(Told.of(PictureFault.MARKERS_LOST, lost=4 - len(marks.markers)))
    if bars < BARS_TO_TELL:
        found.append(Told.of(PictureFault.BARS_LOST, share=round(1 - bars, 3)))
    if dpi < COARSE_DPI:
        found.append(Told.of(PictureFault.COARSE, dpi=round(dpi)))
    if is_one_bit(grey):
        found.append(Told.of(PictureFault.ONE_BIT))
    return tuple(found)


def told_lines(places: Sequence[float]) -> tuple[Told, ...]:
    """Tell where lines run down a page, in mm from the scan's left edge; those beside one another as one.

    >>> [told.as_body() for told in told_lines([86.2, 87.1, 120.0])]
    [{'code': 'LINE_DOWN', 'at_mm': 86}, {'code': 'LINE_DOWN', 'at_mm': 120}]
    >>> len(told_lines([86.2, 87.1, 120.0])), len(told_lines(list(range(10, 200, 5))))
    (2, 1)
    """
    apart = [place for before, place in pairwise((-ONE_LINE_MM, *places)) if place - before >= ONE_LINE_MM]
    if len(apart) > MOST_LINES:
        return (Told.of(PictureFault.LINES_DOWN, count=len(apart)),)
    return tuple(Told.of(PictureFault.LINE_DOWN, at_mm=round(place)) for place in apart)


def is_one_bit(grey: Grey) -> bool:
    """Say whether a scanner threw the grey away."""
    counts = np.bincount(grey[::7, ::5].ravel(), minlength=256)
    return float(counts[slice(*BETWEEN)].sum()) < MOST_BETWEEN * float(counts.sum())
