"""The scanner: a filled sheet in; the picture that arrives on the director's computer out, and the truth beside it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from pipeline.pen import sensed, worn
from pipeline.pen.damage import Damage, DamageKind
from pipeline.pen.laying import MM_PER_INCH, Picture
from pipeline.pen.letters import Floats
from pipeline.pen.path import ScanPath

Rng = np.random.Generator

ON_PAPER: dict[DamageKind, Callable[[Picture, float, Rng, int], None]] = {
    DamageKind.STAIN: worn.stain,
    DamageKind.SCRIBBLE: worn.scribble,
    DamageKind.COVERED: worn.covered,
    DamageKind.CUT_CORNER: worn.cut_corner,
    DamageKind.HOLES: worn.holes,
    DamageKind.STAPLE: worn.staple,
}
BENDING: dict[DamageKind, Callable[[Picture, ScanPath, float, Rng, int], None]] = {
    DamageKind.FOLD: worn.fold,
    DamageKind.CRUMPLE: worn.crumple,
    DamageKind.STRETCH: worn.stretch,
}
SENSED: dict[DamageKind, Callable[[Picture, float, Rng, int], Picture]] = {
    DamageKind.SHADOW: sensed.shadow,
    DamageKind.GLARE: sensed.glare,
    DamageKind.SCREEN: sensed.screen,
    DamageKind.BLUR: sensed.blur,
    DamageKind.MOTION: sensed.motion,
    DamageKind.LOW_CONTRAST: sensed.low_contrast,
    DamageKind.NOISE: sensed.noise,
    DamageKind.SPECKS: sensed.specks,
    DamageKind.STREAKS: sensed.streaks,
    DamageKind.FAX: sensed.fax,
    DamageKind.JPEG: sensed.jpeg,
}
ORDER = {kind: place for place, kind in enumerate(DamageKind)}


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """A picture of a sheet, and where everything on the sheet is in it."""

    image: Picture
    dpi: int  # of the picture; of a phone's picture, what it would be from straight above
    path: ScanPath  # `path.place(points_mm)` → px; `path.homography` where one matrix says it all
    damages: tuple[Damage, ...]


def scan(
    page: Picture,
    damages: Iterable[Damage],
    rng: Rng,
    *,
    page_dpi: int,
    dpi: int | None = None,
    size_mm: tuple[float, float] | None = None,
) -> Scan:
    """Scan a page at ``dpi`` (as drawn if left out) with any damages together.

    They happen in the order of `DamageKind`, whatever order they are given in. ``size_mm`` is the sheet's size in the
    layout: a renderer rounds a page up to whole pixels, and without it the truth is off by half a pixel at the edge.
    """
    dpi = dpi or page_dpi
    paper = resampled(page, page_dpi, dpi)
    todo = sorted((d for d in damages if d.strength > 0), key=lambda damage: ORDER[damage.kind])
    width_mm, height_mm = size_mm or (page.shape[1] / page_dpi * MM_PER_INCH, page.shape[0] / page_dpi * MM_PER_INCH)
    height, width = paper.shape[:2]
    path = ScanPath((width / width_mm, height / height_mm), (width, height))
    for damage in todo:
        if damage.kind in ON_PAPER:
            ON_PAPER[damage.kind](paper, damage.strength, rng, dpi)
        elif damage.kind in BENDING:
            BENDING[damage.kind](paper, path, damage.strength, rng, dpi)
        elif damage.kind not in SENSED:
            move(path, damage, rng)
    image = soften(path.picture(paper, background(path, paper, todo, rng)), rng, dpi)
    for damage in todo:
        if damage.kind in SENSED:
            image = SENSED[damage.kind](image, damage.strength, rng, dpi)
    return Scan(image, dpi, path, tuple(todo))


def soften(image: Picture, rng: Rng, dpi: int) -> Picture:
    """See it as any scanner does: paper is not quite white, and no edge quite sharp (READING: 0.06 mm)."""
    soft = cv2.GaussianBlur(image, (0, 0), max(0.3, 0.06 * dpi / MM_PER_INCH))
    return np.asarray(cv2.convertScaleAbs(soft, alpha=rng.uniform(0.94, 1.0)), np.uint8)


def resampled(page: Picture, page_dpi: int, dpi: int) -> Picture:
    """Bring a page to a resolution; always a copy."""
    if page_dpi == dpi:
        return page.copy()
    size = (round(page.shape[1] * dpi / page_dpi), round(page.shape[0] * dpi / page_dpi))
    how = cv2.INTER_AREA if dpi < page_dpi else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(page, size, interpolation=how), np.uint8)


def move(path: ScanPath, damage: Damage, rng: Rng) -> None:
    """Move the page on its way to the picture."""
    strength, (width, height) = damage.strength, path.size
    match damage.kind:
        case DamageKind.PRINT_SCALE:
            share = 1 - strength * rng.uniform(0.03, 0.08)
            path.printed = about(width, height, np.diag([share, share])) @ path.printed
        case DamageKind.SKEW:
            lean = np.tan(np.radians(2 * strength * rng.uniform(-1, 1)))
            path.then(about(width, height, np.array([[1, lean], [0, 1]])))
        case DamageKind.MIRRORED:
            path.then(np.array([[-1.0, 0, width - 1], [0, 1, 0], [0, 0, 1]]))
        case DamageKind.SHIFT:
            along, down = strength * rng.uniform(-6, 6, 2) * path.per_mm
            path.then(np.array([[1.0, 0, along], [0, 1, down], [0, 0, 1]]))
        case DamageKind.ROTATION:
            turn_by(path, 10 * strength * rng.uniform(0.5, 1) * rng.choice([-1, 1]), grow=strength > 0.3)
        case DamageKind.UPSIDE_DOWN:
            path.then(np.array([[-1.0, 0, width - 1], [0, -1, height - 1], [0, 0, 1]]))
        case DamageKind.SIDEWAYS:
            left = np.array([[0.0, 1, 0], [-1, 0, width - 1], [0, 0, 1]])
            right = np.array([[0.0, -1, height - 1], [1, 0, 0], [0, 0, 1]])
            path.then(left if rng.random() < 0.5 else right, (height, width))
        case DamageKind.PERSPECTIVE:
            photograph(path, strength, rng)
        case _:
            raise AssertionError(damage.kind)  # every other kind stands in one of the tables above


def about(width: int, height: int, matrix: Floats) -> Floats:
    """Make a 2 × 2 matrix act around the middle of the page."""
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    whole = np.eye(3)
    whole[:2, :2] = matrix
    whole[:2, 2] = middle - matrix @ middle
    return whole


def turn_by(path: ScanPath, degrees: float, *, grow: bool) -> None:
    """Turn the page; ``grow`` makes the picture large enough to lose nothing (a flat bed, not a feeder)."""
    width, height = path.size
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    matrix = about(width, height, np.array([[cos, sin], [-sin, cos]]))
    if grow:
        wide, high = (round(abs(cos) * a + abs(sin) * b) for a, b in ((width, height), (height, width)))
        matrix[:2, 2] += ((wide - width) / 2, (high - height) / 2)
        path.then(matrix, (wide, high))
    else:
        path.then(matrix)


def photograph(path: ScanPath, strength: float, rng: Rng) -> None:
    """Take a picture by hand from above: four corners anywhere near where they should be, some desk around."""
    width, height = path.size
    corners = np.array([(0, 0), (width - 1, 0), (width - 1, height - 1), (0, height - 1)], np.float32)
    seen = corners + rng.uniform(-0.10, 0.10, (4, 2)) * strength * (width, height)
    turn = np.radians(rng.uniform(-25, 25) * strength + (rng.choice([0, 90, 180, 270]) if rng.random() < 0.3 else 0))
    middle = seen.mean(axis=0)
    seen = (seen - middle) @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    desk = rng.uniform(0.02, 0.12, 2) * (width, height)
    low, high = seen.min(axis=0), seen.max(axis=0)
    placed = (seen - low + desk).astype(np.float32)
    wide, tall = (int(v) for v in high - low + 2 * desk + 1)
    path.then(np.asarray(cv2.getPerspectiveTransform(corners, placed), np.float64), (wide, tall))


def background(path: ScanPath, paper: Picture, damages: list[Damage], rng: Rng) -> Picture:
    """Lay out what is seen around the paper: the scanner's lid, or a desk."""
    width, height = path.size
    shape = (height, width, 3) if paper.ndim == 3 else (height, width)
    if not any(damage.kind is DamageKind.PERSPECTIVE for damage in damages):
        return np.full(shape, rng.choice([255, 245, 200, 30]), np.uint8)
    grain = worn.soft_noise((height, width), 5, rng) * 25
    grain += np.sin(np.arange(width, dtype=np.float32) / np.float32(rng.uniform(3, 30))) * np.float32(
        rng.uniform(0, 12)
    )
    grain += rng.standard_normal((height, width), dtype=np.float32) * 8
    tint = np.array(rng.uniform(0.7, 1.0, 3), np.float32) if paper.ndim == 3 else np.float32(1)
    plain = grain + rng.uniform(40, 150)
    return np.asarray(np.clip((plain[:, :, None] if paper.ndim == 3 else plain) * tint, 0, 255), np.uint8)


def side_by_side(scans: Sequence[Scan], gap_mm: float = 8.0) -> tuple[Scan, ...]:
    """Put several scans on one picture, left to right; each keeps its own truth."""
    gap = round(gap_mm * scans[0].dpi / MM_PER_INCH)
    height = max(one.image.shape[0] for one in scans) + 2 * gap
    width = sum(one.image.shape[1] + gap for one in scans) + gap
    whole = np.full((height, width, *scans[0].image.shape[2:]), 245, np.uint8)
    left, paths = gap, []
    for one in scans:
        high, wide = one.image.shape[:2]
        whole[gap : gap + high, left : left + wide] = one.image
        moved = replace(one.path)
        moved.then(np.array([[1.0, 0, left], [0, 1, gap], [0, 0, 1]]), (width, height))
        paths.append(moved)
        left += wide + gap
    return tuple(replace(one, image=whole, path=path) for one, path in zip(scans, paths, strict=True))
