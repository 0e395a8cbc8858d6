"""Ink on paper: strokes in mm become a picture of how much light the ink takes away."""

from collections.abc import Sequence

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from pipeline.pen.hand import Pen, PenPath

Picture = NDArray[np.uint8]  # (h, w) grey or (h, w, 3) blue, green, red
InkCover = NDArray[np.float32]  # (h, w): 0 bare paper … 1 full ink

MM_PER_INCH = 25.4
DRAWN_AT = 500  # dots per inch at least: strokes are drawn this finely and then made smaller
RUN = 3  # samples of a stroke drawn with one width
SHIFT = 4  # fractional bits of the coordinates OpenCV draws at


class InkPatch(Struct, frozen=True, eq=False):
    """A patch of ink: how it covers the paper, and where its corner lies in the picture."""

    cover: InkCover
    left: int  # px
    top: int  # px

    def on(self, page: Picture, pen: Pen) -> None:
        """Lay the ink on a page, in place; what falls off the edge is lost."""
        top, left = max(self.top, 0), max(self.left, 0)
        bottom = min(self.top + self.cover.shape[0], page.shape[0])
        right = min(self.left + self.cover.shape[1], page.shape[1])
        if top >= bottom or left >= right:
            return
        cover = self.cover[top - self.top : bottom - self.top, left - self.left : right - self.left]
        paper = page[top:bottom, left:right].astype(np.float32)
        if page.ndim == 3:
            cover = cover[:, :, None]
        blue, green, red = pen.colour
        grey = 0.114 * blue + 0.587 * green + 0.299 * red  # as a grey scanner sees the colour, 0..255
        colour = np.array(pen.colour if page.ndim == 3 else grey, np.float32)
        # ink is a filter, not a paint: on grey or printed paper it never makes anything lighter
        page[top:bottom, left:right] = np.minimum(paper, paper * (1 - cover) + colour * cover).astype(np.uint8)


def lay_strokes(strokes: Sequence[PenPath], pen: Pen, rng: np.random.Generator, dpi: int, heft: float) -> InkPatch:
    """Draw strokes (mm from the picture's top left corner) with a pen.

    ``heft`` is the pressure of the hand: 1 usual, less is lighter.
    """
    finer = max(1, -(-DRAWN_AT // dpi))
    scale = dpi * finer / MM_PER_INCH
    width = pen.width_mm * scale * (0.6 + 0.4 * heft)
    if not strokes:
        return InkPatch(np.zeros((0, 0), np.float32), 0, 0)
    points = np.vstack(strokes) * scale
    margin = int(width * 1.5 + 3 * finer)
    left, top = (int(v) for v in (np.floor(points.min(axis=0) - margin) // finer))
    right, bottom = (int(v) for v in (np.ceil(points.max(axis=0) + margin) // finer + 1))
    points -= (left * finer, top * finer)
    canvas = np.zeros(((bottom - top) * finer, (right - left) * finer), np.uint8)
    widths, tones = _flow(points, [len(stroke) for stroke in strokes], pen, rng)
    _draw_strokes(canvas, points, [len(stroke) for stroke in strokes], widths * width, tones)
    if finer > 1:
        canvas = np.asarray(cv2.resize(canvas, (right - left, bottom - top), interpolation=cv2.INTER_AREA), np.uint8)
    cover: InkCover = canvas.astype(np.float32) * np.float32(1 / 255)
    if pen.grain > 0.02:
        cover *= _paper_grain(cover.shape, pen.grain, rng, dpi)
    soft = np.asarray(cv2.GaussianBlur(cover, (0, 0), max(0.25, pen.bleed_mm * dpi / MM_PER_INCH)), np.float32)
    return InkPatch(
        np.minimum(soft * np.float32(min(1.0, pen.darkness * (0.7 + 0.3 * heft))), np.float32(1)), left, top
    )


def _flow(
    points: PenPath, lengths: list[int], pen: Pen, rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Say how wide (1 = usual) and how dark (0..1) the line is at each point."""
    count = len(points)
    noise = rng.standard_normal((2, count + 30))
    slow = np.array([np.convolve(row, np.ones(15) / 15**0.5, "same")[15:-15] for row in noise])
    step = np.diff(points, axis=0, prepend=points[:1])
    turn = np.abs(np.convolve(np.unwrap(np.arctan2(step[:, 1], step[:, 0])), (1, 0, 0, -1), "same"))[:count]
    widths = 1 + pen.swell * (0.22 * np.clip(slow[0], -2, 2) + 0.35 * np.clip(turn, 0, 1.2) - 0.12)
    tones = 1 - pen.skips * 0.30 * np.clip(slow[1] - 0.6, 0, 1.6)
    ends = np.cumsum(lengths)
    for back, thin in ((1, 0.72), (2, 0.84), (3, 0.94)):  # a stroke thins out where the pen leaves the paper
        at = np.maximum(ends - back, 0)
        widths[at] *= 1 - (1 - thin) * min(1.0, 3 * pen.swell)
    return np.clip(widths, 0.5, 1.6), np.clip(tones, 0.35, 1.0)


def _draw_strokes(
    canvas: Picture, points: PenPath, lengths: list[int], widths: NDArray[np.float64], tones: NDArray[np.float64]
) -> None:
    """Draw strokes run by run, each run with its own width and tone."""
    fixed = np.round(points * (1 << SHIFT)).astype(np.int32)
    thick = np.maximum(1, np.round(widths)).astype(int).tolist()
    tone = np.round(tones * 255).astype(int).tolist()
    start = 0
    for length in lengths:
        end = start + length
        for at in range(start, end - 1, RUN):
            run = fixed[at : min(at + RUN + 1, end)]
            cv2.polylines(canvas, [run], False, tone[at], thick[at], cv2.LINE_AA, SHIFT)
        start = end


def _paper_grain(shape: tuple[int, ...], strength: float, rng: np.random.Generator, dpi: int) -> InkCover:
    """Let the tooth of the paper show through the ink: a mask around 1 - strength / 3."""
    noise = cv2.GaussianBlur(rng.standard_normal(shape, dtype=np.float32), (0, 0), max(0.5, 0.06 * dpi / MM_PER_INCH))
    even = np.asarray(noise, np.float32) / np.float32(max(float(np.std(noise)), 1e-6))
    return np.asarray(np.clip(1 - strength / 3 + strength * 0.75 * even, 0.1, 1.1), np.float32)
