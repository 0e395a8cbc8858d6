"""Whether a text is a spelling of a line of the vocabulary."""

import re

from pipeline.reading.rows.recogniser import VocabularyLine

ARROWS = re.compile(r"[-–—→>=~]+")  # what people draw between two places
MEANINGLESS = re.compile(r"[^a-z0-9()/-]")


def folded(text: str) -> str:
    """Reduce a text to what counts: no case, no spaces, every arrow a hyphen.

    >>> folded("A Vie -> Boh."), folded("F STP (NC) – Nwy")
    ('avie-boh', 'fstp(nc)-nwy')
    """
    return MEANINGLESS.sub("", ARROWS.sub("-", text.lower()))


def is_spelling(text: str, line: VocabularyLine) -> bool:
    """Say whether a folded text is one of a line's spellings.

    >>> line = VocabularyLine((("A", "Army", ""), ("Vie", "Vienna"), ("-", "to"), ("Boh",)))
    >>> is_spelling("vienna-boh", line), is_spelling("vie-bo", line)
    (True, False)
    """
    places = {0}
    for slot in line.slots:
        places = {place + len(word) for word in spellings(slot) for place in places if text.startswith(word, place)}
        if not places:
            return False
    return len(text) in places


def in_words(text: str, line: VocabularyLine) -> str | None:
    """Part a folded text into the words of a line, as its slots have them; None where it is none of its spellings.

    >>> line = VocabularyLine((("A", "Army", ""), ("Vie", "Vienna"), ("-", "to"), ("Boh",)))
    >>> in_words("vienna-boh", line), in_words("vie-bo", line)
    ('Vienna - Boh', None)
    """
    if not line.slots:
        return "" if not text else None
    rest = VocabularyLine(line.slots[1:])
    for word in line.slots[0]:
        if text.startswith(folded(word)):
            after = in_words(text[len(folded(word)) :], rest)
            if after is not None:
                return f"{word} {after}".strip()
    return None


def spellings(slot: tuple[str, ...]) -> tuple[str, ...]:
    """The folded ways to write one part of a line."""
    return tuple(dict.fromkeys(folded(word) for word in slot))
