"""What happens to a sheet between the player's hand and the reader: names, how bad, and the picture of it.

Damage to the paper itself is drawn in place, in px of the page.
"""

from collections.abc import Callable
from enum import StrEnum
from functools import partial

import cv2
import numpy as np
from msgspec import Struct

from benchmarks.damaged.path import Displacement, ScanPath
from pipeline.pen.laying import MM_PER_INCH, InkCover, Picture
from pipeline.pen.scanner import add_noise, compress_jpeg
from pipeline.problems import Problem, Stopped, Weight

Rng = np.random.Generator


class DamageKind(StrEnum):
    """One kind of damage, and the most it does (strength 1); they happen in the order of this list."""

    # on the paper
    PRINT_SCALE = "print-scale"  # "fit to page": down to 92 %
    STAIN = "stain"  # coffee
    SCRIBBLE = "scribble"  # somebody doodled on it
    COVERED = "covered"  # something lies on a corner of the print: a sticker, a thumb, another sheet
    CUT_CORNER = "cut-corner"
    HOLES = "holes"  # punched
    STAPLE = "staple"
    FOLD = "fold"  # folded once across and opened again: a dark crease
    PALE_FOLD = "pale-fold"  # as FOLD, and the print is worn off along it
    LENGTHWISE = "lengthwise"  # folded once lengthwise
    PALE_LENGTHWISE = "pale-lengthwise"
    CRUMPLE = "crumple"  # up to 2.5 mm out of place
    CURL = "curl"  # rolled up from a side, and photographed: arcs of up to 14 mm, and up to 10 mm foreshortened
    CURL_DOWN = "curl-down"  # rolled up from its foot
    # on its way through the machine
    STRETCH = "stretch"  # rollers slip: up to 3 % and jumps up to 2 mm
    SKEW = "skew"  # sides no longer at right angles: up to 2°
    MIRRORED = "mirrored"  # the scanner's software flipped it
    SHIFT = "shift"  # up to 6 mm out of the frame
    ROTATION = "rotation"  # up to 10°
    UPSIDE_DOWN = "upside-down"
    SIDEWAYS = "sideways"  # a quarter turn
    PERSPECTIVE = "perspective"  # a picture taken from above a desk
    # light and lens
    SHADOW = "shadow"
    GLARE = "glare"  # a lamp reflected
    SCREEN = "screen"  # a photo of a screen
    BLUR = "blur"  # up to 0.40 mm
    MOTION = "motion"  # up to 1.6 mm
    LOW_CONTRAST = "low-contrast"
    # in the sensor and the file
    NOISE = "noise"
    SPECKS = "specks"  # black and white dots, up to 10 % of all pixels
    STREAKS = "streaks"  # dust on the scanner's glass
    FAX = "fax"  # one bit a pixel
    JPEG = "jpeg"  # quality from 75 down to 10


class Damage(Struct, frozen=True):
    """One kind of damage and how bad it is: 0 not at all … 1 as bad as a director will see."""

    kind: DamageKind
    strength: float = 0.5

    def __post_init__(self) -> None:
        if not 0 <= self.strength <= 1:
            raise ValueError(f"expected a strength from 0 to 1, found {self.strength}")


PRESETS: dict[str, tuple[Damage, ...]] = {
    "clean": (
        Damage(DamageKind.ROTATION, 0.08),
        Damage(DamageKind.SHIFT, 0.15),
        Damage(DamageKind.NOISE, 0.12),
        Damage(DamageKind.JPEG, 0.1),
    ),
    "office": (
        Damage(DamageKind.STRETCH, 0.12),
        Damage(DamageKind.SKEW, 0.1),
        Damage(DamageKind.ROTATION, 0.2),
        Damage(DamageKind.SHIFT, 0.3),
        Damage(DamageKind.NOISE, 0.3),
        Damage(DamageKind.JPEG, 0.3),
    ),
    "phone": (
        Damage(DamageKind.CRUMPLE, 0.15),
        Damage(DamageKind.PERSPECTIVE, 0.6),
        Damage(DamageKind.SHADOW, 0.6),
        Damage(DamageKind.BLUR, 0.25),
        Damage(DamageKind.NOISE, 0.5),
        Damage(DamageKind.JPEG, 0.5),
    ),
}


def read_damages(text: str) -> tuple[Damage, ...]:
    """Read damages from words: kinds, each with a strength if one is given, and presets, which have their own.

    >>> [str(damage.kind) for damage in read_damages("rotation:0.3+shadow")]
    ['rotation', 'shadow']
    """
    damages: list[Damage] = []
    problems = []
    for part in filter(None, text.split("+")):
        name, _, strength = part.partition(":")
        try:
            damages += PRESETS[name] if name in PRESETS else [Damage(DamageKind(name), float(strength or 0.5))]
        except ValueError as fault:
            problems.append(Problem(Weight.STOPS, f"{fault}; one of {', '.join([*PRESETS, *DamageKind])}", part))
    if problems:
        raise Stopped(problems)
    return tuple(damages)


def soft_noise(shape: tuple[int, int], cells: int, rng: Rng) -> InkCover:
    """Make smooth noise that varies over a number of cells across the page, between -1 and 1."""
    coarse = rng.standard_normal((max(2, cells), max(2, cells))).astype(np.float32)
    noise = np.asarray(cv2.resize(coarse, shape[::-1], interpolation=cv2.INTER_CUBIC), np.float32)
    return noise / np.float32(max(float(np.abs(noise).max()), 1e-6))


def _darken(page: Picture, light: InkCover) -> None:
    """Let only part of the light through, 0..1 for each pixel."""
    factor = light if page.ndim == 2 else light[:, :, None]
    page[:] = np.clip(page * factor, 0, 255).astype(np.uint8)


def _stain(page: Picture, strength: float, rng: Rng, dpi: int) -> None:
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
    _darken(page, np.asarray(1 - np.clip(spread, 0, 1) * (0.2 + 0.45 * strength), np.float32))


def _doodle(page: Picture, strength: float, rng: Rng, dpi: int) -> None:
    """Doodle somewhere on the sheet."""
    px = dpi / MM_PER_INCH
    height, width = page.shape[:2]
    side = (8 + 25 * strength) * px
    corner = rng.uniform(0, 1, 2) * (max(width - side, 1), max(height - side, 1))
    points = corner + rng.uniform(0, side, (int(5 + 20 * strength), 2))
    thick = max(1, round(rng.uniform(0.4, 0.8) * px))
    cv2.polylines(page, [points.astype(np.int32)], False, (45,) * 3, thick, cv2.LINE_AA)


def _cover_corner(page: Picture, strength: float, rng: Rng, dpi: int) -> None:
    """Lay something over a corner, where the markers are."""
    px = dpi / MM_PER_INCH
    height, width = page.shape[:2]
    side = (10 + 18 * strength) * px
    right, low = rng.integers(0, 2, 2)
    left, top = int(right * (width - side)), int(low * (height - side))
    shade = int(rng.choice([255, 235, 128, 30]))
    page[max(top, 0) : top + int(side), max(left, 0) : left + int(side)] = shade


def _cut_corner(page: Picture, strength: float, rng: Rng, dpi: int) -> None:
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


def _punch_holes(page: Picture, strength: float, rng: Rng, dpi: int) -> None:
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


def _staple(page: Picture, strength: float, rng: Rng, dpi: int) -> None:
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


def _fold_page(
    page: Picture,
    path: ScanPath,
    strength: float,
    rng: Rng,
    dpi: int,
    *,
    lengthwise: bool = False,
    pale: bool = False,
) -> None:
    """Fold it once: a grey line, or one along which the ink is worn off, and the paper a little shorter across it."""
    px = dpi / MM_PER_INCH
    height, width = page.shape[:2]
    at = rng.uniform(0.3, 0.7) * (width if lengthwise else height)
    tilt = rng.uniform(-0.03, 0.03)
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    along, across = (ys, xs) if lengthwise else (xs, ys)
    away = (across - np.float32(at) - np.float32(tilt) * along) / np.float32(px)  # mm
    crease = np.asarray((0.12 + 0.3 * strength) * np.exp(-((away / 0.35) ** 2)), np.float32)
    if pale:
        worn = crease if page.ndim == 2 else crease[:, :, None]
        page[:] = np.asarray(page + (255 - page.astype(np.float32)) * worn, np.uint8)
    else:
        _darken(page, 1 - crease)
    rise = np.asarray(np.tanh(away / np.float32(6)), np.float32) * np.float32(0.7 * strength * px)
    flat = np.zeros_like(rise)
    path.bend(*((rise, flat) if lengthwise else (flat, rise)))


def _crumple(page: Picture, path: ScanPath, strength: float, rng: Rng, dpi: int) -> None:
    """Crumple it and flatten it again; the light shows the hills."""
    px = dpi / MM_PER_INCH
    shape = page.shape[:2]
    cells, reach = int(rng.integers(4, 9)), np.float32(2.5 * strength * px)
    dx, dy = (soft_noise(shape, cells, rng) * reach for _ in range(2))
    slope = cv2.Sobel(cv2.GaussianBlur(dx, (0, 0), 3), cv2.CV_32F, 1, 0)
    steep = np.asarray(np.abs(slope), np.float32) / np.float32(max(float(np.abs(slope).max()), 1e-6))
    _darken(page, np.asarray(1 - np.float32(0.1 + 0.2 * strength) * steep, np.float32))
    path.bend(dx, dy)


def _curl(page: Picture, path: ScanPath, strength: float, rng: Rng, dpi: int, *, down: bool = False) -> None:
    """Roll it up and let it go: a part of a cylinder before a camera, darker where it turns away."""
    height, width = page.shape[:2]
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    around, along, size = (ys / height, xs / width, height) if down else (xs / width, ys / height, width)
    turn = 0.01 + strength * rng.uniform(0.85, 1.05)  # radians, from the middle to the edge
    u = 2 * around - 1
    turned = np.arcsin(u * np.float32(np.sin(turn))) / np.float32(turn)
    arc = np.float32(rng.choice([-1, 1]) * strength * rng.uniform(6, 14) * dpi / MM_PER_INCH) * (1 - u * u)
    arc = arc * (np.float32(0.5) + along)  # its nearer end has the larger arc
    shift = np.asarray((turned - u) * np.float32(size / 2), np.float32)
    _darken(page, 1 - np.float32(0.25 * strength) * np.abs(u) ** 3)
    path.bend(*((arc, shift) if down else (shift, arc)))


def _stretch_page(page: Picture, path: ScanPath, strength: float, rng: Rng, dpi: int) -> None:
    """Let the rollers slip: the page longer or shorter, and a jump here and there."""
    px = dpi / MM_PER_INCH
    height, width = page.shape[:2]
    y = np.linspace(0, 1, height, dtype=np.float32)
    slip = strength * rng.uniform(-0.03, 0.03) * (y - 0.5) * height
    for _ in range(int(rng.integers(1, 4))):
        jump = strength * rng.uniform(-2, 2) * px
        # the page is not folded over: a jump of 2 mm takes at least 8 mm of feed
        over = max(rng.uniform(0.008, 0.05), abs(jump) / height)
        slip = slip + jump / 2 * (1 + np.tanh((y - rng.uniform(0.1, 0.9)) / (2 * over)))
    dy: Displacement = np.repeat(slip.astype(np.float32)[:, None], width, axis=1)
    path.bend(np.zeros_like(dy), dy)


# Light, lens, sensor and file: what a camera or a scanner adds to a picture of the paper.


def _shadow(scan: Picture, strength: float, rng: Rng, dpi: int) -> Picture:
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
    _darken(scan, np.asarray(whole, np.float32))
    return scan


def _glare(scan: Picture, strength: float, rng: Rng, dpi: int) -> Picture:
    """Reflect a lamp: a bright patch in which everything pales."""
    height, width = scan.shape[:2]
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = rng.uniform(0.15, 0.85, 2) * (width, height)
    radius = rng.uniform(20, 50) * dpi / MM_PER_INCH
    bright: InkCover = np.asarray(np.exp(-(((xs - x) / radius) ** 2) - ((ys - y) / (0.7 * radius)) ** 2), np.float32)
    amount = bright * np.float32(0.9 * strength)
    amount = amount if scan.ndim == 2 else amount[:, :, None]
    return np.asarray(scan + (255 - scan.astype(np.float32)) * amount, np.uint8)


def _screen(scan: Picture, strength: float, rng: Rng, dpi: int) -> Picture:
    """Photograph it from a screen: stripes where the pixels of screen and camera beat."""
    height, width = scan.shape[:2]
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    turn = rng.uniform(-0.2, 0.2)
    beat = np.sin((xs * np.cos(turn) + ys * np.sin(turn)) * (2 * np.pi / rng.uniform(4, 9)))
    grid = np.sin((ys * np.cos(turn) - xs * np.sin(turn)) * (2 * np.pi / rng.uniform(4, 9)))
    _darken(scan, np.asarray(1 - strength * (0.18 * (1 + beat) / 2 + 0.12 * (1 + grid) / 2), np.float32))
    return scan


def _blur(scan: Picture, strength: float, rng: Rng, dpi: int) -> Picture:
    """Miss the focus, by 0.40 mm at most."""
    return np.asarray(cv2.GaussianBlur(scan, (0, 0), max(0.2, 0.40 * strength * dpi / MM_PER_INCH)), np.uint8)


def _motion(scan: Picture, strength: float, rng: Rng, dpi: int) -> Picture:
    """Move while the shutter is open, by 1.6 mm at most."""
    side = max(3, round(1.6 * strength * dpi / MM_PER_INCH)) | 1
    kernel = np.zeros((side, side), np.float32)
    turn, half = rng.uniform(0, np.pi), (side - 1) / 2
    ends = [(round(half + s * half * np.cos(turn)), round(half + s * half * np.sin(turn))) for s in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], (1.0,))
    return np.asarray(cv2.filter2D(scan, -1, kernel / kernel.sum()), np.uint8)


def _low_contrast(scan: Picture, strength: float, rng: Rng, dpi: int) -> Picture:
    """Leave little between black and white."""
    low = strength * rng.uniform(90, 150)
    high = 255 + strength * (min(255.0, low + rng.uniform(35, 80)) - 255)
    return np.asarray(low + scan.astype(np.float32) * ((high - low) / 255), np.uint8)


def _specks(scan: Picture, strength: float, rng: Rng, dpi: int) -> Picture:
    """Turn pixels black and white."""
    draw = rng.random(scan.shape[:2], dtype=np.float32)
    scan[draw < 0.05 * strength] = 0
    scan[draw > 1 - 0.05 * strength] = 255
    return scan


def _dust_streaks(scan: Picture, strength: float, rng: Rng, dpi: int) -> Picture:
    """Draw what dust on the glass draws: lines along the feed."""
    for _ in range(1 + round(5 * strength)):
        x = int(rng.integers(0, scan.shape[1]))
        wide = max(1, round(rng.uniform(0.1, 0.6) * dpi / MM_PER_INCH))
        scan[:, x : x + wide] = int(rng.choice([0, 60, 150, 255]))
    return scan


def _fax(scan: Picture, strength: float, rng: Rng, dpi: int) -> Picture:
    """Send it by fax: black or white, coarse when the strength is above a half (204 × 98 dots an inch)."""
    grey = scan if scan.ndim == 2 else np.asarray(cv2.cvtColor(scan, cv2.COLOR_BGR2GRAY), np.uint8)
    height, width = grey.shape
    rough = add_noise(grey, 0.2 + 0.5 * strength, rng)
    if strength > 0.5:
        coarse = cv2.resize(rough, (width * 204 // dpi, height * 98 // dpi), interpolation=cv2.INTER_AREA)
        rough = np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)
    return np.where(rough > rng.uniform(150 - 50 * strength, 150 + 40 * strength), 255, 0).astype(np.uint8)


ON_PAPER: dict[DamageKind, Callable[[Picture, float, Rng, int], None]] = {
    DamageKind.STAIN: _stain,
    DamageKind.SCRIBBLE: _doodle,
    DamageKind.COVERED: _cover_corner,
    DamageKind.CUT_CORNER: _cut_corner,
    DamageKind.HOLES: _punch_holes,
    DamageKind.STAPLE: _staple,
}
BENDING: dict[DamageKind, Callable[[Picture, ScanPath, float, Rng, int], None]] = {
    DamageKind.FOLD: _fold_page,
    DamageKind.PALE_FOLD: partial(_fold_page, pale=True),
    DamageKind.LENGTHWISE: partial(_fold_page, lengthwise=True),
    DamageKind.PALE_LENGTHWISE: partial(_fold_page, lengthwise=True, pale=True),
    DamageKind.CRUMPLE: _crumple,
    DamageKind.CURL: _curl,
    DamageKind.CURL_DOWN: partial(_curl, down=True),
    DamageKind.STRETCH: _stretch_page,
}
SENSED: dict[DamageKind, Callable[[Picture, float, Rng, int], Picture]] = {
    DamageKind.SHADOW: _shadow,
    DamageKind.GLARE: _glare,
    DamageKind.SCREEN: _screen,
    DamageKind.BLUR: _blur,
    DamageKind.MOTION: _motion,
    DamageKind.LOW_CONTRAST: _low_contrast,
    DamageKind.NOISE: lambda scan, strength, rng, _: add_noise(scan, strength, rng),
    DamageKind.SPECKS: _specks,
    DamageKind.STREAKS: _dust_streaks,
    DamageKind.FAX: _fax,
    DamageKind.JPEG: lambda scan, strength, _, __: compress_jpeg(scan, strength),
}
ORDER = {kind: place for place, kind in enumerate(DamageKind)}
