"""What happens to a sheet between the player's hand and the reader: names, and how bad."""

from enum import StrEnum

from msgspec import Struct

from pipeline.problems import Problem, Stopped, Weight


class DamageKind(StrEnum):
    """One kind of damage; damages happen in the order of this list, as with real paper."""

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
    """Read damages from words: kinds or presets, each with a strength if one is given.

    >>> [str(damage.kind) for damage in read_damages("rotation:0.3+shadow")]
    ['rotation', 'shadow']
    """
    found: list[Damage] = []
    problems = []
    for part in filter(None, text.split("+")):
        name, _, strength = part.partition(":")
        try:
            found += PRESETS[name] if name in PRESETS else [Damage(DamageKind(name), float(strength or 0.5))]
        except ValueError as fault:
            problems.append(Problem(Weight.STOPS, f"{fault}; one of {', '.join([*PRESETS, *DamageKind])}", part))
    if problems:
        raise Stopped(problems)
    return tuple(found)
