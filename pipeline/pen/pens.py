"""What people write with: how wide and how dark the line is, and how it breaks."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

Colour = tuple[int, int, int]  # blue, green, red, as OpenCV orders them


@dataclass(frozen=True, slots=True)
class Make:
    """A kind of pen; the ranges are what shops sell and what scans at 600 dpi show."""

    width_mm: tuple[float, float]
    swell: float  # how far the width follows pressure and speed, 0..1
    darkness: tuple[float, float]  # of the ink in the middle of the line, 0..1
    bleed_mm: tuple[float, float]  # how soft the edge is
    grain: float  # how much paper shows through, 0..1
    skips: float  # how much the line breaks up where the pen is fast, 0..1
    colours: tuple[Colour, ...]


BLACK, WORN_BLACK = (38, 35, 35), (62, 55, 55)
BLUE, NAVY, ROYAL = (150, 62, 36), (92, 40, 26), (188, 84, 44)
GRAPHITE, PALE_GRAPHITE = (92, 92, 92), (118, 116, 116)

MAKES: Mapping[str, Make] = MappingProxyType(
    {
        "ballpoint": Make(
            (0.28, 0.46), 0.24, (0.76, 0.97), (0.020, 0.034), 0.10, 0.5, (BLUE, BLACK, NAVY, WORN_BLACK, ROYAL)
        ),
        "gel": Make((0.40, 0.62), 0.12, (0.92, 1.0), (0.020, 0.030), 0.0, 0.05, (BLACK, BLUE, NAVY)),
        "fineliner": Make((0.34, 0.54), 0.08, (0.92, 1.0), (0.018, 0.028), 0.0, 0.0, (BLACK, BLACK, ROYAL)),
        "felt": Make((0.62, 0.92), 0.16, (0.88, 1.0), (0.030, 0.050), 0.05, 0.0, (BLACK, BLUE)),
        "pencil": Make((0.36, 0.62), 0.30, (0.50, 0.86), (0.026, 0.046), 0.32, 0.3, (GRAPHITE, PALE_GRAPHITE)),
    }
)
SHARES = MappingProxyType({"ballpoint": 0.52, "gel": 0.16, "fineliner": 0.12, "felt": 0.05, "pencil": 0.15})


@dataclass(frozen=True, slots=True)
class Pen:
    """One pen on the table."""

    make: str  # a key of MAKES
    colour: Colour
    width_mm: float
    swell: float
    darkness: float
    bleed_mm: float
    grain: float
    skips: float


def pick_pen(rng: np.random.Generator, make: str | None = None) -> Pen:
    """Take a pen as it lies about in a tournament hall, or one of a given make.

    >>> pick_pen(np.random.default_rng(1), "pencil").make
    'pencil'
    """
    name = make or str(rng.choice(list(SHARES), p=list(SHARES.values())))
    kind = MAKES[name]
    shade = rng.uniform(0.88, 1.14)
    blue, green, red = (min(255, round(part * shade)) for part in kind.colours[rng.integers(len(kind.colours))])
    return Pen(
        make=name,
        colour=(blue, green, red),
        width_mm=rng.uniform(*kind.width_mm),
        swell=kind.swell * rng.uniform(0.6, 1.3),
        darkness=rng.uniform(*kind.darkness),
        bleed_mm=rng.uniform(*kind.bleed_mm),
        grain=kind.grain * rng.uniform(0.6, 1.3),
        skips=kind.skips * rng.uniform(0.3, 1.3),
    )
