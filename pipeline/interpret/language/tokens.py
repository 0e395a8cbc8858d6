"""Cut a written line into words and marks. Every dash and arrow is one mark; brackets and full stops are air."""

import re
import unicodedata
from collections.abc import Callable, Collection
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple


class Mark(StrEnum):
    """What a piece of a line is, before anybody asks what it means."""

    WORD = "word"  # letters and digits, and '?' where a letter cannot be read
    DASH = "dash"  # - – — → -> => >
    PLUS = "plus"
    SLASH = "slash"
    DITTO = "ditto"  # " ″ 〃 '' do. id.: the same as above
    BREAK = "break"  # ; , & between orders
    OTHER = "other"  # any other sign


class Token(NamedTuple):
    """One word or mark of a line."""

    mark: Mark
    text: str  # as written
    folded: str  # lower case, without accents; empty for marks
    start: int  # where it stands in the line
    end: int
    tight: bool  # no space before it
    bracketed: bool  # written inside brackets


PIECES = re.compile(
    r"""(?P<open>[(\[{])|(?P<close>[)\]}])
    |(?P<dash>(?:[-–—−‐‑=~]+>+|>+|[-–—−‐‑=~]+|[→➔➜⇒⟶➡⟹►▶⇨])(?:[ ]?[>→])?)
    |(?P<ditto>["″〃“”„]|''|’’|´´)
    |(?P<word>[©®]|(?:[^\W_]|\?|…|_)+(?:['’](?=[^\W\d_])[^\W\d_]+)?)
    |(?P<plus>\+)|(?P<slash>[/\\|])|(?P<break>[;,&\n])
    |(?P<air>[\s.:!·•*']+)|(?P<other>.)""",
    re.VERBOSE,
)
# 1. 1) (1) [1] #1 No. 1, (b) and ii) before a word, bullets; "A)" and "b." only before the letter of a unit
NUMBERING = re.compile(
    r"""\s*(?:(?:[#№]|n[or]\.?)?\s*(?:[(\[]\s*\d{1,2}\s*[)\]]\s*|\d{1,2}\s*(?:[.):°º]\s*|/\s+)|\d{1,2}\s+(?=\S))
    |[(\[]?(?:[b-eg-z]|[ivx]{2,4}|[af](?=[)\]]\s*[af]\b))[)\]]\s+(?=\S)|(?:[a-z]|[ivx]{2,4})\.\s*(?=[af]\b)
    )?(?:[•·*]\s*)?""",
    re.VERBOSE | re.IGNORECASE,
)
AUTOCORRECTED = {"©": "c", "®": "r"}  # what office programs make of (c) and (r)
UNREAD = re.compile(r"(?<=[^\W_])(?:\.{2,}|\*+)")  # "P.. - Bre": letters that cannot be read
MARKS = {
    "word": Mark.WORD,
    "dash": Mark.DASH,
    "plus": Mark.PLUS,
    "slash": Mark.SLASH,
    "ditto": Mark.DITTO,
    "break": Mark.BREAK,
    "other": Mark.OTHER,
}
# A capital behind small letters is a sign (ATriH) where it is no letter of the place (FemeD, by who mixes them)
GLUED = (
    re.compile(r"(?P<letter>[AaFf])?(?P<place>[^\W\d_]{3,})"),
    re.compile(r"(?P<letter>[AaFf])?(?P<place>[^\W\d_]{3,}?)(?P<sign>xxx|(?<=[a-z])[HDBSC])"),
)
UNITS = ("a", "f")
HELPS = ("s", "c")  # the signs before another unit
MOST_NAME_WORDS = 4  # "Gulf of St Lawrence" on a variant's map
FROM_OR_ROME = "from"  # before a dash it is the fleet in Rome
DITTO_WORDS = frozenset({"do", "ditto", "idem"})


@lru_cache(maxsize=65536)
def fold(text: str) -> str:
    """Take case, accents and everything that is not a letter, a digit or an illegible '?' out of a word.

    >>> fold("Suè"), fold("St. Petersburg"), fold("P??")
    ('sue', 'stpetersburg', 'p??')
    """
    if text.isascii() and text.isalnum():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.replace("ß", "ss").replace("…", "??")).lower().replace("_", "?")
    return "".join(letter for letter in plain if letter.isalnum() or letter == "?")


def cut(line: str) -> tuple[Token, ...]:
    """Cut a line into tokens; a printed row number in front is left out.

    >>> [t.text for t in cut("2. F(GOB) S F(Nwy) → StPNc")]
    ['F', 'GOB', 'S', 'F', 'Nwy', '→', 'StPNc']
    >>> [str(t.mark) for t in cut('A Mar ″, F Bre–Mao')]
    ['word', 'word', 'ditto', 'break', 'word', 'word', 'dash', 'word']
    """
    found: list[Token] = []
    depth = 0
    start = NUMBERING.match(line)
    previous_end = start.end() if start else 0
    if ".." in line or "*" in line:
        line = UNREAD.sub(lambda dots: "?" * len(dots.group()), line)
    for piece in PIECES.finditer(line, previous_end):
        kind = piece.lastgroup
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth = max(0, depth - 1)
        elif kind != "air" and kind is not None:
            found.append(token(piece, kind, piece.start() == previous_end, depth > 0))
        if kind != "air":
            previous_end = piece.end()
    for at, (each, after) in enumerate(pairwise(found)):
        if each.folded == "do" and after.folded == "not":
            found[at] = with_mark(each, Mark.WORD)  # "do not move": nothing is repeated
    return tuple(found)


def with_mark(token: Token, mark: Mark) -> Token:
    """Take a token for another kind of piece."""
    return Token(mark, *token[1:])


def join_signs(tokens: tuple[Token, ...], long_signs: Collection[tuple[str, ...]]) -> tuple[Token, ...]:
    """Make one word of a sign of two or three words: "no build", "va à".

    >>> [t.text for t in join_signs(cut("Paris va à Brest"), {("va", "a")})]
    ['Paris', 'va à', 'Brest']
    """
    joined: list[Token] = []
    at = 0
    while at < len(tokens):
        length = next((n for n in (3, 2) if tuple(each.folded for each in tokens[at : at + n]) in long_signs), 1)
        first, last = tokens[at], tokens[min(at + length, len(tokens)) - 1]
        if length > 1:
            parts = tokens[at : at + length]
            text, folded = " ".join(each.text for each in parts), "".join(each.folded for each in parts)
            joined.append(Token(Mark.WORD, text, folded, first.start, last.end, first.tight, first.bracketed))
        else:
            joined.append(first)
        at += length
    return tuple(joined)


def unglue(
    tokens: tuple[Token, ...], is_known: Callable[[str], bool], is_place: Callable[[str], bool]
) -> tuple[Token, ...]:
    """Part the letter and the sign from a place they were written to without a space: "ATriH", "Trixxx" (WDC08 12.2).

    So is the sign of a support or a convoy, where its unit follows: "A Ser SA Bul", "A SerS A Bul".
    ``is_known`` says of a folded word that it means something as it stands, ``is_place`` that it is a listed place.

    >>> [t.text for t in unglue(cut("ATriH"), lambda word: False, lambda word: word == "tri")]
    ['A', 'Tri', 'H']
    >>> [t.text for t in unglue(cut("FSt Petersburg"), lambda word: False, lambda word: word == "stpetersburg")]
    ['F', 'St', 'Petersburg']
    >>> [t.text for t in unglue(cut("FemeD-ION"), lambda word: word == "ion", {"eme", "emed"}.__contains__)]
    ['F', 'emeD', '-', 'ION']
    """
    glued = (each for each in tokens if each.mark is Mark.WORD and len(each.folded) > 1)
    if all(is_known(each.folded) and each.folded != FROM_OR_ROME for each in glued):
        return tokens
    found: list[Token] = []
    for at, each in enumerate(tokens):
        if each.folded == FROM_OR_ROME and at + 1 < len(tokens) and tokens[at + 1].mark is Mark.DASH:
            found += apart(each, 1)
            continue
        begins = begins_name(tokens, at, is_known, is_place) or begins_unit(tokens, at, is_known, is_place)
        helps = goes_on_to_a_unit(tokens, at, is_place)
        found += apart(each, 1) if begins else parts_of(each, is_known, is_place, helps=helps)
    return tuple(found)


def begins_name(
    tokens: tuple[Token, ...], at: int, is_known: Callable[[str], bool], is_place: Callable[[str], bool]
) -> bool:
    """Say whether a word is a unit's letter and the first of a listed name's words: "FEnglish Channel", "APays-Bas"."""
    whole, name = tokens[at], tokens[at].folded[1:]
    if whole.mark is not Mark.WORD or whole.folded[:1] not in UNITS or len(name) < 2 or is_known(whole.folded):
        return False
    return goes_on_to_a_name(tokens, at, name, is_place)


def begins_unit(
    tokens: tuple[Token, ...], at: int, is_known: Callable[[str], bool], is_place: Callable[[str], bool]
) -> bool:
    """Say whether a word is the letter of a help and of the helped unit, before a place: "SA Bul", "CF North Sea"."""
    word = tokens[at].folded
    if len(word) != 2 or word[0] not in HELPS or word[1] not in UNITS or is_known(word):
        return False
    return tokens[at].mark is Mark.WORD and goes_on_to_a_name(tokens, at, "", is_place)


def goes_on_to_a_unit(tokens: tuple[Token, ...], at: int, is_place: Callable[[str], bool]) -> bool:
    """Say whether a unit's letter stands behind a token, or a listed name."""
    return any(one.folded in UNITS for one in tokens[at + 1 : at + 2]) or goes_on_to_a_name(tokens, at, "", is_place)


def goes_on_to_a_name(tokens: tuple[Token, ...], at: int, name: str, is_place: Callable[[str], bool]) -> bool:
    """Say whether what has begun is a listed name with some of the words behind a token."""
    for following in tokens[at + 1 : at + MOST_NAME_WORDS + 1]:
        if name and following.mark is Mark.DASH and following.tight and not is_place(name):
            continue
        if following.mark is not Mark.WORD:
            return False
        name += following.folded
        if is_place(name):
            return True
    return False


def apart(whole: Token, letters: int) -> list[Token]:
    """Cut a word in two."""
    first, rest = whole.text[:letters], whole.text[letters:]
    middle = whole.start + letters
    return [
        Token(Mark.WORD, first, fold(first), whole.start, middle, whole.tight, whole.bracketed),
        Token(Mark.WORD, rest, fold(rest), middle, whole.end, True, whole.bracketed),
    ]


def parts_of(
    whole: Token, is_known: Callable[[str], bool], is_place: Callable[[str], bool], *, helps: bool
) -> list[Token]:
    """Part one word, if it is a listed place with something at its ends and nothing by itself.

    ``helps``: a unit follows that it may help; else an S behind a place is no sign ("F Mao - SpaS").
    """
    if whole.mark is not Mark.WORD or is_known(whole.folded):
        return [whole]
    ways = (way for pattern in GLUED if (way := pattern.fullmatch(whole.text)) and is_place(fold(way["place"])))
    found = next(ways, None)
    if found is None or (not helps and fold(found.groupdict().get("sign", "")) in HELPS):
        return [whole]
    return [
        Token(
            Mark.WORD,
            text,
            fold(text),
            whole.start + found.start(name),
            whole.start + found.end(name),
            name != "letter",
            False,
        )
        for name, text in found.groupdict().items()
        if text
    ]


def token(piece: re.Match[str], kind: str, tight: bool, bracketed: bool) -> Token:
    """Make one token of one match."""
    text = piece.group()
    folded = AUTOCORRECTED.get(text) or (fold(text) if kind == "word" else "")
    mark = Mark.DITTO if folded in DITTO_WORDS else MARKS[kind]
    return Token(mark, text, folded, piece.start(), piece.end(), tight, bracketed or text in AUTOCORRECTED)
