"""The curl of a sheet that was rolled: a part of a cylinder seen by a camera, found by the dotted lines of its rows.

Paper that was carried in a fist stands up in the middle, or at its edges. Its lines become arcs, and what lies towards
the rolled sides is foreshortened, by up to 8 mm on A4. That is too far for `dewarp`, which starts from here.
"""

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from pipeline.paper.sheet_layout import Form
from pipeline.reading.dewarp import row_guides, small_and_long
from pipeline.reading.marks import PIXELS_PER_MM, GridPoints, PointArray, Warp
from pipeline.reading.pages import Grey

InkDepth = NDArray[np.float32]

STEEPEST = 1.4  # radians: beyond it the sides of the sheet are not seen
TURNS = (0.0, 0.7, 1.1)  # radians: the arc of a line is much the same between them
BOWS_MM = np.arange(-18, 18.1, 0.25).tolist()
GROWTHS = (-0.6, -0.3, 0.0, 0.3, 0.6)
LEANS_MM = np.arange(-1.5, 1.6, 0.3).tolist()  # a quarter of the way from dot to dot
SQUARES = np.arange(0, STEEPEST**2, 0.02)  # of a turn: a step moves a dot by 0.12 mm
SOFT_PX, SHARP_PX = 2.0, 1.0  # of a dot while it is looked for, and at last: the next one is 9 px further on
ALONG_PX = 65  # so many pixels of a dotted line look the same, wherever its dots are
STEPS = {"turn": 0.02, "lean": 0.2, "twist": 0.3, "bow": 0.2, "growth": 0.1}  # about 0.2 mm each
HALVINGS = 3  # of the steps
ENOUGH = 1.0001  # a step is taken if the dots are so many times as dark after it; less is rounding


class Curl(Struct, frozen=True, kw_only=True):
    """A sheet on a cylinder, whose markers lie where the homography puts them."""

    middle: tuple[float, float]  # mm: between the four markers
    half: tuple[float, float]  # mm: from there to the markers
    is_down: bool  # the cylinder lies across the sheet, which was rolled up from its foot
    turn: float = 0.0  # radians, of the paper's surface from the middle to the markers
    bow: float = 0.0  # mm on the sheet: how far the middle of a line is out of its place
    growth: float = (
        0.0  # of the bow from the middle to the markers, as a share of it: the nearer end has the larger arc
    )
    lean: float = 0.0  # mm: how far the middle is moved along the arc; the cylinder is not seen from right above
    twist: float = 0.0  # mm: the same, larger on one side

    @classmethod
    def of(cls, form: Form, *, is_down: bool) -> "Curl":
        """A sheet that lies flat."""
        middles = np.array([(m.left + m.width / 2, m.top + m.height / 2) for m in form.markers])
        middle, half = (middles.max(axis=0) + middles.min(axis=0)) / 2, np.ptp(middles, axis=0) / 2
        return cls(middle=tuple(middle.tolist()), half=tuple(half.tolist()), is_down=is_down)

    def displace(self, points: PointArray) -> PointArray:
        """How far points of the sheet are from their places, in mm."""
        around, along = (1, 0) if self.is_down else (0, 1)
        u = (points[:, around] - self.middle[around]) / self.half[around]
        v = (points[:, along] - self.middle[along]) / self.half[along]
        seen = np.sin(self.turn * u) / np.sin(self.turn) if self.turn else u
        moved = np.empty_like(points)
        moved[:, around] = self.half[around] * (seen - u) + (self.lean + self.twist * u) * (1 - u * u)
        moved[:, along] = self.bow * (1 + self.growth * v) * (1 - seen * seen)
        return moved

    def bend(self, warp: Warp) -> GridPoints:
        """The displacement at the nodes of a sheet."""
        nodes = warp.nodes()
        return self.displace(nodes.reshape(-1, 2)).reshape(nodes.shape)


def find_curl(flat: Grey, form: Form) -> Curl:
    """Find the curl in which most printed dots are where they should be.

    ``flat`` is the sheet as a homography through its four markers lays it.
    """
    dark = small_and_long(flat)[0]
    dots = np.array([(x, guide.y) for guide in row_guides(form) for x in guide.dots])
    fits = [_fit(dark, dots, Curl.of(form, is_down=is_down)) for is_down in (False, True)]
    return max(fits, key=lambda each: each[1])[0]


def _fit(dark: InkDepth, dots: PointArray, flat: Curl) -> tuple[Curl, float]:
    """Fit a curl: first what moves lines down, wherever their dots are, then what moves dots along them."""
    lines = np.asarray(cv2.GaussianBlur(cv2.blur(dark, (ALONG_PX, 1)), (0, 0), SOFT_PX * 1.5), np.float32)
    soft, sharp = (np.asarray(cv2.GaussianBlur(dark, (0, 0), size), np.float32) for size in (SOFT_PX, SHARP_PX))
    if flat.is_down:
        down = _climb(lines, dots[::3], _best(lines, dots[::8], _try_turns(flat)), ("turn", "lean", "twist"))
        tried = _try_bows(down)
    else:
        arcs = [
            _climb(lines, dots[::3], _best(lines, dots[::8], _try_bows(replace(flat, turn=turn))), ("bow", "growth"))
            for turn in TURNS
        ]
        tried = _try_turns(max(arcs, key=lambda arc: _darkness(lines, dots[::3], arc)))
    best_fit = _climb(soft, dots, _best(soft, dots[::2], tried), STEPS)
    best_fit = _climb(sharp, dots, best_fit, STEPS, 0.5)
    return best_fit, _darkness(sharp, dots, best_fit)


def _try_turns(curl: Curl) -> list[Curl]:
    return [replace(curl, turn=float(np.sqrt(square)), lean=lean) for square in SQUARES for lean in LEANS_MM]


def _try_bows(curl: Curl) -> list[Curl]:
    return [replace(curl, bow=bow, growth=growth) for bow in BOWS_MM for growth in GROWTHS]


def _best(dark: InkDepth, dots: PointArray, tried: Sequence[Curl]) -> Curl:
    return max(tried, key=lambda curl: _darkness(dark, dots, curl))


def _darkness(dark: InkDepth, dots: PointArray, curl: Curl) -> float:
    """How dark the picture is where the dots should be, on average."""
    places = ((dots + curl.displace(dots)) * PIXELS_PER_MM - 0.5).astype(np.float32)
    return float(cv2.remap(dark, places[:, :1], places[:, 1:], cv2.INTER_LINEAR, borderValue=0).mean())


def _climb(dark: InkDepth, dots: PointArray, curl: Curl, names: Iterable[str], size: float = 1.0) -> Curl:
    """Move one number after the other for as long as the dots get darker, in smaller and smaller steps."""
    best = _darkness(dark, dots, curl)
    for _ in range(HALVINGS):
        is_better = True
        while is_better:
            is_better = False
            for name in names:
                for step in (-STEPS[name] * size, STEPS[name] * size):
                    tried = replace(curl, **{name: getattr(curl, name) + step})
                    darkness = _darkness(dark, dots, tried)
                    if 0 <= tried.turn < STEEPEST and darkness > best * ENOUGH:
                        curl, best, is_better = tried, darkness, True
        size /= 2
    return curl
