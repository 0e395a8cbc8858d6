"""Every sentence for a code stands here, and nowhere else: where a code is shown to somebody, it is said.

What is decided, compared or written down is a code with its data (`Told`); no other room may look into a sentence. A
language is swapped by swapping `SENTENCES`.
"""

from collections.abc import Iterable
from enum import StrEnum

from pipeline.words.english import SENTENCES
from pipeline.words.told import Told

__all__ = ["SENTENCES", "Told", "sentence", "sentences"]


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


DOOR = ("speech", "told", "wording")
