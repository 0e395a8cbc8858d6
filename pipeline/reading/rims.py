"""The rim that a wet cup leaves on a sheet: it is found by its shape, a circle, and taken out.

A rim is as dark as a pale marker, and its edges may be as soft. But no hand draws a circle as large and as round.
"""

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from pipeline.reading.marks import PIXELS_PER_MM
from pipeline.reading.pages import Grey
from pipeline.reading.patterns import Shades

STEP = 2  # pixels of a sheet in one of the picture in which rims are looked for
PER_MM = PIXELS_PER_MM / STEP  # of these
PEN_MM = 1.3  # no pen's stroke is as wide
WIDEST_MM = 8.0  # of a rim with its soft edges
DARK = 0.06  # of the paper's brightness: a paler rim does not hinder
LEAST_MM2 = 25.0  # of paper that is as dark; without it there is no rim
LEAST_RADIUS, MOST_RADIUS = 25.0, 65.0  # mm: of a small cup, and of a large mug seen from aside
CREST_MM = 1.0  # the middle of a rim is the darkest of what is so near
CRESTS = 500  # places on the crests that are looked at
TRIES = 800  # circles through three of them
BEST = 20  # of them, by how many places are near
NEAR_MM = 2.2  # of a circle: the rim of a cup that leans, or of a bent sheet, is an ellipse
OFF_MM = 0.3  # and it strays from it: rims by 0.05 to 0.3, of 120 rings and arcs by hand all but four by more
LEAST_TURN = 0.3  # of a whole circle that is there
TURNS = 72  # parts of it
ROUND = 0.93  # its axes' ratio, at least
RIMS = 5  # on a sheet, and two cups leave two
ALONG_MM = 5.0  # no pen's stroke that crosses a rim covers so much of it
SOFT_MM = 1.0  # standard deviation along the rim
DARKEST = 0.2  # of the paper's brightness: what is darker than any rim is not made paper

Spots = NDArray[np.float64]  # across and down, mm


class Rim(Struct, frozen=True):
    """An ellipse, in mm on the sheet."""

    across: float
    down: float
    radii: tuple[float, float]
    turn: float  # radians, of the first radius

    def points(self, angles: Spots, off: float | Spots = 0.0) -> Spots:
        """The places at some angles, so far outside of the rim."""
        first, second = self.radii
        flat = np.stack([(first + off) * np.cos(angles), (second + off) * np.sin(angles)], axis=-1)
        cosine, sine = np.cos(self.turn), np.sin(self.turn)
        turned = flat @ np.array([[cosine, sine], [-sine, cosine]])
        return np.asarray(turned + np.array([self.across, self.down]), np.float64)

    def locate(self, places: Spots) -> tuple[Spots, Spots]:
        """The angle of each place, and how far outside of the rim it is."""
        cosine, sine = np.cos(self.turn), np.sin(self.turn)
        across, down = ((places - np.array([self.across, self.down])) @ np.array([[cosine, -sine], [sine, cosine]])).T
        first, second = self.radii
        reach = np.hypot(across / first, down / second)
        angles = np.arctan2(down / second, across / first)
        return angles, (reach - 1) * np.hypot(first * np.cos(angles), second * np.sin(angles))


def without_rims(flat: Grey) -> Grey:
    """Take the rims of wet cups out of a sheet, if there are any."""
    for _ in range(RIMS):
        small = np.asarray(cv2.resize(flat, None, fx=1 / STEP, fy=1 / STEP, interpolation=cv2.INTER_AREA), np.uint8)
        near, around = (_close(small, side) for side in (PEN_MM, WIDEST_MM))
        rim = _find_rim((1 - near / np.maximum(around, 1)).astype(np.float32))
        if rim is None:
            break
        flat = _take_out(flat, small, around, rim)
    return flat


def _close(small: Grey, side_mm: float) -> Grey:
    """Take out whatever is dark and narrower than this."""
    return np.asarray(cv2.morphologyEx(small, cv2.MORPH_CLOSE, _square(side_mm)), np.uint8)


def _square(side_mm: float) -> NDArray[np.uint8]:
    side = round(side_mm * PER_MM) | 1
    return np.ones((side, side), np.uint8)


def _find_rim(dark: Shades) -> Rim | None:
    """Find the plainest rim on a picture of how much darker paper is than what is around it."""
    crest = cv2.dilate(dark, _square(2 * CREST_MM)) - dark < DARK / 6
    is_dark = dark > DARK
    if is_dark.sum() < LEAST_MM2 * PER_MM**2:
        return None
    _, labels, sizes, _ = cv2.connectedComponentsWithStats((is_dark & crest).astype(np.uint8))
    long = np.maximum(sizes[:, cv2.CC_STAT_WIDTH], sizes[:, cv2.CC_STAT_HEIGHT]) >= CREST_MM * 2 * PER_MM
    long[0] = False
    down, across = np.nonzero(long[labels])
    if len(down) < TURNS:
        return None
    places = np.stack([across, down], axis=1) / PER_MM
    rng = np.random.default_rng(0)
    some = places[rng.permutation(len(places))[:CRESTS]]
    likeliest_first = sorted(_circles(some, rng), key=lambda rim: -_turn_seen(some, rim, NEAR_MM / 2))
    return next((rim for each in likeliest_first if (rim := _fit_rim(places, each))), None)


def _circles(places: Spots, rng: np.random.Generator) -> list[Rim]:
    """The circles, of those through three of some places, that most places are on."""
    (x, y), (u, v), (p, q) = (places[rng.integers(len(places), size=TRIES)].T for _ in range(3))
    twice = 2 * (x * (v - q) + u * (q - y) + p * (y - v))
    twice = np.where(np.abs(twice) < 1, np.nan, twice)
    xy, uv, pq = x * x + y * y, u * u + v * v, p * p + q * q
    across, down = (
        (xy * (v - q) + uv * (q - y) + pq * (y - v)) / twice,
        (xy * (p - u) + uv * (x - p) + pq * (u - x)) / twice,
    )
    radius = np.hypot(x - across, y - down)
    fits = (radius >= LEAST_RADIUS) & (radius <= MOST_RADIUS)
    circles = np.stack([across, down, radius], axis=1)[fits].astype(np.float32)
    away = np.hypot(*(places.T.astype(np.float32)[:, None] - circles[:, :2].T[..., None]))
    on_it = (np.abs(away - circles[:, 2:]) <= NEAR_MM / 2).sum(axis=1)
    best = np.argsort(-on_it, kind="stable")[:BEST]
    return [Rim(x, y, (radius, radius), 0.0) for x, y, radius in circles[best].tolist()]


def _turn_seen(places: Spots, rim: Rim, off: float) -> float:
    """The share of a rim along which there are places on it."""
    angles, out = rim.locate(places)
    seen = np.floor((angles[np.abs(out) <= off] / (2 * np.pi) + 0.5) * TURNS).astype(int) % TURNS
    return len(np.unique(seen)) / TURNS


def _fit_rim(places: Spots, rim: Rim) -> Rim | None:
    """Fit an ellipse to the places near a circle; None if they are no rim's."""
    for near in (NEAR_MM, NEAR_MM, NEAR_MM / 2):
        _, out = rim.locate(places)
        on_it = places[np.abs(out) <= near].astype(np.float32)
        if len(on_it) < TURNS:
            return None
        (across, down), (width, height), degrees = cv2.fitEllipse(on_it)
        if not 2 * LEAST_RADIUS * ROUND <= min(width, height) <= max(width, height) <= 2 * MOST_RADIUS / ROUND:
            return None
        rim = Rim(float(across), float(down), (width / 2, height / 2), float(np.radians(degrees)))
    is_round = min(rim.radii) >= ROUND * max(rim.radii)
    is_rim = is_round and _measure_stray(places, rim) <= OFF_MM and _turn_seen(places, rim, NEAR_MM / 2) >= LEAST_TURN
    return rim if is_rim else None


def _measure_stray(places: Spots, rim: Rim) -> float:
    """How far a crest strays from an ellipse on its way round, in mm, one standard deviation."""
    angles, out = rim.locate(places)
    is_near = np.abs(out) <= NEAR_MM
    part = np.floor((angles[is_near] / (2 * np.pi) + 0.5) * TURNS).astype(int) % TURNS
    counts = np.bincount(part, minlength=TURNS)
    means = np.bincount(part, out[is_near], minlength=TURNS)[counts > 0] / counts[counts > 0]
    return float(np.sqrt(np.mean(means**2))) if len(means) else np.inf


def _take_out(flat: Grey, small: Grey, around: Grey, rim: Rim) -> Grey:
    """Lighten a rim: what is as dark along it, for longer than a pen's stroke across it, is paper."""
    angles = np.arange(round(2 * np.pi * max(rim.radii) * PER_MM)) / (max(rim.radii) * PER_MM)
    off = np.arange(-WIDEST_MM, WIDEST_MM, 1 / PER_MM)
    points = rim.points(angles[:, None], off[None, :]).astype(np.float32)
    rolled, paper = (
        cv2.remap(
            picture, points[..., 0] * PER_MM, points[..., 1] * PER_MM, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        for picture in (small, around)
    )
    ends = round(2 * ALONG_MM * PER_MM)
    rolled = cv2.copyMakeBorder(rolled, ends, ends, 0, 0, cv2.BORDER_WRAP)
    along = np.ones((round(ALONG_MM * PER_MM) | 1, 1), np.uint8)
    level = cv2.GaussianBlur(
        cv2.morphologyEx(rolled, cv2.MORPH_CLOSE, along), (1, 0), sigmaX=0.1, sigmaY=SOFT_MM * PER_MM
    )
    light = np.maximum(level[ends:-ends], 1) / np.maximum(paper, 1).astype(np.float32)
    light = np.minimum(light, 1)
    reach = max(rim.radii) + WIDEST_MM
    left, top = (max(0, round((middle - reach) * PIXELS_PER_MM)) for middle in (rim.across, rim.down))
    right, bottom = (round((middle + reach) * PIXELS_PER_MM) for middle in (rim.across, rim.down))
    here = flat[top:bottom, left:right]
    down, across = np.mgrid[: here.shape[0], : here.shape[1]]
    places = np.stack([across + left, down + top], axis=-1).reshape(-1, 2) / PIXELS_PER_MM
    where, out = rim.locate(places)
    shade = cv2.remap(
        light,
        ((out + WIDEST_MM) * PER_MM).reshape(here.shape).astype(np.float32),
        ((where % (2 * np.pi)) * max(rim.radii) * PER_MM).reshape(here.shape).astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=1.0,
    )
    lit = flat.copy()
    lit[top:bottom, left:right] = np.clip(here / shade, 0, 255).astype(np.uint8)
    return lit
