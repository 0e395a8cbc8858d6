"""What may stand in a field of a scoring rule: the range of its numbers, a word for a value, what to write there.

The annotations of a field are read by `pipeline.rules.convert`, which makes the rules of a file, and tells its faults.
"""

from fractions import Fraction
from typing import Annotated, Any

from msgspec import Struct


class Range(Struct, frozen=True):
    """Which numbers make sense in one place.

    >>> str(Range(1, 30)), str(Range(0, 1, is_above=True)), str(Range(8, unit="mm"))
    ('expected 1 to 30', 'expected more than 0, up to 1', 'expected at least 8 mm')
    """

    least: float
    most: float | None = None  # None: as much as anything is counted
    is_above: bool = False  # the least itself makes no sense
    unit: str = ""

    def has(self, value: Fraction | float) -> bool:
        """Whether a number is in it; what is no number is in none."""
        above = value > self.least if self.is_above else value >= self.least
        return above and (self.most is None or value <= self.most)

    def nearest(self, value: Fraction | float) -> float:
        """The number in it that is nearest to one outside; 1 above a least that makes no sense."""
        if self.has(value):
            return float(value)
        if self.most is not None and value > self.most:
            return self.most
        return self.least + self.is_above

    def __str__(self) -> str:
        least, unit = _write_number(self.least), f" {self.unit}" if self.unit else ""
        if self.most is None:
            return f"expected {'more than' if self.is_above else 'at least'} {least}{unit}"
        if self.most == self.least:
            return f"expected {least}{unit}"
        return f"expected {f'more than {least}, up' if self.is_above else least} to {_write_number(self.most)}{unit}"


def _write_number(value: float) -> str:
    """Write a number without digits that say nothing.

    >>> _write_number(8.0), _write_number(1_000_000)
    ('8', '1000000')
    """
    return f"{value:g}" if isinstance(value, float) else str(value)


class Needed(Struct, frozen=True):
    """What a field is for, where it must be there: a list with it has something in it.

    >>> str(Needed("the points of 0, 1, 2, ... centres", "[0, 5, 9, 12]"))
    'write the points of 0, 1, 2, ... centres, such as [0, 5, 9, 12]'
    """

    what: str
    example: str = ""

    def __str__(self) -> str:
        return f"write {self.what}{', such as ' if self.example else ''}{self.example}"


class Instead(Struct, frozen=True):
    """A word that may be written for a value: ``rounds = "any"`` is 0 rounds."""

    word: str
    value: Any = None


class Also(Struct, frozen=True):
    """Other keys that mean the same."""

    keys: tuple[str, ...]


class Once(Struct, frozen=True):
    """Of a list: nothing stands in it twice."""


class Derived(Struct, frozen=True):
    """A field that no file has: it is worked out when the others are read."""


MOST_POINTS = 10**6  # more than any system gives for a game
MOST_ROUNDS = 30  # a workbook of so many is still written in seconds
MOST_LISTED = 40  # centres, places and games are fewer

Points = Annotated[Fraction, Range(-MOST_POINTS, MOST_POINTS)]
NoLess = Annotated[Fraction, Range(0, MOST_POINTS)]  # points that are never taken away
SOME, FACTOR = Range(0, MOST_POINTS, is_above=True), Range(0, 100)
Some = Annotated[Fraction, SOME]  # more than no points
Factor = Annotated[Fraction, FACTOR]
Share = Annotated[Fraction, Range(0, 1, is_above=True)]  # a part of something
RoundNumber = Annotated[int, Range(1, MOST_ROUNDS)]
Decimals = Annotated[int, Range(0, 9)]
PeopleCount = Annotated[int, Range(0, 9999)]
