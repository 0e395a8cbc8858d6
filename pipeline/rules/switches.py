"""One switch of a rules file: its value, the rule that says so, and what it is about.

The classes in `pipeline.rules.tournament` *are* the format of the file: a field is a key of the TOML, its type says
which values are allowed. A setting is written ``key = { value = "hold", rule = "WDC08 12.4" }``; where the rules are
silent it is ``key = "ask"``, or left out, and the director is asked.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Generic, TypeVar, get_type_hints

from msgspec import Struct
from msgspec.structs import fields

from pipeline.words.speech import Choice

T = TypeVar("T")

ASK = "ask"


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
