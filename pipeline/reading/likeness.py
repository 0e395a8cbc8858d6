"""Whether a text is a spelling of a line of the vocabulary, or only nearly one."""

import re
from collections.abc import Iterable

from rapidfuzz.distance import Levenshtein

from pipeline.reading.recogniser import Line

ARROWS = re.compile(r"[-–—→>=~]+")  # what people draw between two places
MEANINGLESS = re.compile(r"[^a-z0-9()/-]")


def folded(text: str) -> str:
    """Reduce a text to what counts: no case, no spaces, every arrow a hyphen.

    >>> folded("A Vie -> Boh."), folded("F STP (NC) – Nwy")
    ('avie-boh', 'fstp(nc)-nwy')
    """
    return MEANINGLESS.sub("", ARROWS.sub("-", text.lower()))


def is_spelling(text: str, line: Line) -> bool:
    """Say whether a folded text is one of a line's spellings.

    >>> line = Line((("A", "Army", ""), ("Vie", "Vienna"), ("-", "to"), ("Boh",)))
    >>> is_spelling("vienna-boh", line), is_spelling("vie-bo", line)
    (True, False)
    """
    places = {0}
    for slot in line.slots:
        places = {place + len(word) for word in spellings(slot) for place in places if text.startswith(word, place)}
        if not places:
            return False
    return len(text) in places


def in_words(text: str, line: Line) -> str | None:
    """Part a folded text into the words of a line, as its slots have them; None where it is none of its spellings.

    >>> line = Line((("A", "Army", ""), ("Vie", "Vienna"), ("-", "to"), ("Boh",)))
    >>> in_words("vienna-boh", line), in_words("vie-bo", line)
    ('Vienna - Boh', None)
    """
    if not line.slots:
        return "" if not text else None
    rest = Line(line.slots[1:])
    for word in line.slots[0]:
        if text.startswith(folded(word)):
            after = in_words(text[len(folded(word)) :], rest)
            if after is not None:
                return f"{word} {after}".strip()
    return None


def is_nearly(text: str, line: Line) -> bool:
    """Say whether a folded text is at most one letter away from one of a line's spellings.

    >>> line = Line((("A", "Army", ""), ("Vie", "Vienna"), ("-", "to"), ("Boh",)))
    >>> is_nearly("avie-bot", line), is_nearly("avie-b", line)
    (True, False)
    """
    return is_spelling(text, line) or is_one_slip_away(text, line)


def is_one_slip_away(text: str, line: Line) -> bool:
    """Say whether a folded text is just one letter away from a spelling of a line; it may be another one itself.

    >>> line = Line((("A", ""), ("Ber", "Bur"), ("H",)))
    >>> is_one_slip_away("aberh", line), is_one_slip_away("aberh", Line((("A",), ("Ber",), ("H",))))
    (True, False)
    """
    right, slipped = {0}, set[int]()  # places reached with no slip, and with one
    for slot in line.slots:
        words = spellings(slot)
        now = {place + len(word) for word in words for place in right if text.startswith(word, place)}
        late = {place + len(word) for word in words for place in slipped if text.startswith(word, place)}
        late.update(end for word in words for place in right for end in slips(text, word, place))
        right, slipped = now, late
        if not right and not slipped:
            return False
    return len(text) in slipped


def slips(text: str, word: str, place: int) -> Iterable[int]:
    """Where a word may end if it was written with one letter wrong, missing or too many."""
    for length in (len(word) - 1, len(word), len(word) + 1):
        end = place + length
        if length >= 0 and end <= len(text) and Levenshtein.distance(text[place:end], word, score_cutoff=1) == 1:
            yield end


def spellings(slot: tuple[str, ...]) -> tuple[str, ...]:
    """The folded ways to write one part of a line."""
    return tuple(dict.fromkeys(folded(word) for word in slot))
