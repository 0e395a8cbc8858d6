"""Damage to the paper itself: stains, staples, holes, folds, crumples. All of it in place, in px of the page."""

import cv2
import numpy as np

from pipeline.pen.laying import MM_PER_INCH, Cover, Picture
from pipeline.pen.path import Field, ScanPath

Rng = np.random.Generator


def soft_noise(shape: tuple[int, int], cells: int, rng: Rng) -> Cover:
    """Make smooth noise that varies over a number of cells across the page, between -1 and 1."""
    coarse = rng.standard_normal((max(2, cells), max(2, cells))).astype(np.float32)
    noise = np.asarray(cv2.resize(coarse, shape[::-1], interpolation=cv2.INTER_CUBIC), np.float32)
    return noise / np.float32(max(float(np.abs(noise).max()), 1e-6))


def darken(page: Picture, light: Cover) -> None:
    """Let only part of the light through, 0..1 for each pixel."""
    factor = light if page.ndim == 2 else light[:, :, None]
    page[:] = np.clip(page * factor, 0, 255).astype(np.uint8)


def stain(page: Picture, strength: float, rng: Rng, dpi: int) -> None:
    """Put a cup of coffee down, once to three times."""
    px = dpi / MM_PER_INCH
    height, width = page.shape[:2]
    wet = np.zeros((height, width), np.float32)
    for _ in range(1 + round(2 * strength)):
        centre = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        radius = rng.uniform(25, 42) * px
        axes = (int(radius), int(radius * rng.uniform(0.9, 1.1)))
        cv2.ellipse(wet, centre, axes, 0, 0, 360, 1.0, max(1, int(rng.uniform(1.5, 4) * px)), cv2.LINE_AA)
        if rng.random() < strength:
            cv2.ellipse(wet, centre, axes, 0, 0, 360, 0.45, -1, cv2.LINE_AA)
    spread = cv2.GaussianBlur(wet, (0, 0), 0.9 * px) * (1 + 0.4 * soft_noise((height, width), 30, rng))
    darken(page, np.asarray(1 - np.clip(spread, 0, 1) * (0.2 + 0.45 * strength), np.float32))


def scribble(page: Picture, strength: float, rng: Rng, dpi: int) -> None:
    """Doodle somewhere on the sheet."""
    px = dpi / MM_PER_INCH
    height, width = page.shape[:2]
    side = (8 + 25 * strength) * px
    corner = rng.uniform(0, 1, 2) * (max(width - side, 1), max(height - side, 1))
    points = corner + rng.uniform(0, side, (int(5 + 20 * strength), 2))
    thick = max(1, round(rng.uniform(0.4, 0.8) * px))
    cv2.polylines(page, [points.astype(np.int32)], False, (45,) * 3, thick, cv2.LINE_AA)


def covered(page: Picture, strength: float, rng: Rng, dpi: int) -> None:
    """Lay something over a corner, where the markers are."""
    px = dpi / MM_PER_INCH
    height, width = page.shape[:2]
    side = (10 + 18 * strength) * px
    right, low = rng.integers(0, 2, 2)
    left, top = int(right * (width - side)), int(low * (height - side))
    shade = int(rng.choice([255, 235, 128, 30]))
    page[max(top, 0) : top + int(side), max(left, 0) : left + int(side)] = shade


def cut_corner(page: Picture, strength: float, rng: Rng, dpi: int) -> None:
    """Tear a corner off."""
    px = dpi / MM_PER_INCH
    height, width = page.shape[:2]
    x, y = rng.integers(0, 2, 2) * (width, height)
    along, down = (15 + 35 * strength) * rng.uniform(0.6, 1, 2) * px
    towards_x, towards_y = (1 if x == 0 else -1), (1 if y == 0 else -1)
    steps = np.linspace(0, 1, 14)
    edge = np.stack([x + towards_x * along * steps, y + towards_y * down * (1 - steps)], axis=1)
    edge += rng.normal(0, 0.6 * px, edge.shape)
    shape = np.vstack([[(x, y)], edge]).astype(np.int32)
    cv2.fillPoly(page, [shape], (int(rng.choice([0, 60, 235])),) * 3)


def holes(page: Picture, strength: float, rng: Rng, dpi: int) -> None:
    """Punch two holes (80 mm apart) or four into one edge."""
    px = dpi / MM_PER_INCH
    height, width = page.shape[:2]
    count, shade = (4 if strength > 0.6 else 2), int(rng.choice([20, 235, 255]))
    middle = height / 2 + rng.uniform(-4, 4) * px
    inset = int(rng.uniform(9, 13) * px)
    x = inset if rng.random() < 0.7 else width - inset
    for number in range(count):
        y = middle + (number - (count - 1) / 2) * 80 * px
        cv2.circle(page, (x, int(y)), int(rng.uniform(2.6, 3.1) * px), (shade,) * 3, -1)


def staple(page: Picture, strength: float, rng: Rng, dpi: int) -> None:
    """Staple it at a corner, once or a few times."""
    px = dpi / MM_PER_INCH
    height, width = page.shape[:2]
    for _ in range(1 + round(2 * strength)):
        right, low = rng.integers(0, 2), rng.random() < 0.2
        middle = np.array([width - 14 * px if right else 14 * px, height - 14 * px if low else 14 * px])
        middle += rng.uniform(-8, 8, 2) * px
        turn = rng.uniform(0, np.pi)
        half = np.array([np.cos(turn), np.sin(turn)]) * 6 * px
        for offset, shade, thick in ((0.7, 90, 0.4), (0.0, int(rng.choice([120, 215])), 0.6)):
            start, end = middle - half + (0, offset * px), middle + half + (0, offset * px)
            ends = [(int(x), int(y)) for x, y in (start, end)]
            cv2.line(page, ends[0], ends[1], (shade,) * 3, max(1, round(thick * px)), cv2.LINE_AA)


def fold(page: Picture, path: ScanPath, strength: float, rng: Rng, dpi: int) -> None:
    """Fold it once: a grey line, and the paper a little shorter across it."""
    px = dpi / MM_PER_INCH
    height, width = page.shape[:2]
    at = rng.uniform(0.3, 0.7) * height
    tilt = rng.uniform(-0.03, 0.03)
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    away = (ys - np.float32(at) - np.float32(tilt) * xs) / np.float32(px)  # mm
    darken(page, np.asarray(1 - (0.12 + 0.3 * strength) * np.exp(-((away / 0.35) ** 2)), np.float32))
    rise = np.asarray(np.tanh(away / np.float32(6)), np.float32)
    path.bend(np.zeros_like(rise), rise * np.float32(0.7 * strength * px))


def crumple(page: Picture, path: ScanPath, strength: float, rng: Rng, dpi: int) -> None:
    """Crumple it and flatten it again; the light shows the hills."""
    px = dpi / MM_PER_INCH
    shape = page.shape[:2]
    cells, reach = int(rng.integers(4, 9)), np.float32(2.5 * strength * px)
    dx, dy = (soft_noise(shape, cells, rng) * reach for _ in range(2))
    slope = cv2.Sobel(cv2.GaussianBlur(dx, (0, 0), 3), cv2.CV_32F, 1, 0)
    steep = np.asarray(np.abs(slope), np.float32) / np.float32(max(float(np.abs(slope).max()), 1e-6))
    darken(page, np.asarray(1 - np.float32(0.1 + 0.2 * strength) * steep, np.float32))
    path.bend(dx, dy)


def stretch(page: Picture, path: ScanPath, strength: float, rng: Rng, dpi: int) -> None:
    """Let the rollers slip: the page longer or shorter, and a jump here and there."""
    px = dpi / MM_PER_INCH
    height, width = page.shape[:2]
    y = np.linspace(0, 1, height, dtype=np.float32)
    slip = strength * rng.uniform(-0.03, 0.03) * (y - 0.5) * height
    for _ in range(int(rng.integers(1, 4))):
        jump = strength * rng.uniform(-2, 2) * px
        # no slip is steeper than the paper is long: a jump of 2 mm takes at least 8 mm of feed
        over = max(rng.uniform(0.008, 0.05), abs(jump) / height)
        slip = slip + jump / 2 * (1 + np.tanh((y - rng.uniform(0.1, 0.9)) / (2 * over)))
    dy: Field = np.repeat(slip.astype(np.float32)[:, None], width, axis=1)
    path.bend(np.zeros_like(dy), dy)
