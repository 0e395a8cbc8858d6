"""Values in the scoring tables of a rules file: exact points, lists, and the rule that stands beside each setting."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, TypeVar

from pipeline.rules.toml.table import Table, did_you_mean, is_counted
from pipeline.scoring.results.exact import exact
from pipeline.scoring.totals.rules import RuleSource, Weights

MOST_ROUNDS = 30  # a workbook of so many is still written in seconds
MOST_DECIMALS = 9
Word = TypeVar("Word", bound=StrEnum)


def without_sources(value: Any, path: str, sources: dict[str, RuleSource]) -> Any:
    """Take the rules and reasons out of a table and keep them by path; what is left is plain settings.

    >>> sources = {}
    >>> without_sources({"pool": {"value": 100, "rule": "WM XII"}}, "scoring", sources), sources["scoring.pool"].rule
    ({'pool': 100}, 'WM XII')
    """
    if isinstance(value, list):
        return [without_sources(inside, f"{path}[{number}]", sources) for number, inside in enumerate(value)]
    if not isinstance(value, Mapping):
        return value
    if "rule" in value or "why" in value:
        sources[path] = RuleSource(str(value.get("rule", "")), str(value.get("why", "")), value.get("otherwise"))
    if "value" in value and value.keys() <= {"value", "rule", "why", "otherwise"}:
        return without_sources(value["value"], path, sources)
    plain = {key: inside for key, inside in value.items() if key not in ("rule", "why")}
    return {key: without_sources(inside, f"{path}.{key}" if path else key, sources) for key, inside in plain.items()}


@dataclass(frozen=True, slots=True)
class Range:
    """Which numbers make sense in one place.

    >>> str(POINTS), str(PART)
    ('expected -1000000 to 1000000', 'expected more than 0, up to 1')
    """

    least: int
    most: int
    is_above: bool = False  # the least itself makes no sense

    def has(self, value: Fraction | int) -> bool:
        """Whether a number is in it."""
        return self.least <= value <= self.most and not (self.is_above and value == self.least)

    def __str__(self) -> str:
        return f"expected {f'more than {self.least}, up' if self.is_above else self.least} to {self.most}"


MOST_POINTS = 10**6  # nobody pays more for a game
POINTS = Range(-MOST_POINTS, MOST_POINTS)
NO_LESS = Range(0, MOST_POINTS)  # points that are never taken away
SOME = Range(0, MOST_POINTS, is_above=True)
FACTOR = Range(0, 100)
PART = Range(0, 1, is_above=True)  # of something
ROUNDS = Range(1, MOST_ROUNDS)
MOST_LISTED = 40  # centres, places and games are fewer


def points(table: Table, key: str, otherwise: Fraction, within: Range = POINTS) -> Fraction:
    """Take exact points: ``15``, ``0.1``, ``"1/2"``, ``"110 %"``."""
    table.asked.add(key)
    if key not in table.values:
        return otherwise
    return one_of_points(table, key, table.values[key], otherwise, within)


def maybe_points(table: Table, key: str, within: Range = POINTS) -> Fraction | None:
    """Take exact points that may be left out."""
    given = points(table, key, Fraction(1), within)
    return given if key in table.values else None


def one_of_points(table: Table, key: str, value: Any, otherwise: Fraction, within: Range = POINTS) -> Fraction:
    """Read one number, or note what is wrong with it."""
    try:
        found = exact(value)
    except ValueError as error:
        table.fault(key, str(error))
        return otherwise
    if not within.has(found):
        table.fault(key, f"{within}, found {value}")
        return otherwise
    return found


def list_of_points(table: Table, key: str, within: Range = POINTS) -> tuple[Fraction, ...]:
    """Take a list of exact points."""
    values = table.get(key, list, [])
    if len(values) > MOST_LISTED:
        table.fault(key, f"expected up to {MOST_LISTED} numbers, found {len(values)}")
        return ()
    return tuple(one_of_points(table, f"{key}[{n}]", value, Fraction(), within) for n, value in enumerate(values))


def whole(table: Table, key: str, otherwise: int, within: Range) -> int:
    """Take a whole number that makes sense where it stands; ``otherwise`` where it is left out."""
    value = table.get(key, int, otherwise)
    if key in table.values and not within.has(value):
        table.fault(key, f"{within}, found {value}")
        return otherwise
    return value


def needed_whole(table: Table, key: str, within: Range) -> int:
    """Take a whole number that must be there."""
    if key not in table.values:
        table.asked.add(key)
        table.fault(key, "missing; expected int")
        return within.least
    return whole(table, key, within.least, within)


def needed_rounds(table: Table, key: str, of: str) -> tuple[int, ...]:
    """Take a list of rounds, each once, that must not be empty."""
    named = whole_numbers(table, key)
    if not table.values.get(key):
        table.fault(key, f"missing; write the rounds {of}, such as [1, 2, 3]")
    elif len(set(named)) < len(named):
        table.fault(key, f"a round stands twice in {list(named)}; write each once")
    return named


def table_of_points(table: Table, key: str, within: Range = POINTS) -> dict[str, Fraction]:
    """Take a table of exact points by name."""
    inside = table.get(key, dict, {})
    return {name: one_of_points(table, f"{key}.{name}", value, Fraction(), within) for name, value in inside.items()}


def whole_numbers(table: Table, key: str) -> tuple[int, ...]:
    """Take a list of whole numbers."""
    values = table.get(key, list, [])
    good = tuple(value for value in values if type(value) is int and is_counted(value))
    if len(good) < len(values):
        table.fault(key, f"expected whole numbers, found {values!r}")
    return good


def decimals(table: Table, key: str, otherwise: int) -> int:
    """Take a number of decimals."""
    value = table.get(key, int, otherwise)
    if not 0 <= value <= MOST_DECIMALS:
        table.fault(key, f"expected 0 to {MOST_DECIMALS} decimals, found {value}")
        return otherwise
    return value


def words(table: Table, key: str, otherwise: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Take a list of texts."""
    values = table.get(key, list, list(otherwise))
    good = tuple(value for value in values if isinstance(value, str))
    if len(good) < len(values):
        table.fault(key, f"expected texts, found {values!r}")
    return good


def word(table: Table, key: str, kind: type[Word], otherwise: Word) -> Word:
    """Take a member of a closed list of words."""
    value = table.get(key, str, str(otherwise))
    allowed = tuple(str(member) for member in kind)
    if value not in allowed:
        table.fault(key, f"{value!r} is not one of {', '.join(allowed)}{did_you_mean(value, allowed)}")
        return otherwise
    return kind(value)


def weights(table: Table, key: str) -> Weights:
    """Take weights: ``"all"``, one list for everybody, or a list of lists for 1, 2, 3 ... games."""
    table.asked.add(key)
    value = table.values.get(key, "all")
    if value == "all":
        return Weights()
    if not isinstance(value, list) or not value:
        table.fault(key, f"expected 'all', a list of weights, or lists for 1, 2, 3 ... games; found {value!r}")
        return Weights()
    several = all(isinstance(row, list) for row in value)
    read = []
    for number, row in enumerate(value if several else [value]):
        here = f"{key}[{number}]" if several else key
        found = tuple(one_of_points(table, here, weight, Fraction(1), FACTOR) for weight in row)
        if not any(found):
            table.fault(here, f"no game counts with the weights {row!r}; give one of them more than 0")
        read.append(found)
    return Weights(tuple(read))
