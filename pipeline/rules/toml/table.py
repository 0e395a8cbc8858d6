"""Read a TOML table field by field: typed, every fault at once, each with its path and a "did you mean"."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, TypeVar

from pipeline.problems import Problem, Weight

T = TypeVar("T")


MOST = 10**9  # nothing in a tournament is counted further


@dataclass(slots=True)
class Table:
    r"""One table being read. Ask for each field once, then call `finish`.

    >>> table = Table({"gap": "0.1", "uncler": "ask"}, "wdc.toml reading")
    >>> table.get("gap", float, 0.1), table.choice("unclear", ("ask", "hold"))
    (0.1, 'ask')
    >>> print(*table.finish(), sep="\n")
    stops  wdc.toml reading.gap: expected float, found '0.1'
    stops  wdc.toml reading.uncler: unknown field; did you mean 'unclear'?
    """

    values: Mapping[str, Any]
    where: str  # "wdc.toml scoring.tiebreaks[1]"
    problems: list[Problem] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    between: str = "."  # what stands between ``where`` and a key: a blank where ``where`` is a file

    def get(self, key: str, kind: type[T], otherwise: T) -> T:
        """Take a field that may be left out. An int is good where a float is wanted."""
        self.asked.add(key)
        value = self.values.get(key, otherwise)
        if kind is float and type(value) is int:
            value = float(value)
        if isinstance(value, bool) != (kind is bool) or not isinstance(value, kind):
            self.fault(key, f"expected {kind.__name__}, found {value!r}")
            return otherwise
        if isinstance(value, int | float) and not is_counted(value):
            self.fault(key, f"expected a number up to {MOST:,}, found {in_short(value)}")
            return otherwise
        return value

    def need(self, key: str, kind: type[T], otherwise: T) -> T:
        """Take a field that must be there; ``otherwise`` keeps the reading going so that all faults are found."""
        if key not in self.values:
            self.asked.add(key)
            self.fault(key, f"missing; expected {kind.__name__}")
            return otherwise
        return self.get(key, kind, otherwise)

    def choice(self, key: str, allowed: tuple[str, ...]) -> str:
        """Take a field that must be one of a few words; the first of them where it is left out."""
        value = self.get(key, str, allowed[0])
        if value not in allowed:
            self.fault(key, f"{value!r} is not one of {', '.join(allowed)}{did_you_mean(value, allowed)}")
            return allowed[0]
        return value

    def table(self, key: str) -> "Table":
        """Open a table inside this one; its faults come back with this table's `finish`."""
        inside = self.get(key, dict, {})
        return Table(inside, self.path(key), self.problems)

    def tables(self, key: str) -> list["Table"]:
        """Open an array of tables inside this one."""
        found = []
        for number, inside in enumerate(self.get(key, list, [])):
            if isinstance(inside, dict):
                found.append(Table(inside, self.path(f"{key}[{number}]"), self.problems))
            else:
                self.fault(f"{key}[{number}]", f"expected a table, found {inside!r}")
        return found

    def finish(self) -> tuple[Problem, ...]:
        """Report everything wrong so far, unknown fields of this table included."""
        for key in sorted(self.values.keys() - self.asked):
            self.fault(key, f"unknown field{did_you_mean(key, tuple(self.asked))}")
        return tuple(sorted(self.problems, key=lambda p: p.where))

    def fault(self, key: str, text: str) -> None:
        """Note one fault."""
        self.problems.append(Problem(Weight.STOPS, text, self.path(key)))

    def path(self, key: str) -> str:
        """Say where a field is.

        >>> Table({}, "wdc.toml", between=" ").path("reading"), Table({}, "wdc.toml reading").path("unclear")
        ('wdc.toml reading', 'wdc.toml reading.unclear')
        """
        return f"{self.where}{self.between}{key}" if self.where else key


def is_counted(value: float) -> bool:
    """Whether a number is of a size that anything in a tournament has; what is none, or has no end, is not.

    >>> is_counted(7), is_counted(float("nan")), is_counted(10**21)
    (True, False, False)
    """
    return -MOST <= value <= MOST


def in_short(value: float) -> str:
    """Write a number for a message, however long it is.

    >>> in_short(10**21), in_short(0.5)
    ('a number of 70 bits', '0.5')
    """
    is_long = isinstance(value, int) and not is_counted(value)
    return f"a number of {int(value).bit_length()} bits" if is_long else str(value)


def read_toml_text(text: str) -> dict[str, Any]:
    """Read TOML; whatever is wrong with it, lists in lists and digits without end too, is a `ValueError` in words."""
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("lists within lists, too deep") from error


def did_you_mean(word: str, known: tuple[str, ...]) -> str:
    """Offer the nearest known word, if one is near.

    >>> did_you_mean("uncler", ("unclear", "gap"))
    "; did you mean 'unclear'?"
    """
    near = get_close_matches(word, known, n=1)
    return f"; did you mean {str(near[0])!r}?" if near else ""
