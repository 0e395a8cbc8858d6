"""Read a TOML table field by field: typed, every fault at once, each with its path and a "did you mean"."""

import re
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from enum import Enum
from fractions import Fraction
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from msgspec import Struct, field

from pipeline.problems import Problem, Weight

T = TypeVar("T")
MOST = 10**9  # nothing in a tournament is counted further
NONE = "none"  # that there is no value, as it is written
KINDS: Mapping[Any, str] = {
    int: "a whole number",
    float: "a number",
    Fraction: "a number",
    str: "a text",
    bool: "true or false",
    list: "a list",
    tuple: "a list",
    dict: "a table",
    Mapping: "a table",
    Struct: "a table",
}


class Table(Struct):
    r"""One table being read. Ask for each field once, then call `finish`.

    >>> table = Table({"gap": "0.1", "uncler": "ask"}, "wdc.toml reading")
    >>> table.get("gap", float, 0.1), table.choice("unclear", ("ask", "hold"))
    (0.1, 'ask')
    >>> print(*table.finish(), sep="\n")
    stops  wdc.toml reading.gap: expected a number, found '0.1'
    stops  wdc.toml reading.uncler: unknown field; did you mean 'unclear'?
    """

    values: Mapping[str, Any]
    where: str  # "wdc.toml scoring.tiebreaks[1]"
    problems: list[Problem] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    between: str = "."  # what stands between ``where`` and a key: a blank where ``where`` is a file
    is_short: bool = False  # one value was written that is short for the table: its faults are that value's
    noun: str = "a table"

    def get(self, key: str, kind: type[T], otherwise: T) -> T:
        """Take a field that may be left out. An int is good where a float is wanted."""
        self.asked.add(key)
        value = self.values.get(key, otherwise)
        if kind is float and type(value) is int:
            value = float(value)
        if isinstance(value, bool) != (kind is bool) or not isinstance(value, kind):
            self.fault(key, f"expected {in_words(kind)}, found {value!r}")
            return otherwise
        if isinstance(value, int | float) and not _is_counted(value):
            self.fault(key, f"expected a number up to {MOST:,}, found {write_shortly(value)}")
            return otherwise
        return value

    def need(self, key: str, kind: type[T], otherwise: T) -> T:
        """Take a field that must be there; ``otherwise`` keeps the reading going so that all faults are found."""
        if key not in self.values:
            self.asked.add(key)
            self.fault(key, f"missing; expected {in_words(kind)}")
            return otherwise
        return self.get(key, kind, otherwise)

    def choice(self, key: str, allowed: tuple[str, ...]) -> str:
        """Take a field that must be one of a few words; the first of them where it is left out."""
        value = self.get(key, str, allowed[0])
        if value not in allowed:
            self.fault(key, not_one_of(value, allowed))
            return allowed[0]
        return value

    def table(self, key: str) -> "Table":
        """Open a table inside this one; its faults come back with this table's `finish`."""
        return self.open_table(self.get(key, dict, {}), key)

    def open_table(self, values: Mapping[str, Any], key: str, *, is_short: bool = False) -> "Table":
        return Table(values, self.path(key), self.problems, is_short=is_short)

    def need_table(self, key: str) -> "Table":
        if key not in self.values:
            self.asked.add(key)
            self.fault(key, "missing; expected a table")
            return Table({}, self.path(key), self.problems)
        return self.table(key)

    def tables(self, key: str) -> list["Table"]:
        """Open an array of tables inside this one."""
        inside_tables = []
        for number, inside in enumerate(self.get(key, list, [])):
            if isinstance(inside, dict):
                inside_tables.append(self.open_table(inside, f"{key}[{number}]"))
            else:
                self.fault(f"{key}[{number}]", f"expected {self.noun}, found {inside!r}")
        return inside_tables

    def finish(self) -> tuple[Problem, ...]:
        """Report everything wrong so far, unknown keys of this table (typos) included."""
        for key in sorted(self.values.keys() - self.asked):
            self.tell_unknown(key)
        return tuple(sorted(self.problems, key=lambda p: p.where))

    def tell_unknown(self, key: str) -> None:
        self.fault(key, f"unknown field{did_you_mean(key, tuple(self.asked))}")

    def fault(self, key: str, text: str) -> None:
        self.problems.append(Problem(Weight.STOPS, text, self.path(key)))

    def fault_if_first(self, key: str, text: str) -> None:
        """Note a fault, unless there is one of the same value that this one may follow from."""
        if all(problem.where != self.path(key) for problem in self.problems):
            self.fault(key, text)

    def path(self, key: str) -> str:
        """Say where a field is.

        >>> Table({}, "wdc.toml", between=" ").path("reading"), Table({}, "wdc.toml reading").path("unclear")
        ('wdc.toml reading', 'wdc.toml reading.unclear')
        """
        if self.is_short or not self.where:
            return self.where or key
        return f"{self.where}{self.between}{key}"


def _is_counted(value: float) -> bool:
    """Whether a value is a finite number of plausible size.

    >>> _is_counted(7), _is_counted(float("nan")), _is_counted(10**21)
    (True, False, False)
    """
    return -MOST <= value <= MOST


def write_shortly(value: float) -> str:
    """Write a number for a message, however long it is.

    >>> write_shortly(10**21), write_shortly(0.5)
    ('a number of 70 bits', '0.5')
    """
    is_long = isinstance(value, int) and not _is_counted(value)
    return f"a number of {int(value).bit_length()} bits" if is_long else str(value)


def read_toml_text(text: str) -> dict[str, Any]:
    """Read TOML; whatever is wrong with it, lists in lists and digits without end too, is a `ValueError` in words."""
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("lists are nested too deeply") from error


def did_you_mean(word: str, known: tuple[str, ...]) -> str:
    """Offer the nearest known word, if one is near.

    >>> did_you_mean("uncler", ("unclear", "gap"))
    "; did you mean 'unclear'?"
    """
    near = get_close_matches(word, known)
    return f"; did you mean {str(near[0])!r}?" if near else ""


def in_words(kind: Any) -> str:
    """What is expected of a kind.

    >>> in_words(int), in_words(tuple[str, ...]), in_words(int | None)
    ('a whole number', 'a list', "a whole number or 'none'")
    >>> in_words(Mapping[str, int]), in_words(Table | None), in_words(type("Name", (str,), {}))
    ('a table', "a table or 'none'", 'a text')
    """
    plain = without_notes(kind)
    if get_origin(plain) in (Union, UnionType):
        return f"{in_words(get_args(plain)[0])}{' or ' + repr(NONE) if type(None) in get_args(plain) else ''}"
    origin = get_origin(plain) or plain
    if isinstance(origin, type) and issubclass(origin, Enum):
        return f"one of {', '.join(map(str, origin))}"
    return next((KINDS[each] for each in getattr(origin, "__mro__", ()) if each in KINDS), "a value")


def without_notes(kind: Any) -> Any:
    """A type without what is annotated beside it."""
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def not_one_of(value: object, words: tuple[str, ...]) -> str:
    """Say that a value is none of a few words, and which may be meant."""
    near = did_you_mean(value, words) if isinstance(value, str) else ""
    return f"{value!r} is not one of {', '.join(words)}{near}"


def describe_fault(error: ValueError) -> str:
    """Say why the bytes of a file are no TOML."""
    if isinstance(error, UnicodeDecodeError):
        line = error.object[: error.start].count(b"\n") + 1
        return f"not saved as UTF-8 (line {line}); save it as UTF-8"
    return f"not TOML: {error}"


# The line of a TOML file on which a setting stands, for messages that say where to look.

HEADER = re.compile(r"\s*(\[\[?)([^\[\]]+)\]\]?\s*(#.*)?$")
KEY = re.compile(r"""\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*=(.*)$""")
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'')
STEP = re.compile(r"\[\d+\]$|\.[^.\[\]]+$")  # the last step of a path: an element, or a key


def lines_of(text: str) -> dict[str, int]:
    r"""Find the line of every table and of every key that begins a line, by its path; the first line is 1.

    >>> lines_of('[totals]\nrounds = 3\n[[scoring.parts]]\ngive = "flat"')["scoring.parts[0].give"]
    4
    """
    lines: dict[str, int] = {}
    counts: dict[str, int] = {}
    table, open_brackets = "", 0
    for number, line in enumerate(text.splitlines(), start=1):
        if open_brackets:  # inside a list or a table that goes on over several lines
            open_brackets += _depth(line)
        elif header := HEADER.match(line):
            name = _inside_last(_plain_key(header[2].strip()), counts)
            if header[1] == "[[":
                counts[name] = counts.get(name, -1) + 1
                lines.setdefault(name, number)
                name = f"{name}[{counts[name]}]"
            table = name
            lines.setdefault(table, number)
        elif key := KEY.match(line):
            path = _plain_key(key[1])
            lines.setdefault(f"{table}.{path}" if table else path, number)
            open_brackets = _depth(key[2])
    return lines


def line_of(lines: Mapping[str, int], path: str) -> int | None:
    """The line of a setting, or of the nearest table around it that stands in the file."""
    while path and path not in lines:
        step = STEP.search(path)
        path = path[: step.start()] if step else ""
    return lines.get(path)


def _inside_last(name: str, counts: dict[str, int]) -> str:
    """A table inside a list of tables belongs to the last of them."""
    steps = name.split(".")
    for length in range(1, len(steps)):
        outer = ".".join(steps[:length])
        if outer in counts:
            steps[length - 1] += f"[{counts[outer]}]"
    return ".".join(steps)


def _depth(text: str) -> int:
    """How many brackets a line opens and does not close; strings and comments do not count."""
    bare = QUOTED.sub("", text).partition("#")[0]
    return bare.count("[") + bare.count("{") - bare.count("]") - bare.count("}")


def _plain_key(key: str) -> str:
    """A key without its quotes and the blanks round its dots."""
    return ".".join(step.strip().strip("\"'") for step in key.split("."))
