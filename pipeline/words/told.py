"""A code with its data: what is meant, in a form that no rewording changes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

from pipeline.words.english import SENTENCES

PLAIN = (str, int, float)  # what can stand in a fact


@dataclass(frozen=True, slots=True)
class Told:
    """What is to be told: which of its kind, and of what.

    Data is what a sentence has places for: plain values, tuples of them, codes, or values that say themselves, such as
    the judge's reason. What goes into a fact has plain data.
    """

    code: StrEnum
    data: tuple[tuple[str, object], ...] = ()  # by name, in alphabetical order

    @classmethod
    def of(cls, code: StrEnum, /, **data: object) -> Self:
        """Make it of its code and its data."""
        return cls(code, tuple(sorted(data.items())))

    def __str__(self) -> str:
        return sentence(self)

    def __getitem__(self, name: str) -> object:
        return dict(self.data)[name]

    def parts(self, name: str) -> tuple["Told", ...]:
        """What it is made of, where it is told together with others."""
        found = self[name]
        return tuple(each for each in found if isinstance(each, Told)) if isinstance(found, tuple) else ()

    @property
    def key(self) -> tuple[object, ...]:
        """What it is told apart by, in every process and whatever the sentences are: its code and plain data."""
        return str(self.code), *(key_of(value) for _, value in self.data)

    def as_body(self) -> dict[str, Any]:
        """Write it for a fact, `of_body` reads it back.

        >>> from pipeline.ink import Note
        >>> Told.of(Note.OUT_OF_RANGE, least=0, most=34).as_body()
        {'code': 'OUT_OF_RANGE', 'least': 0, 'most': 34}
        """
        return {"code": str(self.code)} | {k: list(v) if isinstance(v, tuple) else v for k, v in self.data}

    @classmethod
    def of_body(cls, kind: type[StrEnum], body: Mapping[str, Any]) -> Self:
        """Read it back; ``kind`` is the enum of its code."""
        data = {k: tuple(v) if isinstance(v, list) else v for k, v in body.items() if k != "code"}
        return cls.of(kind(body["code"]), **data)


def key_of(value: object) -> object:
    """What a value is told apart by; nothing for one that says itself, which may be worded anew."""
    if isinstance(value, Told):
        return value.key
    if isinstance(value, tuple):
        return tuple(map(key_of, value))
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


def sentence(found: StrEnum | Told) -> str:
    """Say a code, or a code with its data.

    >>> from pipeline.ink import Note
    >>> sentence(Note.STRUCK_OUT), sentence(Told.of(Note.OUT_OF_RANGE, least=0, most=34))
    ('struck out', 'expected 0 to 34')
    """
    code = found.code if isinstance(found, Told) else found
    data = {name: said(value) for name, value in found.data} if isinstance(found, Told) else {}
    return SENTENCES[type(code).__name__][str(code)].format(**data)


def sentences(found: Iterable[StrEnum | Told]) -> str:
    """Say several codes in one line."""
    return "; ".join(map(sentence, found))


def said(value: object) -> object:
    """What stands for a value in a sentence: a code is said, several values stand in a row, all else is itself."""
    if isinstance(value, Told) or (isinstance(value, StrEnum) and type(value).__name__ in SENTENCES):
        return sentence(value)
    return InARow(map(said, value)) if isinstance(value, tuple) else value
