"""The languages of what players see, and the sentences for codes, which the director reads in English.

Each language is a gettext catalogue beside this module, a ``.po`` for people and a ``.mo`` for the program;
``python -m languages`` keeps them. What players see (prints, the pages for telephones, the screen) stands in the
program in English and is translated; what no catalogue has is said in English. The English catalogue has the sentences
for codes: the context of an entry is the enum, its text the code.
"""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from fractions import Fraction
from functools import cache
from gettext import GNUTranslations
from importlib.resources import files
from string import Formatter
from typing import Any, ClassVar, Self

from msgspec import Struct, field

# A translatable text: English, with the pattern and data it was made of.
# The judge and the board make sentences; pages and prints show them in some language. In between they are plain texts.


class Worded(str):
    """An English text with the pattern and the data it was made of.

    Texts among the data are powers, units, places, orders and rules, and others of this kind; no names of people.
    """

    pattern: str
    data: Mapping[str, object]


def wording(pattern: str, /, **data: object) -> Worded:
    """Make a text of a pattern; several values are joined.

    >>> text = wording("disbands: meets {others}", others=("A VEN R TYR", "A MUN R TYR"))
    >>> text, text.pattern
    ('disbands: meets A VEN R TYR, A MUN R TYR', 'disbands: meets {others}')
    """
    made = Worded(_fill_in(pattern, {name: _in_a_row(value) for name, value in data.items()}) if data else pattern)
    made.pattern, made.data = pattern, data
    return made


def ordinal(number: int) -> str:
    """A number as it is counted, in English.

    >>> [ordinal(number) for number in (1, 2, 3, 4, 12, 21, 103)]
    ['1st', '2nd', '3rd', '4th', '12th', '21st', '103rd']
    """
    is_teen = 10 < number % 100 < 14
    return f"{number}{'th' if is_teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def write_count(number: int | Fraction | str, word: str, several: str = "") -> str:
    """Write a number with its word; ``several`` is its plural where that is not made with an s.

    >>> write_count(1, "board"), write_count(2, "board"), write_count(2, "entry", "entries"), write_count("1", "point")
    ('1 board', '2 boards', '2 entries', '1 point')
    """
    return f"{number} {word if str(number) == '1' else several or f'{word}s'}"


ENGLISH = "en"
ONE = {ENGLISH: re.compile("1"), "fr": re.compile(r"-?[01](?:[.,]\d+)?")}  # the numbers with a word in the singular


class _Filler(Formatter):
    """Fills the places of a pattern; behind a number may stand its word in one language, for one and for several."""

    def __init__(self, code: str) -> None:
        self.one = ONE.get(code, ONE[ENGLISH])

    def format_field(self, value: Any, format_spec: str) -> str:
        if "|" not in format_spec or isinstance(value, InARow):
            return str(super().format_field(value, format_spec))
        one, several = format_spec.split("|")
        return f"{value} {one if self.one.fullmatch(str(value)) else several}"


def _fill_in(pattern: str, data: Mapping[str, object], code: str = ENGLISH) -> str:
    """Write the data into the places of a pattern.

    >>> [_fill_in("{n:round|rounds} of {all}", {"n": n, "all": 3}) for n in (0, 1, 2)]
    ['0 rounds of 3', '1 round of 3', '2 rounds of 3']
    >>> [_fill_in("{n:point|points}", {"n": n}, "fr") for n in ("0", "1,5", "2")]
    ['0 point', '1,5 point', '2 points']
    """
    return _Filler(code).vformat(pattern, (), data) if "|" in pattern else pattern.format_map(data)


def _in_a_row(value: object) -> object:
    """Join several values into one text; a single value stays as it is."""
    return ", ".join(map(str, value)) if isinstance(value, tuple) else value


FOLDER = "catalogues"
PLACE = re.compile(r"\b[A-Z]{3}(?:/[A-Z]C)?(?![A-Za-z/])")


def to_say(text: str) -> str:
    """Mark a text that is translated elsewhere, so that it gets into the catalogues."""
    return text


POWERS = (
    to_say("Austria"),
    to_say("England"),
    to_say("France"),
    to_say("Germany"),
    to_say("Italy"),
    to_say("Russia"),
    to_say("Turkey"),
)
NAMES = (*POWERS, to_say("Switzerland"))
HALF = to_say("0.5")  # a number as it is written: its second sign is a point or a comma


class Speech(Struct, frozen=True):
    """One language, with the words for places that are printed in it.

    >>> Speech().says("Board {board}", board="1.2"), Speech("de").says("Board {board}", board="1.2")
    ('Board 1.2', 'Brett 1.2')
    """

    code: str = ENGLISH
    places: Mapping[str, str] = field(default_factory=dict)  # place -> its word; what is not there keeps its code

    def says(self, text: str, /, **data: object) -> str:
        """Say an English text, or pattern, in this language."""
        if self.code == ENGLISH or not text:
            return _fill_in(text, data) if data else text
        if isinstance(text, Worded):
            return self.says(text.pattern, **{name: self.of_the_game(value) for name, value in text.data.items()})
        translated = _catalogue(self.code).gettext(text)
        return (
            _fill_in(translated, {name: self.datum(value) for name, value in data.items()}, self.code)
            if data
            else translated
        )

    def datum(self, value: object) -> object:
        """Translate a value that is a sentence itself; names of people are not translated."""
        return self.says(value) if isinstance(value, Worded) else value

    def of_the_game(self, value: object) -> object:
        """Translate a value in a sentence about the game: a sentence, a power, a unit or an order; or several."""
        if isinstance(value, tuple):
            return _in_a_row(tuple(map(self.of_the_game, value)))
        if isinstance(value, Worded):
            return self.says(value)
        text = str(value)  # of an order or a unit, too
        if text.title() in NAMES:
            return self.power(text).upper() if text.isupper() else self.power(text)
        return self.order(text)

    def power(self, power: str) -> str:
        """Name a power.

        >>> Speech("de").power("AUSTRIA"), Speech().power("AUSTRIA")
        ('Österreich', 'Austria')
        """
        return self.says(power.title())

    def letters(self, power: str) -> str:
        """The two letters of a power on maps and badges; one alone reads as an army (Austria) or a fleet (France).

        >>> Speech("de").letters("GERMANY"), Speech().letters("GERMANY")
        ('De', 'Ge')
        """
        return self.power(power)[:2]

    def order(self, text: str) -> str:
        """Write the places in an order, or in another text that names some, with the words of this language.

        >>> Speech("de", {"VIE": "WIE"}).order("A VIE - BOH")
        'A WIE - BOH'
        """
        return PLACE.sub(lambda match: self.places.get(match[0], match[0]), text) if self.places else text

    def number(self, text: str) -> str:
        """Write a number that has decimals.

        >>> Speech("de").number("12.50"), Speech().number("12.50")
        ('12,50', '12.50')
        """
        return text.replace(HALF[1], self.says(HALF)[1])


IN_ENGLISH = Speech()


@cache
def languages() -> tuple[str, ...]:
    """The languages there are, English first."""
    names = (each.name for each in files(__package__).joinpath(FOLDER).iterdir())
    codes = {name.removesuffix(".mo") for name in names if name.endswith(".mo")}
    return (ENGLISH, *sorted(codes - {ENGLISH}))


@cache
def _catalogue(code: str) -> GNUTranslations:
    """A language's catalogue."""
    with files(__package__).joinpath(FOLDER, f"{code}.mo").open("rb") as file:
        return GNUTranslations(file)


def speech_of(code: str) -> Speech:
    """A language by its code; unknown ones are English."""
    return Speech(code) if code in languages() else IN_ENGLISH


# A code with its data: what is meant, in a form that no rewording changes.

PLAIN = (str, int, float)  # types of values that can stand in a fact


class Choice(StrEnum):
    """A closed list of words for one switch, each with its meaning in a sentence.

    >>> class Twice(Choice):
    ...     HOLD = "hold", "the unit holds"
    ...     ASK = "ask", "the director rules"
    >>> Twice("hold").meaning, Twice.ASK == "ask"
    ('the unit holds', True)
    """

    meaning: str

    def __new__(cls, word: str, meaning: str) -> Self:
        """Make a member of the word in the file and its meaning."""
        member = str.__new__(cls, word)
        member._value_ = word
        member.meaning = meaning
        return member


class SentenceCode(StrEnum):
    """A code with a sentence in the English catalogue; an enum of such codes derives from it."""


class Message:
    """A message: its code and its data.

    Data is what a sentence has places for: plain values, tuples of them, codes, or values with a text of their own,
    such as the judge's reason. What goes into a fact has plain data. It is no struct, because msgspec would not call
    the `as_body` of a struct.
    """

    __slots__ = ("code", "data")
    CODES: ClassVar[type[SentenceCode]] = SentenceCode  # the enum of its codes, in a subclass that is read from facts

    def __init__(self, code: SentenceCode, data: tuple[tuple[str, object], ...] = ()) -> None:
        self.code = code
        self.data = data  # by name, in alphabetical order

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and (self.code, self.data) == (other.code, other.data)

    def __hash__(self) -> int:
        return hash((self.code, self.data))

    def __repr__(self) -> str:
        return f"{type(self).__name__}(code={self.code!r}, data={self.data!r})"

    @classmethod
    def of(cls, code: SentenceCode, /, **data: object) -> Self:
        """Make a message of a code and its data."""
        return cls(code, tuple(sorted(data.items())))

    def __str__(self) -> str:
        return sentence(self)

    def __getitem__(self, name: str) -> object:
        return dict(self.data)[name]

    def parts(self, name: str) -> tuple["Message", ...]:
        """The messages among the values of one of its data."""
        values = self[name]
        return tuple(each for each in values if isinstance(each, Message)) if isinstance(values, tuple) else ()

    @property
    def key(self) -> tuple[object, ...]:
        """A key that no rewording of sentences changes: its code and its plain data."""
        return str(self.code), *(_key_of(value) for _, value in self.data)

    def as_body(self) -> dict[str, Any]:
        """Write the message for a fact; `of_body` reads it back.

        >>> from pipeline.ink import Note, NoteMessage
        >>> NoteMessage.of(Note.OUT_OF_RANGE, least=0, most=34).as_body()
        {'code': 'OUT_OF_RANGE', 'least': 0, 'most': 34}
        """
        return {"code": str(self.code)} | {k: list(v) if isinstance(v, tuple) else v for k, v in self.data}

    @classmethod
    def of_body(cls, body: Mapping[str, Any]) -> Self:
        """Read a message back from what `as_body` wrote."""
        data = {k: tuple(v) if isinstance(v, list) else v for k, v in body.items() if k != "code"}
        return cls.of(cls.CODES(body["code"]), **data)


def _key_of(value: object) -> object:
    """The part of a key for one value; nothing for values with sentences of their own, which may be reworded."""
    if isinstance(value, Message):
        return value.key
    if isinstance(value, tuple):
        return tuple(map(_key_of, value))
    return value if isinstance(value, PLAIN) else None


class InARow(tuple[object, ...]):
    """Several values in a row.

    A sentence may say what stands before and after them, what stands there if there are none, and what is between.

    >>> f"Ber{InARow(['BER', 'BUR']): (|)}, Bur{InARow(): (|)}, {InARow():||nobody}, {InARow('ab'):||| or }"
    'Ber (BER, BUR), Bur, nobody, a or b'
    """

    def __format__(self, spec: str) -> str:
        before, after, otherwise, between = (*spec.split("|"), "", "", "", "")[:4]
        return f"{before}{(between or ', ').join(map(str, self))}{after}" if self else otherwise


def sentence(message: SentenceCode | Message) -> str:
    """Say a code, or a code with its data.

    >>> from pipeline.ink import Note, NoteMessage
    >>> sentence(Note.STRUCK_OUT), sentence(NoteMessage.of(Note.OUT_OF_RANGE, least=0, most=34))
    ('struck out', 'expected 0 to 34')
    """
    code = message.code if isinstance(message, Message) else message
    data = {name: _say_value(value) for name, value in message.data} if isinstance(message, Message) else {}
    return _fill_in(_pattern(code), data)


def _pattern(code: SentenceCode) -> str:
    """The sentence for a code, with places for its data."""
    return _catalogue(ENGLISH).pgettext(type(code).__name__, code)


def sentences(messages: Iterable[SentenceCode | Message]) -> str:
    """Say several codes or messages in one line, each once.

    >>> from pipeline.ink import Note
    >>> sentences([Note.STRUCK_OUT, Note.STRUCK_OUT])
    'struck out'
    """
    return "; ".join(dict.fromkeys(map(sentence, messages)))


def _say_value(value: object) -> object:
    """The text of a value in a sentence: a code becomes its sentence, several values are joined, others stay."""
    if isinstance(value, SentenceCode | Message):
        return sentence(value)
    return InARow(map(_say_value, value)) if isinstance(value, tuple) else value
