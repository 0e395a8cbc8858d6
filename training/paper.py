"""Strokes become a grey crop as registration hands it over: pen, paper, remnants of rules, blur, scanner, JPEG."""

import math
import random

import cv2
import numpy as np
from numpy.typing import NDArray

from training.hand import Line, Placed

Picture = NDArray[np.float32]


def slanted(line: Line, rng: random.Random) -> Placed:
    """Lean, stretch, bend and tilt a whole line, as one person on one day does."""
    lean, wide = rng.gauss(0, 0.12), math.exp(rng.gauss(0, 0.12))
    slope, wave, length, phase = rng.gauss(0, 0.012), abs(rng.gauss(0, 0.035)), rng.uniform(2, 10), rng.uniform(0, 6.3)
    bent = []
    for stroke in line.strokes:
        x = stroke[:, 0] * wide
        y = stroke[:, 1] + slope * x + wave * np.sin(x / length * 6.3 + phase)
        bent.append(np.stack([x - lean * stroke[:, 1], y], 1))
    return bent


def drawn(strokes: Placed, capital: float, rng: random.Random) -> tuple[Picture, float]:
    """Draw strokes with one pen; ``capital`` is the height of a capital in pixels. The picture and its baseline."""
    points = np.concatenate(strokes)
    low, high = points.min(0), points.max(0)
    margin = rng.uniform(0.15, 0.5)
    top, bottom = min(low[1], -1.0) - margin, max(high[1], 0.1) + margin
    left, right = low[0] - margin - rng.expovariate(3), high[0] + margin + rng.expovariate(1.2)
    fine = 2 * capital  # drawn twice as large, so that thin pens are thin
    shape = (int((bottom - top) * fine) + 2, int((right - left) * fine) + 2)
    canvas = np.zeros(shape, np.uint8)
    pen = rng.uniform(0.06, 0.16) if rng.random() < 0.8 else rng.uniform(0.04, 0.22)  # of a capital's height
    for stroke in strokes:
        width = max(1, round(pen * fine * math.exp(rng.gauss(0, 0.12))))
        on_canvas = np.round((stroke - [left, top]) * fine * 16).astype(np.int32)
        if np.ptp(stroke, axis=0).max() < 0.03:
            centre = tuple(int(v) for v in on_canvas.mean(0))
            cv2.circle(canvas, centre, int(max(1.0, 0.65 * width) * 16), 255, -1, cv2.LINE_AA, 4)
        else:
            cv2.polylines(canvas, [on_canvas.reshape(-1, 1, 2)], False, 255, width, cv2.LINE_AA, 4)
    size = (max(1, shape[1] // 2), max(1, shape[0] // 2))
    small = cv2.resize(canvas, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    return np.asarray(small, np.float32), float(-top * capital)


def clouds(shape: tuple[int, ...], amount: float, cell: float, noise: np.random.Generator) -> Picture:
    """Make a smooth random field."""
    grid = (max(2, int(shape[0] / cell) + 2), max(2, int(shape[1] / cell) + 2))
    small = noise.standard_normal(grid, dtype=np.float32)
    return cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC) * amount


def trembled(ink: Picture, capital: float, rng: random.Random, noise: np.random.Generator) -> Picture:
    """Bend the drawing a little everywhere."""
    height, width = ink.shape
    amount = rng.uniform(0, 0.055) * capital
    columns, rows = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    across = clouds(ink.shape, amount, 0.7 * capital, noise)
    down = clouds(ink.shape, amount, 0.7 * capital, noise)
    return np.asarray(cv2.remap(ink, columns + across, rows + down, cv2.INTER_LINEAR), np.float32)


def inked(ink: Picture, rng: random.Random, noise: np.random.Generator) -> tuple[Picture, float]:
    """Give the drawing a pen's or a pencil's darkness, 0..1."""
    if rng.random() < 0.3:
        grain = cv2.GaussianBlur(noise.standard_normal(ink.shape, dtype=np.float32), (0, 0), rng.uniform(0.5, 1.0))
        return ink * np.clip(0.85 + grain * rng.uniform(0.2, 1.0), 0.05, 1), rng.uniform(0.25, 0.7)
    flow = 1 + clouds(ink.shape, rng.uniform(0, 0.18), 14, noise)
    return ink * np.clip(flow, 0.3, 1), rng.uniform(0.4, 1.0)


def rules_left_over(picture: Picture, base: float, capital: float, rng: random.Random) -> None:
    """Leave traces of the sheet's own guide lines: dots, dashes, pieces of a line, the edge of a box."""
    height, width = picture.shape
    thick = rng.choice((1, 1, 2))
    grey = rng.uniform(90, 235)
    for _ in range(rng.choice((1, 1, 2))):
        y = int(base + rng.uniform(-0.15, 0.55) * capital if rng.random() < 0.8 else rng.uniform(0, height))
        if not 0 <= y < height - thick:
            continue
        kind = rng.random()
        if kind < 0.6:
            pitch, dot = max(3, round(rng.uniform(0.12, 0.35) * capital)), rng.choice((1, 1, 2))
            mask = (np.arange(width) + rng.randrange(pitch)) % pitch < dot
            if rng.random() < 0.5:
                mask &= np.repeat(np.random.default_rng(rng.randrange(2**32)).random(width // 8 + 1) < 0.4, 8)[:width]
        else:
            a, b = sorted((rng.randrange(width), rng.randrange(width)))
            mask = np.zeros(width, bool)
            mask[(0 if kind < 0.75 else a) : (width if kind < 0.75 else b)] = True
        row = picture[y : y + thick]
        row[:, mask] = np.minimum(row[:, mask], grey)
    if rng.random() < 0.2:
        x = rng.choice((rng.randint(1, 4), width - rng.randint(3, 6)))
        picture[:, x : x + 1] = np.minimum(picture[:, x : x + 1], grey)


def neighbours(picture: Picture, capital: float, dark: float, rng: random.Random) -> None:
    """Let a letter of the row above or below reach in."""
    height, width = picture.shape
    for _ in range(rng.randint(1, 3)):
        x, above = rng.randrange(width), rng.random() < 0.5
        start = (x, 0 if above else height - 1)
        reach = int(rng.uniform(0.1, 0.4) * capital)
        stop = (x + rng.randint(-4, 4), reach if above else height - 1 - reach)
        cv2.line(picture, start, stop, float(255 * (1 - dark)), max(1, int(0.1 * capital)), cv2.LINE_AA)


def scanned(line: Line, rng: random.Random, noise: np.random.Generator) -> NDArray[np.uint8]:
    """Make the grey crop of a line of writing."""
    capital = math.exp(rng.uniform(math.log(17), math.log(50)))  # 2-6 mm capitals at 200 dpi
    ink, base = drawn(slanted(line, rng), capital, rng)
    if rng.random() < 0.6:
        ink = trembled(ink, capital, rng, noise)
    ink, dark = inked(ink, rng, noise)
    paper = rng.uniform(205, 254) + clouds(ink.shape, rng.uniform(0, 4), 60, noise)
    return degraded(paper * (1 - ink * dark), base, capital, rng, noise)


def degraded(
    picture: Picture, base: float, capital: float, rng: random.Random, noise: np.random.Generator
) -> NDArray[np.uint8]:  # fmt: skip
    """Do to a line what the sheet, the neighbouring rows, the scanner and the file format do."""
    if rng.random() < 0.45:
        rules_left_over(picture, base, capital, rng)
    if rng.random() < 0.1:
        neighbours(picture, capital, rng.uniform(0.4, 1.0), rng)
    if rng.random() < 0.65:
        blurred = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 0.035 * capital + 0.3))
        picture = np.asarray(blurred, np.float32)
    picture = picture + noise.standard_normal(picture.shape, dtype=np.float32) * rng.uniform(0.3, 8)
    for _ in range(rng.randint(1, 6) if rng.random() < 0.08 else 0):
        spot = (rng.randrange(picture.shape[1]), rng.randrange(picture.shape[0]))
        cv2.circle(picture, spot, rng.randint(0, 2), rng.uniform(40, 180), -1)
    grey = np.clip(picture, 0, 255).astype(np.uint8)
    if rng.random() < 0.06:  # a fax or a 1-bit scanner
        grey = np.where(grey > rng.uniform(0.5, 0.8) * float(np.median(grey)), 255, 0).astype(np.uint8)
    if rng.random() < 0.3:
        quality = [cv2.IMWRITE_JPEG_QUALITY, rng.randint(35, 92)]
        decoded = cv2.imdecode(cv2.imencode(".jpg", grey, quality)[1], cv2.IMREAD_GRAYSCALE)
        grey = np.asarray(decoded, np.uint8)
    return grey
