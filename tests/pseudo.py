"""A language of tests: every text that is translated is written in wide letters, so that what is not shows itself."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from gettext import NullTranslations
from string import Formatter, ascii_letters
from unittest.mock import patch

from languages.catalogues import texts
from pipeline.words import speech
from pipeline.words.speech import HALF, Speech

WIDE = str.maketrans({letter: chr(ord(letter) + 0xFEE0) for letter in ascii_letters})
PSEUDO = Speech("pseudo")
NARROW = re.compile(r"[A-Za-z]{2,}")


class _Wide(NullTranslations):
    """The catalogue: what is in the others is there, wide."""

    def gettext(self, message: str) -> str:
        if message not in texts() or message == HALF:
            return message
        return "".join(_widen(*part) for part in Formatter().parse(message))


def _widen(words: str, name: str | None, form: str | None, _conversion: str | None) -> str:
    """Write the words wide; the name of a place for data stays."""
    words = words.translate(WIDE)
    return words if name is None else f"{words}{{{name}{':' + form.translate(WIDE) if form else ''}}}"


@contextmanager
def spoken(instead_of: str = PSEUDO.code) -> Iterator[Speech]:
    """While the language is spoken; in the place of another one, for an event whose rules must name a language."""
    real = speech._catalogue
    with patch.object(speech, "_catalogue", lambda code: _Wide() if code == instead_of else real(code)):
        yield Speech(instead_of)


def narrow_words(text: str) -> list[str]:
    """The words of a text that no catalogue has."""
    return NARROW.findall(text)
