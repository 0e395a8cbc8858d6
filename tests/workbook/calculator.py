"""A spreadsheet program in miniature: the functions that our workbooks use, as ECMA-376 18.17 defines them.

It computes the pages of a workbook before they are packed, in a second where LibreOffice needs ten, so that each change
of an input can be tried. That it computes as the large programs do is seen in the slow tests, which compare the same
values with theirs.
"""

import math
import operator
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from openpyxl.utils.cell import coordinate_to_tuple

from pipeline.workbook import page as xl

sys.setrecursionlimit(20_000)  # a column of running sums looks up cell by cell

Place = tuple[str, int, int]  # sheet, row, column
REFERENCE = r"(?:(?:'[^']+'|[A-Za-z]\w*)!)?\$?[A-Z]{1,3}\$?\d+(?::\$?[A-Z]{1,3}\$?\d+)?(?![\w(])"
NAMED = rf'(?P<text>"(?:[^"]|"")*")|(?P<cells>{REFERENCE})|(?P<word>[A-Za-z_][\w.]*)'
REFERENCES = re.compile(NAMED)
TOKEN = re.compile(rf"\x01\d+\x02|{NAMED}|\d+\.?\d*(?:[eE][+-]?\d+)?|<=|>=|<>|[-+*/^&=<>(),;:{{}}]")


class CellError(Exception):
    """An error value: #N/A, #DIV/0!, #VALUE!."""


class Cells:
    """A range of cells, which functions read as rows of values."""

    def __init__(self, book: "Calculator", sheet: str, first: tuple[int, int], last: tuple[int, int]) -> None:
        self.book, self.sheet, self.first, self.last = book, sheet, first, last

    def rows(self) -> list[list[Any]]:
        """The values, errors as such."""
        key = (self.sheet, self.first, self.last)
        if key not in self.book.ranges:
            rows, columns = range(self.first[0], self.last[0] + 1), range(self.first[1], self.last[1] + 1)
            self.book.ranges[key] = [[self.book.value((self.sheet, r, c)) for c in columns] for r in rows]
        return self.book.ranges[key]

    def cell(self, row: int, column: int) -> "Cells":
        """One cell of it, counted from 1."""
        place = self.first[0] + row - 1, self.first[1] + column - 1
        if row < 1 or column < 1 or place[0] > self.last[0] or place[1] > self.last[1]:
            raise CellError("#REF!")
        return Cells(self.book, self.sheet, place, place)


class Calculator:
    """The values of all cells of some pages; those of formulas are computed when they are asked for."""

    def __init__(self, pages: Sequence[xl.Page], names: Mapping[str, str]) -> None:
        self.contents: dict[Place, xl.Content] = {
            (page.title, row, column): content
            for page in pages
            for row, line in page.cells.items()
            for column, (content, _) in line.items()
        }
        self.names = names
        self.ranges: dict[Any, list[list[Any]]] = {}
        self.found: dict[Place, Any] = {}

    def forget(self) -> None:
        """Compute everything anew, for an input has changed."""
        self.ranges.clear()
        self.found.clear()

    def value(self, place: Place) -> Any:
        """What a cell shows."""
        if place not in self.found:
            content = self.contents.get(place)
            if isinstance(content, xl.LiveFormula):
                try:
                    content = scalar(self.compute(content.formula, place[0]))
                    content = 0 if content is None else content
                except CellError as error:
                    content = error  # type: ignore[assignment] # as any other value
            self.found[place] = float(content) if isinstance(content, Fraction) else content
        return self.found[place]

    def compute(self, formula: str, sheet: str) -> Any:
        """Compute a formula that stands on a sheet."""
        parts: list[str] = []
        pattern = REFERENCES.sub(lambda found: _set_aside(found, parts), formula)
        return _compiled(pattern)([self.cells(part, sheet) for part in parts])

    def cells(self, written: str, sheet: str) -> Cells:
        """The cells that a reference or a name means."""
        written = self.names.get(written, written)
        there, _, cells = written.rpartition("!")
        first, _, last = cells.replace("$", "").partition(":")
        return Cells(self, there.strip("'") or sheet, _row_and_column(first), _row_and_column(last or first))

    def differences(self) -> list[str]:
        """List the formula cells that come to another value than stands beside their formula."""
        return [
            f"{place[0]}!{xl.at(*place[1:])}: engine {content.value!r}, formula {self.value(place)!r}"
            for place, content in self.contents.items()
            if isinstance(content, xl.LiveFormula) and not _same(content.value, self.value(place))
        ]


@cache
def _row_and_column(cell: str) -> tuple[int, int]:
    return coordinate_to_tuple(cell)


def _same(ours: xl.Value, computed: Any) -> bool:
    if isinstance(ours, int | Fraction) and isinstance(computed, int | float):
        return isinstance(ours, bool) == isinstance(computed, bool) and abs(ours - computed) < 1e-9
    return bool((ours or "") == computed)


def _set_aside(found: re.Match[str], parts: list[str]) -> str:
    """Put a number in the place of a reference, so that the formulas of a column are one."""
    is_name = found.lastgroup == "word" and found.string[found.end() : found.end() + 1] != "("
    if found.lastgroup == "cells" or (is_name and found[0] not in ("TRUE", "FALSE")):
        parts.append(found[0])
        return f"\x01{len(parts) - 1}\x02"
    return found[0]


@cache
def _compiled(pattern: str) -> Callable[[list[Cells]], Any]:
    """Translate a formula, its references numbered, into a function of them."""
    tokens = [found[0] for found in TOKEN.finditer(pattern)]
    assert "".join(tokens) == pattern, pattern
    reader = _Reader([*tokens, ""])
    source = reader.expression(0)
    assert reader.tokens[reader.at] == "", pattern
    made: Callable[[list[Cells]], Any] = eval(f"lambda cells: {source}", {**FUNCTIONS, **HELPERS})
    return made


ORDER = [("=", "<>", "<", ">", "<=", ">="), ("&",), ("+", "-"), ("*", "/"), ("^",)]
LAZY = {"IF", "IFERROR", "CHOOSE", "ISNUMBER"}


class _Reader:
    """The tokens of a formula, read from left to right into a Python expression."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens, self.at = tokens, 0

    def take(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def expression(self, level: int) -> str:
        """Read operators of a level and those that bind closer."""
        if level == len(ORDER):
            return self.operand()
        left = self.expression(level + 1)
        while self.tokens[self.at] in ORDER[level]:
            sign = self.take()
            left = f"binary({sign!r}, {left}, {self.expression(level + 1)})"
        return left

    def operand(self) -> str:
        """Read a number, a text, a list, a call, what stands in brackets, or cells."""
        token = self.take()
        if token == "-":
            return f"binary('-', 0, {self.operand()})"
        if token == "(":
            inner = self.expression(0)
            assert self.take() == ")"
        elif token == "{":
            inner = self.list_of_values()
        elif token[0] == '"':
            inner = repr(token[1:-1].replace('""', '"'))
        elif token[0] == "\x01":
            inner = f"cells[{token[1:-1]}]"
        elif self.tokens[self.at] == "(":
            inner = self.call(token)
        else:
            inner = token.capitalize() if token in ("TRUE", "FALSE") else repr(float(token))
        if self.tokens[self.at] == ":":
            self.take()
            return f"between({inner}, {self.operand()})"
        return inner

    def list_of_values(self) -> str:
        rows: list[list[str]] = [[]]
        while True:
            rows[-1].append(self.expression(0))
            match self.take():
                case ";":
                    rows.append([])
                case "}":
                    return "[" + ", ".join("[" + ", ".join(row) + "]" for row in rows) + "]"

    def call(self, name: str) -> str:
        """Read a call; where only one argument is wanted the others are not computed."""
        self.take()
        given: list[str] = []
        while self.tokens[self.at] != ")":
            given.append(self.expression(0) if self.tokens[self.at] != "," else "None")
            if self.tokens[self.at] == ",":
                self.take()
        self.take()
        if name in LAZY:
            given = [f"lambda: {each}" for each in given]
        return f"{name}({', '.join(given)})"


def scalar(value: Any) -> Any:
    """The one value of a cell or a list; an error is raised."""
    if isinstance(value, Cells | list):
        value = rows_of(value)[0][0]
    if isinstance(value, CellError):
        raise value
    return value


def rows_of(value: Any) -> list[list[Any]]:
    """A value as rows."""
    return value.rows() if isinstance(value, Cells) else value if isinstance(value, list) else [[value]]


def is_many(value: Any) -> bool:
    return isinstance(value, list) or (isinstance(value, Cells) and value.first != value.last)


def number(value: Any) -> float:
    """A value as arithmetic takes it."""
    value = scalar(value)
    if isinstance(value, str):
        raise CellError("#VALUE!")
    return value or 0


def each(function: Callable[..., Any], *given: Any) -> Any:
    """Apply a function of single values to each value of lists; one row or column goes with every other."""
    if not any(is_many(one) for one in given):
        return function(*map(scalar, given))
    lists = [rows_of(one) for one in given]
    height, width = max(map(len, lists)), max(len(one[0]) for one in lists)

    def pick(rows: list[list[Any]], row: int, column: int) -> Any:
        line = rows[row if len(rows) > 1 else 0]
        return line[column if len(line) > 1 else 0]

    def apply(row: int, column: int) -> Any:
        values = [pick(rows, row, column) for rows in lists]
        try:
            return function(*values)
        except CellError as error:
            return error

    return [[apply(row, column) for column in range(width)] for row in range(height)]


def rank(value: Any) -> int:
    """Numbers stand before texts, and these before what is true or false."""
    return 2 if isinstance(value, bool) else 1 if isinstance(value, str) else 0


def compare(sign: str, left: Any, right: Any) -> bool:
    """Compare two values; an empty cell is 0 or an empty text."""
    for one in (left, right):
        if isinstance(one, CellError):
            raise one
    if left is None:
        left = "" if isinstance(right, str) else 0
    if right is None:
        right = "" if isinstance(left, str) else 0
    keys = [(rank(one), one.lower() if isinstance(one, str) else one) for one in (left, right)]
    return bool(COMPARED[sign](*keys))


COMPARED: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq, "<>": operator.ne, "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge,
}  # fmt: skip


def shown(value: Any) -> str:
    """A value inside a text."""
    value = scalar(value)
    if isinstance(value, bool):
        return str(value).upper()
    return "" if value is None else f"{value:.15g}" if isinstance(value, int | float) else value


def divide(left: float, right: float) -> float:
    if not right:
        raise CellError("#DIV/0!")
    return left / right


COMPUTED: dict[str, Callable[[float, float], float]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": divide, "^": operator.pow,
}  # fmt: skip


def binary(sign: str, left: Any, right: Any) -> Any:
    """Apply an operator."""
    if sign == "&":
        return each(lambda a, b: shown(a) + shown(b), left, right)
    if sign in COMPARED:
        return each(lambda a, b: compare(sign, a, b), left, right)
    return each(lambda a, b: COMPUTED[sign](number(a), number(b)), left, right)


def between(first: Cells, last: Cells) -> Cells:
    """The cells from one to another."""
    return Cells(first.book, first.sheet, first.first, last.last)


def values(given: Sequence[Any]) -> Iterator[Any]:
    """All values of some arguments; an error is raised."""
    for one in given:
        for row in rows_of(one):
            yield from map(scalar, row)


def numbers(*given: Any) -> list[float]:
    """The numbers among the arguments; of lists and cells only what is one, as all functions of many numbers do."""
    single = [number(one) for one in given if not isinstance(one, Cells | list)]
    listed = values([one for one in given if isinstance(one, Cells | list)])
    return single + [one for one in listed if is_number(one)]


def truths(given: Sequence[Any]) -> list[bool]:
    return [bool(one) for one in values(given) if isinstance(one, bool | int | float)]


def choose_by(test: Callable[[], Any], then: Callable[[], Any], other: Callable[[], Any] = lambda: False) -> Any:
    """Compute one of two; in a list for each value."""
    wanted = test()
    if not is_many(wanted):
        return then() if number(wanted) else other()
    return each(lambda one, a, b: a if number(one) else b, wanted, then(), other())


def unless_error(value: Callable[[], Any], other: Callable[[], Any]) -> Any:
    try:
        return scalar(value())
    except CellError:
        return other()


def round_to(value: float, decimals: float, how: Callable[[float], int] = lambda x: math.floor(x + 0.5)) -> float:
    """Round by decimals, a half away from zero; what differs in the fifteenth digit is equal."""
    scaled = float(f"{abs(value) * 10**decimals:.15g}")
    return math.copysign(how(scaled) / 10**decimals, value) if scaled else 0.0


def meets(criterion: Any) -> Callable[[Any], bool]:
    """The test of COUNTIF and its like: a number, a text with * and ?, or a sign with either."""
    wanted, sign = scalar(criterion), "="
    if isinstance(wanted, str) and (found := re.match("<=|>=|<>|[<>=]", wanted)):
        sign, wanted = found[0], wanted[found.end() :]
        if re.fullmatch(r"-?\d+\.?\d*(E[+-]?\d+)?", wanted):
            wanted = float(wanted)
    if isinstance(wanted, str):
        return lambda value: isinstance(value, str) and (sign == "=") == is_like(value, wanted)
    wanted = wanted or 0

    def is_met(value: Any) -> bool:
        return is_number(value) and compare(sign, value, wanted)

    return is_met


def is_like(value: str, pattern: str) -> bool:
    """Compare a text with one that has wildcards."""
    written = re.escape(pattern.lower()).replace(r"\*", ".*").replace(r"\?", ".")
    return re.fullmatch(written, value.lower(), re.DOTALL) is not None


def meeting_all(given: Sequence[Any]) -> list[bool]:
    """Which cells meet the criteria of each of some ranges."""
    tests = [(rows_of(cells), meets(wanted)) for cells, wanted in zip(given[::2], given[1::2], strict=True)]
    columns = [[test(value) for row in rows for value in row] for rows, test in tests]
    return [all(line) for line in zip(*columns, strict=True)]


def sum_where(cells: Any, given: Sequence[Any]) -> list[float]:
    """The numbers of those cells that meet all criteria."""
    flat = [value for row in rows_of(cells) for value in row]
    return [number(v) for v, is_in in zip(flat, meeting_all(given), strict=True) if is_in and not isinstance(v, str)]


def mean(found: Sequence[float]) -> float:
    return divide(sum(found), len(found))


def match(wanted: Any, cells: Any, kind: Any = 1) -> Any:
    """Where a value stands in one row or column, or each of some; kind 1: the last that is not greater."""
    if is_many(wanted):
        return each(lambda one: match(one, cells, kind), wanted)
    sought, listed = scalar(wanted), [value for row in rows_of(cells) for value in row]
    if number(kind) == 1:
        found = [n for n, v in enumerate(listed, start=1) if v is not None and compare("<=", v, sought)]
        if not found:
            raise CellError("#N/A")
        return found[-1]
    for nth, value in enumerate(listed, start=1):
        if isinstance(value, str) and isinstance(sought, str):
            if is_like(value, sought):
                return nth
        elif value == (sought or 0) and rank(value) == rank(sought):
            return nth
    raise CellError("#N/A")


def index(cells: Any, row: Any, column: Any = None) -> Any:
    """One cell of a range, or one value of a list; of one row the only number is the column."""
    listed = rows_of(cells)
    down, across = int(number(row)), 1 if column is None else int(number(column))
    if column is None and len(listed) == 1 and len(listed[0]) > 1:
        down, across = 1, down
    if isinstance(cells, Cells):
        return cells.cell(down, across)
    if not (0 < down <= len(listed) and 0 < across <= len(listed[0])):
        raise CellError("#REF!")
    return listed[down - 1][across - 1]


def nth_of(given: Any, place: Any, *, largest: bool) -> Any:
    ordered = sorted(numbers(given if isinstance(given, Cells | list) else [[given]]), reverse=largest)

    def pick(nth: Any) -> float:
        if not 1 <= number(nth) <= len(ordered):
            raise CellError("#NUM!")
        return ordered[math.ceil(number(nth)) - 1]

    return each(pick, place)


def sum_products(*given: Any) -> float:
    """Multiply lists value by value and add up; what is no number is 0."""
    lists = [list(values([one])) for one in given]
    plain = [[0 if isinstance(v, str | bool | None) else v for v in one] for one in lists]
    return sum(math.prod(line) for line in zip(*plain, strict=True))


def frequencies(given: Any, limits: Any) -> list[list[int]]:
    """How many numbers fall under each limit, all of those that are the same under the first of them."""
    found, bounds = numbers(given), numbers(limits)
    counts, seen = [], set[float]()
    for bound in bounds:
        below = max((other for other in bounds if other < bound), default=-math.inf)
        counts.append([0 if bound in seen else sum(below < value <= bound for value in found)])
        seen.add(bound)
    return [*counts, [sum(value > max(bounds, default=-math.inf) for value in found)]]


def matrix_product(left: Any, right: Any) -> list[list[float]]:
    rows, columns = [[number(v) for v in row] for row in rows_of(left)], list(zip(*rows_of(right), strict=True))
    return [[sum(a * number(b) for a, b in zip(row, one, strict=True)) for one in columns] for row in rows]


def test_kind(value: Callable[[], Any], test: Callable[[Any], bool]) -> Any:
    """Ask what a value is, of an error too."""
    try:
        found = value()
    except CellError as error:
        found = error
    if not is_many(found):
        return test(rows_of(found)[0][0])
    return [[test(one) for one in row] for row in rows_of(found)]


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def places(cells: Any, *, down: bool) -> Any:
    """The numbers of rows or of columns of some cells."""
    if down:
        return [[float(row)] for row in range(cells.first[0], cells.last[0] + 1)]
    return [[float(column) for column in range(cells.first[1], cells.last[1] + 1)]]


HELPERS = {"binary": binary, "between": between}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "IF": choose_by,
    "IFERROR": unless_error,
    "CHOOSE": lambda which, *given: given[int(number(which())) - 1](),
    "AND": lambda *given: all(truths(given)),
    "OR": lambda *given: any(truths(given)),
    "NOT": lambda one: each(lambda value: not number(value), one),
    "SUM": lambda *given: sum(numbers(*given)),
    "MAX": lambda *given: max(numbers(*given), default=0),
    "MIN": lambda *given: min(numbers(*given), default=0),
    "COUNT": lambda *given: len(numbers(*[one for one in given if isinstance(one, Cells | list)])),
    "AVERAGE": lambda *given: mean(numbers(*given)),
    "PRODUCT": lambda *given: math.prod(numbers(*given)),
    "SUMPRODUCT": sum_products,
    "COUNTIF": lambda cells, wanted: (
        each(lambda one: sum(meeting_all((cells, one))), wanted)
        if is_many(wanted)
        else sum(meeting_all((cells, wanted)))
    ),
    "COUNTIFS": lambda *given: sum(meeting_all(given)),
    "SUMIF": lambda cells, wanted, added=None: sum(sum_where(added or cells, (cells, wanted))),
    "SUMIFS": lambda cells, *given: sum(sum_where(cells, given)),
    "AVERAGEIFS": lambda cells, *given: mean(sum_where(cells, given)),
    "MMULT": matrix_product,
    "TRANSPOSE": lambda cells: [list(column) for column in zip(*rows_of(cells), strict=True)],
    "MATCH": match,
    "INDEX": index,
    "LARGE": lambda given, place: nth_of(given, place, largest=True),
    "SMALL": lambda given, place: nth_of(given, place, largest=False),
    "FREQUENCY": frequencies,
    "EXACT": lambda a, b: each(lambda one, other: shown(one) == shown(other), a, b),
    "ROUND": lambda x, d: each(lambda a, b: round_to(number(a), number(b)), x, d),
    "ROUNDUP": lambda x, d: each(lambda a, b: round_to(number(a), number(b), math.ceil), x, d),
    "ROUNDDOWN": lambda x, d: each(lambda a, b: round_to(number(a), number(b), math.floor), x, d),
    "TRUNC": lambda x, d=0: each(lambda a, b: round_to(number(a), number(b), math.floor), x, d),
    "INT": lambda x: each(lambda a: math.floor(number(a)), x),
    "ABS": lambda x: each(lambda a: abs(number(a)), x),
    "SIGN": lambda x: each(lambda a: (number(a) > 0) - (number(a) < 0), x),
    "SQRT": lambda x: each(lambda a: math.sqrt(number(a)), x),
    "MOD": lambda x, y: each(lambda a, b: number(a) - number(b) * math.floor(divide(number(a), number(b))), x, y),
    "FIXED": lambda x, d, _bare: f"{round_to(number(x), number(d)):.{int(number(d))}f}",
    "LEFT": lambda text, count: shown(text)[: int(number(count))],
    "N": lambda x: number(x) if not isinstance(scalar(x), str) else 0,
    "ISNUMBER": lambda value: test_kind(value, is_number),
    "ROW": lambda cells: places(cells, down=True),
    "COLUMN": lambda cells: places(cells, down=False),
    "ROWS": lambda cells: len(rows_of(cells)),
}
