"""Marks before and behind a row that may change it: a letter that is a sign, a stroke, a comment's beginning."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from pipeline.interpret import order_words
from pipeline.interpret.doubts import Doubt, LineDoubt
from pipeline.interpret.verdict import Entry, Line, Status

LETTER = re.compile(r"\W*(?P<letter>[a-z])\s*(?P<mark>[)\]}.:])\s*(?=\w)", re.IGNORECASE)
SIGN_LETTERS = frozenset("schdrbxynw")  # and which may be a letter of a list
SHAPES_OF = {  # the sign of the order that stands behind it: "D: A Mun"
    "h": order_words.Holds,
    "d": order_words.Disbands,
    "b": order_words.Builds,
    "w": order_words.Waives,
}
LABEL = re.compile(r"(?:^|\s{2,}|\t|\n|\s)[(\[]?(?P<label>\d{1,2}|[a-z])[.):\]]+\s*(?=\S)", re.IGNORECASE)


def labels_of(line: Line) -> set[str]:
    """The letters and numbers of a list that stand on a row: "a)", and "3." in a second column."""
    return {match["label"].lower() for match in LABEL.finditer(line.shown)}


def marked_rows(lines: Sequence[Line], rows: Mapping[int, Sequence[Entry]]) -> Iterator[tuple[int, LineDoubt]]:
    """The rows that begin with a letter which may be a sign, or with a comment's mark, or end in a stroke.

    Each with the doubt that follows: of its own mark, or of the row that a stroke ties to it.
    """
    starts = [LETTER.match(line.shown) for line in lines]
    letters = [match["letter"].lower() if match else "" for match in starts]
    heads = [COMMENT.match(line.shown) for line in lines]
    is_bullet = all(heads) and len(heads) > 1
    for at, line in enumerate(lines):
        before, after = ([*letters, ""][at - 1] if at else ""), [*letters, ""][at + 1]
        is_sign = _may_be_sign(letters[at], before, after, rows[line.number])
        for mark in (starts[at] if is_sign else None, None if is_bullet else heads[at]):
            if mark:
                yield line.number, LineDoubt.of(Doubt.EXTRA_WORDS, text=mark[0].strip())
    for above, below in pairwise(lines):
        if BRACED.search(above.shown):
            both = (*rows[above.number], *rows[below.number])
            if any(each.status is not Status.CLEAR for each in both):
                yield above.number, LineDoubt.of(Doubt.UNDER_HEADING, text=below.shown)
                yield below.number, LineDoubt.of(Doubt.UNDER_HEADING, text=above.shown)


CLOSED_BY = {
    **{"/*": "*/", "(": ")", "[": "]", "{": "}", "<": ">", "«": "»", "„": "“", "“": "”", "‘": "’"},
    **{sign: sign for sign in "\"'`~_"},
}


def enclosed_rows(lines: Sequence[Line], rows: Mapping[int, Sequence[Entry]]) -> Iterator[tuple[int, LineDoubt]]:
    """The rows between one that begins with a bracket or a quotation mark and the one that ends with its other.

    Nobody knows why they are enclosed; where an order stands beside the mark all the same, the mark encloses nothing.
    """
    texts = [line.shown.strip() for line in lines]
    is_open = [all(each.status is not Status.CLEAR for each in rows[line.number]) for line in lines]
    for at, line in enumerate(lines):
        closes = next((closing for opening, closing in CLOSED_BY.items() if texts[at].startswith(opening)), "")
        if not closes or not is_open[at] or (closes != texts[at] and texts[at].endswith(closes)):
            continue
        last = next((end for end in range(at + 1, len(lines)) if texts[end].endswith(closes) and is_open[end]), at)
        yield from ((each.number, LineDoubt.of(Doubt.UNDER_HEADING, text=line.shown)) for each in lines[at + 1 : last])


COMMENT = re.compile(r"\s*(?:;|'(?![^']*')|--+\s)\s*(?=\w)")
BRACED = re.compile(r"\s[|\\/]\s*$")


def _may_be_sign(letter: str, before: str, after: str, entries: Sequence[Entry]) -> bool:
    """Say whether a letter before an order may be a sign for it: no row beside it has the letter before or after."""
    if letter not in SIGN_LETTERS or not entries:
        return False
    if (before and ord(before) + 1 == ord(letter)) or (after and ord(letter) + 1 == ord(after)):
        return False
    own = SHAPES_OF.get(letter)
    return own is None or not all(isinstance(each.shape, own) for each in entries)


def repeats_label(line: Line, other: Line, *, is_strange: bool) -> bool:
    """Say whether a row calls another one by its letter or number: "a) Ber" below "a) A Kie - Den"."""
    if line is other:
        return False
    said = labels_of(line)
    if is_strange:
        said |= set(re.findall(r"\d+", line.shown))
    elif line.also:
        said -= {next((match["label"].lower() for match in LABEL.finditer(line.shown)), "")}
    elif any(map(str.isalpha, LABEL.sub("", line.shown))):
        return False
    return not said.isdisjoint(labels_of(other))
