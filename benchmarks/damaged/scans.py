"""Scan a page with damages, and say where everything on it is in the picture."""

from collections.abc import Iterable

import cv2
import numpy as np

from benchmarks.damaged.kinds import BENDING, ON_PAPER, ORDER, SENSED, Damage, DamageKind, Rng, soft_noise
from benchmarks.damaged.path import ScanPath
from pipeline.pen.laying import MM_PER_INCH, Picture
from pipeline.pen.scanner import Scan, around_middle, resample_page, soften, turn_around_middle


class DamagedScan(Scan, frozen=True, eq=False):
    """A picture of a sheet, and where everything on the sheet is in it."""

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
) -> DamagedScan:
    """Scan a page at ``dpi`` (as drawn if left out) with any damages together.

    They happen in the order of `DamageKind`, whatever order they are given in. ``size_mm`` is the sheet's size in the
    layout: a renderer rounds a page up to whole pixels, and without it the truth is off by half a pixel at the edge.
    """
    dpi = dpi or page_dpi
    paper = resample_page(page, page_dpi, dpi)
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
            _move(path, damage, rng)
    image = soften(path.picture(paper, _draw_background(path, paper, todo, rng)), rng, dpi)
    for damage in todo:
        if damage.kind in SENSED:
            image = SENSED[damage.kind](image, damage.strength, rng, dpi)
    return DamagedScan(image, dpi, path, tuple(todo))


def _move(path: ScanPath, damage: Damage, rng: Rng) -> None:
    """Move the page on its way to the picture."""
    strength, (width, height) = damage.strength, path.size
    match damage.kind:
        case DamageKind.PRINT_SCALE:
            share = 1 - strength * rng.uniform(0.03, 0.08)
            path.printed = around_middle(width, height, np.diag([share, share])) @ path.printed
        case DamageKind.SKEW:
            lean = np.tan(np.radians(2 * strength * rng.uniform(-1, 1)))
            path.then(around_middle(width, height, np.array([[1, lean], [0, 1]])))
        case DamageKind.MIRRORED:
            path.then(np.array([[-1.0, 0, width - 1], [0, 1, 0], [0, 0, 1]]))
        case DamageKind.SHIFT:
            along, down = strength * rng.uniform(-6, 6, 2) * path.per_mm
            path.then(np.array([[1.0, 0, along], [0, 1, down], [0, 0, 1]]))
        case DamageKind.ROTATION:
            _turn_by(path, 10 * strength * rng.uniform(0.5, 1) * rng.choice([-1, 1]), grow=strength > 0.3)
        case DamageKind.UPSIDE_DOWN:
            path.then(np.array([[-1.0, 0, width - 1], [0, -1, height - 1], [0, 0, 1]]))
        case DamageKind.SIDEWAYS:
            left = np.array([[0.0, 1, 0], [-1, 0, width - 1], [0, 0, 1]])
            right = np.array([[0.0, -1, height - 1], [1, 0, 0], [0, 0, 1]])
            path.then(left if rng.random() < 0.5 else right, (height, width))
        case DamageKind.PERSPECTIVE:
            _photograph(path, strength, rng)
        case _:
            raise AssertionError(damage.kind)  # every other kind stands in a table of `damage`


def _turn_by(path: ScanPath, degrees: float, *, grow: bool) -> None:
    """Turn the page; ``grow`` makes the picture large enough to lose nothing (a flat bed, not a feeder)."""
    width, height = path.size
    matrix = turn_around_middle(width, height, degrees)
    if grow:
        cos, sin = matrix[0, :2]
        wide, high = (round(abs(cos) * a + abs(sin) * b) for a, b in ((width, height), (height, width)))
        matrix[:2, 2] += ((wide - width) / 2, (high - height) / 2)
        path.then(matrix, (wide, high))
    else:
        path.then(matrix)


def _photograph(path: ScanPath, strength: float, rng: Rng) -> None:
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


def _draw_background(path: ScanPath, paper: Picture, damages: list[Damage], rng: Rng) -> Picture:
    """Lay out what is seen around the paper: the scanner's lid, or a desk."""
    width, height = path.size
    shape = (height, width, 3) if paper.ndim == 3 else (height, width)
    if not any(damage.kind is DamageKind.PERSPECTIVE for damage in damages):
        return np.full(shape, rng.choice([255, 245, 200, 30]), np.uint8)
    grain = soft_noise((height, width), 5, rng) * 25
    grain += np.sin(np.arange(width, dtype=np.float32) / np.float32(rng.uniform(3, 30))) * np.float32(
        rng.uniform(0, 12)
    )
    grain += rng.standard_normal((height, width), dtype=np.float32) * 8
    tint = np.array(rng.uniform(0.7, 1.0, 3), np.float32) if paper.ndim == 3 else np.float32(1)
    plain = grain + rng.uniform(40, 150)
    return np.asarray(np.clip((plain[:, :, None] if paper.ndim == 3 else plain) * tint, 0, 255), np.uint8)
