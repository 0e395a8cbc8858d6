"""The perspective of a sheet on its picture, from the marks that were found."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.ink import Box
from pipeline.paper.layout.sheet_layout import Form
from pipeline.reading.registration.marks import Code, Marks, Points
from pipeline.reading.registration.warp import transform

OUTLIER_MM = 1.5  # a marker's corner this far from where the others say is not that marker's
UNEVEN = 3.0  # a page photographed so that one corner is three times as large as another cannot be read


@dataclass(frozen=True, slots=True)
class FittedPage:
    """A perspective, and how well the marks agree with it."""

    perspective: NDArray[np.float64]  # 3 by 3, mm -> pixels
    markers: int  # found
    rms_mm: float


def fit(marks: Marks, marker_ids: Sequence[int], form: Form) -> FittedPage | None:
    """Fit a perspective to the markers; to the codes as well where fewer than three markers are left."""
    boxes = dict(zip(marker_ids, form.markers, strict=True))
    found = [number for number in marker_ids if number in marks.markers]
    sheet = [corners(boxes[number]) for number in found]
    seen = [marks.markers[number] for number in found]
    if len(found) >= 3:
        return solve(sheet, seen, len(found))
    best: FittedPage | None = None
    for places, codes in pairings(marks.codes, form):
        if len(found) + len(codes) < 2:
            continue
        tried = solve([*sheet, *places], [*seen, *(code.corners for code in codes)], len(found))
        if tried and (best is None or tried.rms_mm < best.rms_mm):
            best = tried
    return best


def disagreement_mm(perspective: NDArray[np.float64], marks: Marks, marker_ids: Sequence[int], form: Form) -> float:
    """Measure how far the marks lie from where a perspective says, of at least half of them."""
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
    """Measure how far apart two perspectives have the bars beside the rows, in the median."""
    middles = np.array([(bar.left + bar.width / 2, bar.top + bar.height / 2) for pair in form.bars for bar in pair])
    back = transform(np.linalg.inv(one).astype(np.float64), transform(other, middles))
    return float(np.median(np.linalg.norm(back - middles, axis=1)))


def pairings(codes: Sequence[Code], form: Form) -> Iterator[tuple[list[Points], list[Code]]]:
    """Each way in which the codes that were read may be the two that were printed."""
    places = [corners(box) for box in form.codes]
    seen = list(codes[:2])
    for order in permutations(places, len(seen)):
        yield list(order), seen


def solve(sheet: Sequence[Points], seen: Sequence[Points], markers: int) -> FittedPage | None:
    """Fit a perspective to corresponding points."""
    here, there = np.vstack(sheet), np.vstack(seen)
    scale = float(np.sqrt(np.ptp(there, axis=0).prod() / max(1e-6, float(np.ptp(here, axis=0).prod()))))
    robust = cv2.RANSAC if len(sheet) >= 4 else 0
    found, _ = cv2.findHomography(here, there, robust, max(2.0, OUTLIER_MM * scale))
    if found is None:
        return None
    perspective = found.astype(np.float64)
    if not is_possible(perspective, here):
        return None
    back = transform(np.linalg.inv(perspective).astype(np.float64), there)
    off = np.linalg.norm(back - here, axis=1)
    keep = off < 2 * OUTLIER_MM if robust else np.ones(len(off), bool)
    return FittedPage(perspective, markers, float(np.sqrt(np.mean(off[keep] ** 2)))) if keep.any() else None


def is_possible(perspective: NDArray[np.float64], points: Points) -> bool:
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


def corners(box: Box) -> Points:
    """The corners of a box, clockwise from the top left, in mm."""
    right, bottom = box.left + box.width, box.top + box.height
    return np.array([[box.left, box.top], [right, box.top], [right, bottom], [box.left, bottom]], np.float64)
