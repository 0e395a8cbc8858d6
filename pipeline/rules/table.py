"""Read a TOML table field by field: typed, every fault at once, each with its path and a "did you mean"."""

import errno
import os
import re
import stat
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from enum import Enum
from fractions import Fraction
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Generic, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import Struct, field
from msgspec.structs import fields

from pipeline.problems import Problem, Weight
from pipeline.words.speech import Choice

T = TypeVar("T")


MOST = 10**9  # nothing in a tournament is counted further
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


# One switch of a rules file: its value, and the rule that says so.
#
# The classes in `pipeline.rules.tournament` *are* the format of the file: a field is a key of the TOML, its type says
# which values are allowed. A setting is written ``key = { value = "hold", rule = "WDC08 12.4" }``; where the rules are
# silent it is ``key = "ask"``, or left out, and the director is asked.

ASK = "ask"
NONE = "none"


class Setting(Struct, Generic[T], frozen=True):
    """The value of one switch and where it comes from."""

    value: T
    rule: str = ""  # "EDC96 8"; empty: the rules are silent
    why: str = ""  # how we read the rule, where it can be read in two ways
    left_open: bool = False  # "ask" was written, or nothing, for a number or a list that cannot say so itself
    path: str = ""  # where it stands in the file: "reading.twice_different"
    otherwise: T | None = None  # the value if the rule is read the other way

    @property
    def asks(self) -> bool:
        """Say whether the director must be asked: the word for it is written, or nothing is."""
        return self.left_open or self.value == ASK

    @property
    def source(self) -> str:
        """The rule in a form to be printed.

        >>> Setting("hold", "EDC96 8").source, Setting("ask").source
        ('EDC96 8', 'the rules are silent')
        """
        return self.rule or "the rules are silent"


def rules_of(settings: Iterable[Setting[Any]]) -> str:
    """The rules behind settings, each once, "NZ99 16; NZ99 15"; empty where there are none, or the rules are silent."""
    return "; ".join(dict.fromkeys(setting.rule for setting in settings if setting.rule))


class Asks(Struct, frozen=True):
    """What one switch is about; it stands in the field's annotation: ``Annotated[Setting[Twice], Asks("6", "…")]``."""

    rows: str  # rows of the catalogue of situations, "6" or "15, 16"
    question: str  # the situation in words


class Quote(Struct, frozen=True):
    """What the rules say under one setting.

    >>> str(Quote("reading.letter_missing", "NZ99 11", "the letter A or F is missing: the line is followed"))
    '§ NZ99 11: the letter A or F is missing: the line is followed'
    """

    path: str  # of the setting
    rule: str  # "NZ99 11", or that the rules are silent
    text: str  # the situation, and what becomes of it

    def __str__(self) -> str:
        return f"§ {self.rule}: {self.text}"


class Switch(Struct, frozen=True):
    """One switch as it is printed: the situation, and the setting for it."""

    rows: str  # rows of the catalogue of situations, "6" or "15, 16"
    question: str
    setting: Setting[Any]

    @property
    def path(self) -> str:
        """Where it stands in the file."""
        return self.setting.path

    @property
    def meaning(self) -> str:
        """The value in words, where it is one of a list."""
        value = self.setting.value
        return value.meaning if isinstance(value, Choice) else ""

    @property
    def quote(self) -> Quote:
        """What the rules say of the situation."""
        ends = "" if self.question.endswith("?") else ":"
        text = f"{self.question}{ends} {self.meaning or write_value(self.setting.value)}"
        return Quote(self.path, self.setting.source, text)


def write_value(value: Any) -> str:
    """Write a value in one line.

    >>> write_value(True), write_value(None), write_value(((1, 2), (3,)))
    ('yes', 'none', '1, 2; 3')
    """
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case tuple() | list():
            between = "; " if any(isinstance(each, tuple | list) for each in value) else ", "
            return between.join(write_value(each) for each in value) or "none"
        case dict():
            return "; ".join(f"{key} {write_value(each)}" for key, each in value.items())
        case _:
            return str(value)


def walk_switches(section: Any) -> Iterator[Switch]:
    """Walk all switches of a section and of the sections inside it, in the order in which they are declared."""
    asked = asked_by(type(section))
    for each in fields(section):
        value = getattr(section, each.name)
        if isinstance(value, Setting):
            asks = asked[each.name]
            yield Switch(asks.rows, asks.question, value)
        elif isinstance(value, Struct):
            yield from walk_switches(value)


def asked_by(section: type) -> dict[str, Asks]:
    """Say what each switch of a section is about."""
    hints = get_type_hints(section, include_extras=True)
    return {
        name: note
        for name, hint in hints.items()
        for note in getattr(hint, "__metadata__", ())
        if isinstance(note, Asks)
    }


# What can be printed on a line, and read by eye: everything that people type and the program keeps is.
#
# A control character ends the line of a list, a workbook or a TOML file in the middle; a sign that turns the direction
# of what follows spoils the print of everything behind it; one that nobody sees makes two names of one.

UNSEEN = "\u200c\u200d\u200e\u200f\u061c"  # that Persian, Indian, Hebrew and Arabic names are written with
LETTER_WITHOUT_CASE = "Lo"  # Unicode's category of the letters of those scripts
BLANKS = " \t\r\n"  # around a cell or a line they are no part of it
LINES = "\t\r\n"  # in a text of several lines they are what parts them
NO_CHARACTER = re.compile("[\ufdd0-\ufdef\ufffe\uffff]")  # never will be one (Unicode 23.7); no workbook can hold it
WHOLE = re.compile("[0-9]{1,9}")
DEVICE = re.compile(r"(?i)(con|prn|aux|nul|(com|lpt)[0-9¹²³]) *(\..*)?")  # what Windows takes for something else
LONGEST_NAME, LONGEST_PATH = 240, 1000  # 255 on most systems; a half-written file has a longer name
REFUSED = {  # by Unicode's category
    "Cc": "a control character",
    "Cf": "a sign that is not seen",
    "Cs": "half a character",
    "Zl": "a line separator",
    "Zp": "a paragraph separator",
}


def unprintable(text: str, besides: str = "") -> str:
    r"""Say what in a text cannot be printed on a line, and how to mend it; nothing where all can be.

    >>> unprintable("Ana\u2028Silva"), unprintable("Zoë Łuk")
    ('a line separator (U+2028) at letter 4; type it anew', '')
    """
    if text.isascii() and text.isprintable():
        return ""
    if any(unicodedata.category(sign) == LETTER_WITHOUT_CASE for sign in text):
        besides += UNSEEN
    for place, sign in enumerate(text, start=1):
        word = "no character" if NO_CHARACTER.match(sign) else REFUSED.get(unicodedata.category(sign))
        if word and sign not in besides:
            return f"{word} (U+{ord(sign):04X}) at letter {place}; type it anew"
    return ""


def fault_in_file_name(name: str) -> str:
    r"""Say why a text is no valid file name inside a folder, on any system; empty if it is valid.

    It prevents path traversal. Every file name in a manifest, in ``event.toml`` or in a rules file is checked here.

    >>> fault_in_file_name("rules/mine.toml"), fault_in_file_name("../../evil.sh"), fault_in_file_name("/etc/passwd")
    ('', 'leads out of its folder', 'leads out of its folder')
    >>> fault_in_file_name("C:\\x"), fault_in_file_name("rules/nul.toml")
    ("holds '\\\\', which parts folders on some systems", 'is no name of a file on Windows')
    """
    if fault := unprintable(name):
        return f"holds {fault}"
    if mark := next((sign for sign in "\\:" if sign in name), ""):
        return f"holds {mark!r}, which parts folders on some systems"
    parts = name.split("/")
    if any(part.strip(". ") == "" for part in parts):
        return "leads out of its folder"
    if any(DEVICE.fullmatch(part) or part.endswith((".", " ")) for part in parts):
        return "is no name of a file on Windows"
    if len(name) > LONGEST_PATH or any(len(part.encode()) > LONGEST_NAME for part in parts):
        return f"is longer than {LONGEST_NAME} bytes"
    return ""


LARGEST = 32 << 20  # bytes: far more than any settings, rules or roster


def read_small(path: Path) -> bytes:
    """Read a file of at most LARGEST bytes whole; `OSError` at once where it is larger, or no ordinary file.

    Reading a pipe might wait for ever, and some devices never end.
    """
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(number, "rb") as file:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise OSError(errno.EINVAL, "it is no ordinary file", str(path))
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise OSError(errno.EINVAL, f"it is larger than {LARGEST >> 20} MB", str(path))
    return data


def read_named(path: Path, most: int = LARGEST) -> bytes:
    """Read a file or a pipe that a person names; `OSError` where more than ``most`` bytes come."""
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most // 1_000_000} MB", str(path))
    return data


def read_small_text(path: Path) -> str:
    """Read a small file as text, with any line endings, with or without the mark of a Windows editor in front."""
    return decode_text(read_small(path))


def decode_text(data: bytes) -> str:
    """Bytes as text, whatever ends its lines; the byte order mark that Windows editors put in front is left out."""
    return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


def describe_fault(error: ValueError) -> str:
    """Say why the bytes of a file are no TOML."""
    if isinstance(error, UnicodeDecodeError):
        line = error.object[: error.start].count(b"\n") + 1
        return f"not saved as UTF-8 (line {line}); save it as UTF-8"
    return f"not TOML: {error}"


def is_whole(text: str) -> bool:
    """Whether a text is a whole number of a size that anybody counts to; Python takes other scripts' digits for one.

    >>> is_whole("12"), is_whole("²"), is_whole("9" * 5000)
    (True, False, False)
    """
    return WHOLE.fullmatch(text) is not None


def unprintable_in(value: Any, where: str = "") -> Iterator[tuple[str, str]]:
    """Find every text inside a value of JSON that cannot be printed; what parts the lines of a text may stand in it."""
    match value:
        case str():
            if fault := unprintable(value, LINES):
                yield where, fault
        case Mapping():
            for key, inside in value.items():
                yield from unprintable_in(str(key), where)
                yield from unprintable_in(inside, str(key))
        case list() | tuple():
            for inside in value:
                yield from unprintable_in(inside, where)


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


# Where the data files are: at the top of a checkout, or inside an installed package.

PACKAGE = Path(__file__).parents[1]


def data_folder(name: str) -> Path:
    """Find ``abbreviations``, ``templates/rules``, ``templates/sheets`` or ``samples``.

    >>> data_folder("templates/rules").is_dir()
    True
    """
    packed = PACKAGE / "_data" / name  # only an installed package has it; beside one may stand others' folders
    return packed if packed.is_dir() else PACKAGE.parent / name
