"""The texts of a template, and the template with its texts in another language.

A template that was printed is kept with its print, so it keeps its language, too: it stands in its first table.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import tomlkit

from pipeline.words.speech import ENGLISH, Speech

CODES = frozenset({"alphabet", "choices", "each", "kind", "name", "per", "language"})  # keys of what is nobody's words
TICKED = "[x] "  # before a word of an example: its box is ticked
NOTATION = re.compile(r"[^a-z]*")  # orders and places: they are written with the words of the table


def texts_in(values: Mapping[str, Any]) -> Iterator[str]:
    """Every text of a template that is said in another language.

    >>> list(texts_in({"words": {"alphabet": "ABC", "player": "Player", "example": ["A VIE", "[x] Hold"]}}))
    ['Player', 'Hold']
    """
    for key, value in values.items():
        if key not in CODES:
            yield from texts_of(value)


def texts_of(value: Any) -> Iterator[str]:
    """The texts of one value."""
    if isinstance(value, Mapping):
        yield from texts_in(value)
    elif isinstance(value, list):
        for each in value:
            yield from texts_of(each)
    elif isinstance(value, str) and not NOTATION.fullmatch(bare := value.removeprefix(TICKED)):
        yield bare


def template_in(text: str, speech: Speech) -> str:
    """Put a template into another language; in English it stays as it is."""
    if speech.code == ENGLISH:
        return text
    file = tomlkit.parse(text)
    put_into(file, speech)
    first: Any = next(value for value in file.values() if isinstance(value, Mapping))
    first["language"] = speech.code
    return file.as_string()


def put_into(values: Any, speech: Speech) -> None:
    """Put the texts of a table, or of a list, into another language."""
    for key, value in list(values.items() if isinstance(values, Mapping) else enumerate(values)):
        if key in CODES:
            continue
        if isinstance(value, Mapping | list):
            put_into(value, speech)
        elif isinstance(value, str):
            ticked = TICKED if value.startswith(TICKED) else ""
            values[key] = ticked + speech.order(speech.says(str(value).removeprefix(TICKED)))
