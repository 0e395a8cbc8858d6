"""A code with its data: what is meant, in a form that no rewording changes."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

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
