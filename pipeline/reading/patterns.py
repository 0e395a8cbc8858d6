"""What a screen, a coarse copier (moiré) or a dark room lays over the whole paper, and how it is taken out again."""

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from pipeline.reading.dewarp import find_peak
from pipeline.reading.pages import Grey

Shades = NDArray[np.float32]

TILE_PX = 256  # side of the parts of a page whose waves are compared: what is written is in few of them
DOWN, ACROSS = 4, 2  # tiles
LONGEST_PX = 40.0  # of a wave: longer ones are shadows
LEAST_LEVELS = 4.0  # amplitude in grey levels: printed dots make waves of 2.3, the patterns that hinder have 5 to 20
STANDS_OUT = 2.0  # times as strong as all that is near it: on pages without a pattern 1.7, on others 2.2 to 42
NEAR = 6  # steps of frequency; dotted lines are strong in a whole row of them
ROUNDS = 3  # a strong wave hides a weak one
PAPER_PX = 31 * 4  # side of the part of a page whose median is paper
ROOM, GRAIN = 1.25, 12.0  # what is darker than paper by more than this share of the waves, and this, is ink
EDGE_PX = 5  # of ink, which is soft
COARSE_PX, SMOOTH = 8, 5.0  # a wave's strength changes slowly: over 40 px, more than a letter
LEAST_LIGHT = 0.3  # of paper in a wave's valley; less would make black white

LEAST_GRAIN = 0.03  # of the paper's level: photographs have 0.012, those of a dark room 0.019 to 0.057
SIGMA_OF_MEDIAN, LAPLACIAN = 0.6745, 20**0.5  # of white noise
BAND_PX = 80  # height of the parts of a page whose grain is measured
SOFT_PX = 1.2  # standard deviation: half a thin stroke


class Wave(Struct, frozen=True):
    levels: float  # amplitude, grey levels
    across: float  # frequency, waves a pixel
    down: float


def without_patterns(flat: Grey) -> Grey:
    """Take the waves of a pattern out of a sheet, if there are any."""
    for _ in range(ROUNDS):
        waves = _find_waves(flat)
        if not waves:
            break
        flat = _take_out(flat, waves)
    return flat


def _find_waves(flat: Grey) -> tuple[Wave, ...]:
    """Find the waves that are all over a sheet: peaks of the median of its parts' spectra."""
    window = np.outer(np.hanning(TILE_PX), np.hanning(TILE_PX)).astype(np.float32)
    tops = np.linspace(0, flat.shape[0] - TILE_PX, DOWN).astype(int)
    lefts = np.linspace(0, flat.shape[1] - TILE_PX, ACROSS + 2).astype(int)[1:-1]
    tiles = [flat[y : y + TILE_PX, x : x + TILE_PX].astype(np.float32) for y in tops for x in lefts]
    waves = [cv2.dft((tile - tile.mean()) * window, flags=cv2.DFT_COMPLEX_OUTPUT) for tile in tiles]
    spectra = [cv2.magnitude(wave[..., 0], wave[..., 1]) for wave in waves]
    levels = (
        np.fft.fftshift(np.partition(spectra, len(spectra) // 2, axis=0)[len(spectra) // 2]) * 8 / TILE_PX**2
    ).astype(np.float32)
    down, across = np.mgrid[: 2 * (TILE_PX // 2), : 2 * (TILE_PX // 2)] - TILE_PX // 2
    is_first = (across > 0) | ((across == 0) & (down > 0))  # each wave has two peaks, one opposite the other
    may_be = is_first & (np.hypot(across, down) > TILE_PX / LONGEST_PX) & (levels > LEAST_LEVELS)
    if not may_be.any():
        return ()
    around = cv2.copyMakeBorder(levels, NEAR, NEAR, NEAR, NEAR, cv2.BORDER_WRAP)
    ring = np.zeros((2 * NEAR + 1, 2 * NEAR + 1), np.uint8)
    for radius in (NEAR - 1, NEAR):
        cv2.circle(ring, (NEAR, NEAR), radius, 1, 1)
    inside = slice(NEAR, -NEAR)
    strongest, beside = (cv2.dilate(around, kernel)[inside, inside] for kernel in (np.ones((3, 3), np.uint8), ring))
    places = zip(*np.nonzero(may_be & (levels >= strongest) & (levels > STANDS_OUT * beside)), strict=True)
    return tuple(_measure(levels, int(row), int(column)) for row, column in places)


def _measure(levels: Shades, row: int, column: int) -> Wave:
    """Measure a wave's frequency to a fraction of a step, by the logarithms of its neighbours."""
    near = np.log(np.pad(levels, 1, mode="wrap")[row : row + 3, column : column + 3] + 1e-6)
    along = [find_peak(*(float(level) for level in line)) for line in (near[1], near[:, 1])]
    across, down = ((place - TILE_PX // 2 + part) / TILE_PX for place, part in zip((column, row), along, strict=True))
    return Wave(float(levels[row, column]), float(across), float(down))


def _take_out(flat: Grey, waves: tuple[Wave, ...]) -> Grey:
    """Measure each wave's strength and phase on the paper around each place, and lighten its valleys."""
    grey = flat.astype(np.float32)
    paper = _paper_of(flat)
    room = ROOM * sum(wave.levels for wave in waves) + GRAIN
    is_paper = cv2.erode((np.abs(grey - paper) < room).astype(np.float32), np.ones((EDGE_PX, EDGE_PX)))
    rest = np.asarray((grey / np.maximum(paper, 1) - 1) * is_paper, np.float32)
    seen = _smooth(np.asarray(is_paper, np.float32)) + 1e-3
    down, across = np.mgrid[: flat.shape[0], : flat.shape[1]].astype(np.float32)
    pattern = np.zeros_like(grey)
    for wave in waves:
        phase = np.float32(2 * np.pi) * (np.float32(wave.across) * across + np.float32(wave.down) * down)
        for part in (np.cos(phase), np.sin(phase)):
            pattern += part * cv2.resize(2 * _smooth(rest * part) / seen, grey.shape[::-1])
    return np.clip(grey / np.maximum(1 + pattern, LEAST_LIGHT), 0, 255).astype(np.uint8)


def _paper_of(flat: Grey) -> Shades:
    """The grey level of the paper around each place."""
    small = cv2.resize(flat, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    return cv2.resize(cv2.medianBlur(small, PAPER_PX // 4), flat.shape[::-1]).astype(np.float32)


def _smooth(cover: Shades) -> Shades:
    """The mean around each place, at a coarser scale."""
    small = cv2.resize(cover, None, fx=1 / COARSE_PX, fy=1 / COARSE_PX, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), SMOOTH), np.float32)


def without_grain(flat: Grey) -> Grey:
    """Soften a picture in which the grain is strong, as in one of a dark room.

    A filter that keeps edges (non-local means) lets more rows be read, and wipes faint strokes in a shadow away.
    """
    if _measure_grain(flat) < LEAST_GRAIN * float(np.median(flat[::8, ::8])):
        return flat
    return cv2.GaussianBlur(flat, (0, 0), SOFT_PX).astype(np.uint8, copy=False)


def _measure_grain(flat: Grey) -> float:
    """The standard deviation of the grain, in grey levels: half of all places are nothing but paper."""
    height, width = flat.shape
    bands = [
        flat[top : top + BAND_PX, width // 10 : -width // 10] for top in np.linspace(0, height, 5).astype(int)[1:-1]
    ]
    edges = [np.abs(cv2.Laplacian(band, cv2.CV_32F))[::2, ::2].ravel() for band in bands]
    return float(np.median(np.concatenate(edges))) / (SIGMA_OF_MEDIAN * LAPLACIAN)
