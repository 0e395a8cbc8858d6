"""Exact numbers: reading them, rounding them the way a rule says, and showing them."""

import re
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

MOST_SIGNS = 40  # of a number in a file; what is worked out from it may have more
PERCENT = re.compile(r"([0-9]+(?:\.[0-9]+)?) ?%")
NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:/[0-9]*[1-9][0-9]*)?")


def half_up(value: Fraction, decimals: int) -> Fraction:
    """Half rounds away from zero, as Excel's ROUND does and Python's ``round`` does not (NZ99 B 1.6).

    >>> half_up(Fraction(500, 64), 3), round(500 / 64, 3)
    (Fraction(7813, 1000), 7.812)
    """
    return Fraction(units(value, decimals), 10**decimals)


def units(value: Fraction, decimals: int) -> int:
    """Half rounds away from zero: count a number in units of its last decimal.

    >>> units(Fraction(-5, 2), 0), units(Fraction("2.345"), 2)
    (-3, 235)
    """
    above, below = abs(value.numerator) * 10**decimals, value.denominator
    whole: int = (2 * above + below) // (2 * below)
    return whole if value >= 0 else -whole


def truncated(value: Fraction) -> Fraction:
    """What follows the point is dropped, towards zero: 21.5 and 21.33 both become 21 (EDC23 D).

    >>> truncated(Fraction("21.5")), truncated(Fraction("-1.5"))
    (Fraction(21, 1), Fraction(-1, 1))
    """
    return Fraction(int(value))


def shown(value: Fraction, decimals: int) -> str:
    """Show a number with a fixed count of decimals, rounded half-up for the eye only.

    >>> shown(Fraction(14400, 286), 2), shown(Fraction(-1, 3), 0)
    ('50.35', '0')
    """
    scaled = units(value, decimals)
    digits = str(abs(scaled)).rjust(decimals + 1, "0")
    sign = "-" if scaled < 0 else ""
    return f"{sign}{digits[:-decimals]}.{digits[-decimals:]}" if decimals else f"{sign}{digits}"


def decimal(value: Fraction, most: int = 6) -> str:
    """Write a number as a plain decimal, as short as it is exact, with at most six places.

    >>> decimal(Fraction(85, 2)), decimal(Fraction(1, 3)), decimal(Fraction(100))
    ('42.5', '0.333333', '100')
    """
    text = shown(value, most)
    return text.rstrip("0").rstrip(".") if "." in text else text


def exact(value: object) -> Fraction:
    """Read points as people and files write them: ``15``, ``"0.1"``, ``"1/2"``, ``"110 %"``; else a `ValueError`.

    A float is read as it is written (0.1 is one tenth), never as the nearest binary number.

    >>> exact("110 %"), exact(0.1), exact("1/2")
    (Fraction(11, 10), Fraction(1, 10), Fraction(1, 2))
    """
    if isinstance(value, int) and abs(value) >= 10**MOST_SIGNS:
        raise ValueError(f"a number of {value.bit_length()} bits is more than anybody pays")
    text = "" if isinstance(value, bool) else str(value).strip()
    if percent := PERCENT.fullmatch(text):
        return Fraction(percent[1]) / 100
    if not isinstance(value, Fraction) and len(text) > MOST_SIGNS:
        raise ValueError(f"{text[:12]}… is a number of {len(text)} signs; write it shorter")
    if not isinstance(value, int | float | str | Fraction) or not NUMBER.fullmatch(text):
        raise ValueError(f"{value!r} is not a number; write 15, 0.1, '1/2' or '110 %'")
    above, _, below = text.partition("/")
    return Fraction(above) / int(below or 1)


class RoundingWay(StrEnum):
    """What happens to the digits that a rule does not keep."""

    NOT_AT_ALL = "not at all"
    HALF_UP = "half-up"
    HALF_EVEN = "half-even"  # a half to the even neighbour: 72.5 is 72, 73.5 is 74 (Southern Sun)
    TRUNCATE = "truncate"


@dataclass(frozen=True, slots=True)
class Rounding:
    """A score is kept exact, rounded half-up, or truncated, as the tournament says (NZ99 B 1.6; EDC23 D)."""

    how: RoundingWay = RoundingWay.NOT_AT_ALL
    decimals: int = 0

    def __call__(self, value: Fraction) -> Fraction:
        """Round one score."""
        match self.how:
            case RoundingWay.NOT_AT_ALL:
                return value
            case RoundingWay.HALF_UP:
                return half_up(value, self.decimals)
            case RoundingWay.HALF_EVEN:
                return Fraction(round(value * 10**self.decimals), 10**self.decimals)
            case RoundingWay.TRUNCATE:
                scale: int = 10**self.decimals
                return truncated(value * scale) / scale


AS_IT_IS = Rounding()  # nothing is rounded: ranks are made on exact values (Weasel XII, WDC08 14 name no rounding)
