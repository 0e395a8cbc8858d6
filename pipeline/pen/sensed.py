"""Light, lens, sensor and file: what a camera or a scanner adds to a picture of the paper."""

import cv2
import numpy as np

from pipeline.pen.laying import MM_PER_INCH, Cover, Picture
from pipeline.pen.worn import darken, soft_noise

Rng = np.random.Generator


def shadow(scan: Picture, strength: float, rng: Rng, dpi: int) -> Picture:
    """Light it from one side, and let a hand or a phone throw a shadow."""
    height, width = (side // 4 + 1 for side in scan.shape[:2])  # light changes slowly: a quarter of the size is enough
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    turn = rng.uniform(0, 2 * np.pi)
    along = (xs / width - 0.5) * np.float32(np.cos(turn)) + (ys / height - 0.5) * np.float32(np.sin(turn))
    light = 1 - (along + 0.7) / 1.4 * np.float32(strength * rng.uniform(0.3, 0.65))
    light *= 1 + np.float32(0.12 * strength) * soft_noise((height, width), 4, rng)
    thrown = np.zeros((height, width), np.float32)
    centre = rng.uniform(0, 1, 2) * (width, height)
    count = int(rng.integers(4, 8))
    turns = np.sort(rng.uniform(0, 2 * np.pi, count))
    reach = rng.uniform(0.25, 0.6, count) * max(height, width)
    outline = np.stack([centre[0] + reach * np.cos(turns), centre[1] + reach * np.sin(turns)], axis=1)
    cv2.fillPoly(thrown, [outline.astype(np.int32)], (1.0,))
    soft = cv2.GaussianBlur(thrown, (0, 0), rng.uniform(0.3, 5) * dpi / MM_PER_INCH / 4)
    light *= 1 - np.asarray(soft, np.float32) * np.float32(strength * rng.uniform(0.3, 0.6))
    whole = cv2.resize(light, scan.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    darken(scan, np.asarray(whole, np.float32))
    return scan


def glare(scan: Picture, strength: float, rng: Rng, dpi: int) -> Picture:
    """Reflect a lamp: a bright patch in which everything pales."""
    height, width = scan.shape[:2]
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = rng.uniform(0.15, 0.85, 2) * (width, height)
    radius = rng.uniform(20, 50) * dpi / MM_PER_INCH
    bright: Cover = np.asarray(np.exp(-(((xs - x) / radius) ** 2) - ((ys - y) / (0.7 * radius)) ** 2), np.float32)
    amount = bright * np.float32(0.9 * strength)
    amount = amount if scan.ndim == 2 else amount[:, :, None]
    return np.asarray(scan + (255 - scan.astype(np.float32)) * amount, np.uint8)


def screen(scan: Picture, strength: float, rng: Rng, dpi: int) -> Picture:
    """Photograph it from a screen: stripes where the pixels of screen and camera beat."""
    height, width = scan.shape[:2]
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    turn = rng.uniform(-0.2, 0.2)
    beat = np.sin((xs * np.cos(turn) + ys * np.sin(turn)) * (2 * np.pi / rng.uniform(4, 9)))
    grid = np.sin((ys * np.cos(turn) - xs * np.sin(turn)) * (2 * np.pi / rng.uniform(4, 9)))
    darken(scan, np.asarray(1 - strength * (0.18 * (1 + beat) / 2 + 0.12 * (1 + grid) / 2), np.float32))
    return scan


def blur(scan: Picture, strength: float, rng: Rng, dpi: int) -> Picture:
    """Miss the focus, by 0.40 mm at most."""
    return np.asarray(cv2.GaussianBlur(scan, (0, 0), max(0.2, 0.40 * strength * dpi / MM_PER_INCH)), np.uint8)


def motion(scan: Picture, strength: float, rng: Rng, dpi: int) -> Picture:
    """Move while the shutter is open, by 1.6 mm at most."""
    side = max(3, round(1.6 * strength * dpi / MM_PER_INCH)) | 1
    kernel = np.zeros((side, side), np.float32)
    turn, half = rng.uniform(0, np.pi), (side - 1) / 2
    ends = [(round(half + s * half * np.cos(turn)), round(half + s * half * np.sin(turn))) for s in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], (1.0,))
    return np.asarray(cv2.filter2D(scan, -1, kernel / kernel.sum()), np.uint8)


def low_contrast(scan: Picture, strength: float, rng: Rng, dpi: int) -> Picture:
    """Leave little between black and white."""
    low = strength * rng.uniform(90, 150)
    high = 255 + strength * (min(255.0, low + rng.uniform(35, 80)) - 255)
    return np.asarray(low + scan.astype(np.float32) * ((high - low) / 255), np.uint8)


def noise(scan: Picture, strength: float, rng: Rng, dpi: int) -> Picture:
    """Add the sensor's noise, up to 16 grey levels."""
    grains = rng.standard_normal(scan.shape, dtype=np.float32) * np.float32(16 * strength)
    grains += scan
    return np.asarray(np.clip(grains, 0, 255, out=grains), np.uint8)


def specks(scan: Picture, strength: float, rng: Rng, dpi: int) -> Picture:
    """Turn pixels black and white."""
    draw = rng.random(scan.shape[:2], dtype=np.float32)
    scan[draw < 0.05 * strength] = 0
    scan[draw > 1 - 0.05 * strength] = 255
    return scan


def streaks(scan: Picture, strength: float, rng: Rng, dpi: int) -> Picture:
    """Draw what dust on the glass draws: lines along the feed."""
    for _ in range(1 + round(5 * strength)):
        x = int(rng.integers(0, scan.shape[1]))
        wide = max(1, round(rng.uniform(0.1, 0.6) * dpi / MM_PER_INCH))
        scan[:, x : x + wide] = int(rng.choice([0, 60, 150, 255]))
    return scan


def fax(scan: Picture, strength: float, rng: Rng, dpi: int) -> Picture:
    """Send it by fax: black or white, coarse when the strength is above a half (204 × 98 dots an inch)."""
    grey = scan if scan.ndim == 2 else np.asarray(cv2.cvtColor(scan, cv2.COLOR_BGR2GRAY), np.uint8)
    height, width = grey.shape
    rough = noise(grey, 0.2 + 0.5 * strength, rng, dpi)
    if strength > 0.5:
        coarse = cv2.resize(rough, (width * 204 // dpi, height * 98 // dpi), interpolation=cv2.INTER_AREA)
        rough = np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)
    return np.where(rough > rng.uniform(150 - 50 * strength, 150 + 40 * strength), 255, 0).astype(np.uint8)


def jpeg(scan: Picture, strength: float, rng: Rng, dpi: int) -> Picture:
    """Keep it as a JPEG of quality 75 down to 10."""
    _, data = cv2.imencode(".jpg", scan, [cv2.IMWRITE_JPEG_QUALITY, round(75 - 65 * strength)])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_UNCHANGED), np.uint8)
