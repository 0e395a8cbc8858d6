"""Values in the scoring tables of a rules file: exact points, lists, and the rule that stands beside each setting."""

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Any, TypeVar

from pipeline.rules.toml.table import Table, did_you_mean, in_short, is_counted
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


def points(table: Table, key: str, otherwise: Fraction) -> Fraction:
    """Take exact points: ``15``, ``0.1``, ``"1/2"``, ``"110 %"``."""
    table.asked.add(key)
    if key not in table.values:
        return otherwise
    return one_of_points(table, key, table.values[key], otherwise)


def maybe_points(table: Table, key: str) -> Fraction | None:
    """Take exact points that may be left out."""
    given = points(table, key, Fraction())
    return given if key in table.values else None


def one_of_points(table: Table, key: str, value: Any, otherwise: Fraction) -> Fraction:
    """Read one number, or note what is wrong with it."""
    try:
        return exact(value)
    except ValueError as error:
        table.fault(key, str(error))
        return otherwise


def list_of_points(table: Table, key: str) -> tuple[Fraction, ...]:
    """Take a list of exact points."""
    values = table.get(key, list, [])
    return tuple(one_of_points(table, f"{key}[{n}]", value, Fraction()) for n, value in enumerate(values))


def table_of_points(table: Table, key: str) -> dict[str, Fraction]:
    """Take a table of exact points by name."""
    inside = table.get(key, dict, {})
    return {name: one_of_points(table, f"{key}.{name}", value, Fraction()) for name, value in inside.items()}


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


def rounds(table: Table) -> int:
    """Take how many rounds are played."""
    value = table.need("rounds", int, 0)
    if value > MOST_ROUNDS:
        table.fault("rounds", f"expected 1 to {MOST_ROUNDS}, found {in_short(value)}")
        return 1
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
    rows = value if all(isinstance(row, list) for row in value) else [value]
    read = []
    for number, row in enumerate(rows):
        read.append(tuple(one_of_points(table, f"{key}[{number}]", weight, Fraction()) for weight in row))
    return Weights(tuple(read))
