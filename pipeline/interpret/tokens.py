"""Cut a written line into words and marks.

Dashes and arrows to the right are one kind of mark, an arrow to the left is the word "from"; brackets and full stops
are ignored.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise, zip_longest
from typing import NamedTuple, Protocol, TypeVar

from pipeline.board import Kind, Power, Season, Step
from pipeline.interpret.doubts import Sense


class Mark(StrEnum):
    """What a piece of a line is, before anybody asks what it means."""

    WORD = "word"  # letters and digits, and '?' where a letter cannot be read
    DASH = "dash"  # - – — → -> => >
    PLUS = "plus"
    SLASH = "slash"
    DITTO = "ditto"  # " ″ 〃 '' do. idem: the same as above
    BREAK = "break"  # ; , & between orders
    OTHER = "other"  # any other sign


class Token(NamedTuple):
    """One word or mark of a line."""

    mark: Mark
    text: str  # as written
    folded: str  # lower case, without accents; empty for signs
    start: int  # where it stands in the line
    end: int
    tight: bool  # no space before it
    bracketed: bool  # written inside brackets


PIECES = re.compile(
    r"""(?P<break>[;,&\n]|(?<=\s)//(?=\s)|(?<=\s)[(\[]?\d{1,2}[.)\]]\s*(?=[AaFf][\s.][^\W\d_]))|(?P<empty>[(\[{]\s*[)\]}])|(?P<open>[(\[{])|(?P<close>[)\]}])
    |(?P<back><[-–—―−‐‑=~]*|←)
    |(?P<dash>(?:[-–—―−‐‑‒﹘⁃=~]+>+|>+|[-–—―−‐‑‒﹘⁃=~]+|[→➔➜⇒⟶➡⟹►▶⇨↦])(?:[ ]?[>→])?)
    |(?P<ditto>["″〃“”„]|''|’’|´´)
    |(?P<word>[©®]|[Xx](?:[ ][Xx]){2}(?!\w)
    |(?:[Pp]\.[ ]?[Ss]|[Nn]\.[ ]?[Bb])\.(?=\s|$)|[Aa]ustr(?:ia|o)-[Hh]ungar(?:y|ian)\b
    |(?<!\.)(?:[^\W\d_]\.){2}[^\W\d_](?!\w)|(?:(?![⁰¹²³⁴-⁹])[^\W_]|\?|…|_|(?<=\w)[\u00ad\u200b-\u200d\u2060](?=\w))+(?:['’](?=[^\W\d_])[^\W\d_]+)?)
    |(?P<plus>\+)|(?P<slash>[/\\|])
    |(?P<air>(?:[\s.:·•*']|!(?![-–—−=~>→]))+)|(?P<other>.)""",
    re.VERBOSE,
)
# 1. 1) (1) [1] #1 No. 1, (b) and ii) before a word, bullets; "A)" and "b." only before the letter of a unit
NUMBERING = re.compile(
    r"""\s*(?:(?:n°\s*)?(?:[{\[(]?\d{1,2}[a-d]?\s*[\]}):;,>|]+|(?:one|two|three|four|five|six|seven|eight|nine|ten)\s*[:.)])\s*(?=[af][\s(.])
    |(?:n°\s*\d{1,2}|\d/\d{1,2})\s+(?=[af]\b)|(?:[#№]|n[or]\.?|order)?\s*(?:[(\[]\s*\d{1,2}(?:/\d{1,2})?\s*[)\]]\s*|\d{1,2}(?:st|nd|rd|th)?\s*(?:(?:\.\)|[.):°º])\s*|/\s+)|\d{1,2}\s+(?=\S))
    |[(\[]?(?:[b-eg-z]|[ivx]{2,4}|[af](?=[)\]]\s*[af]\b))[)\]]\s+(?=\S)|(?:[a-z]|[ivx]{2,4})\.\s*(?=[af]\b)
    )?(?:[•·*]\s*)?""",
    re.VERBOSE | re.IGNORECASE,
)
LABEL = re.compile(r"\W*(?:[a-z]|[ivx]{2,4})\s*[)\].:]", re.IGNORECASE)  # "a) cancelled" may be about the first row
WORDS = re.compile(r"[^\W\d_]+")
AUTOCORRECTED = {"©": "c", "®": "r"}  # what office programs make of (c) and (r)
UNREAD = re.compile(  # "P.. - Bre", "...l", "...": letters that cannot be read
    r"(?<=[^\W_])(?:\.{2,}|\*+)|\.{2,}(?=[^\W_])|(?<!\S)(?:\.{3,}|\*{3,})(?!\S)"
)
MARKS = {
    "word": Mark.WORD,
    "back": Mark.WORD,  # "Gal <- A Vie": Galicia from Vienna
    "dash": Mark.DASH,
    "plus": Mark.PLUS,
    "slash": Mark.SLASH,
    "ditto": Mark.DITTO,
    "break": Mark.BREAK,
    "empty": Mark.OTHER,  # a box without a tick
    "other": Mark.OTHER,
}
# A capital behind small letters is a sign (ATriH), unless it is a letter of the place in mixed case (FemeD)
GLUED = (
    re.compile(r"(?P<letter>[AaFf])?(?P<place>[^\W\d_]{3,})"),
    re.compile(r"(?P<letter>[AaFf])?(?P<place>[^\W\d_]{3,}?)(?P<sign>xxx|(?<=[a-z])[HDBSC])"),
)
CROSSES = "xxx"  # a hold behind a unit, in some tournaments; they may cross out anything else
STRUCK = "~~"  # around what is crossed out
UNITS = ("a", "f")
HELPS = ("s", "c")  # the signs before another unit
SHORTEST_WHOLE = 3  # letters before a question mark; of fewer the rest may not be read: "R??"
MOST_NAME_WORDS = 4  # "Gulf of St Lawrence" on a variant's map
FROM_OR_ROME = "from"  # if no place follows, it is "F Rom", the fleet in Rome
DITTO_WORDS = frozenset({"do", "ditto", "dito", "dto", "idem"})
NO_DITTO = frozenset({"not", "the", "it", "as", "what", "nothing", "anything"})  # behind "do"


@lru_cache(maxsize=65536)
def fold_word(text: str) -> str:
    """Take case, accents and everything that is not a letter, a digit or an illegible '?' out of a word.

    >>> fold_word("Suè"), fold_word("St. Petersburg"), fold_word("P??")
    ('sue', 'stpetersburg', 'p??')
    """
    if text.isascii() and text.isalnum():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.replace("ß", "ss").replace("…", "??")).lower().replace("_", "?")
    return "".join(letter for letter in plain if letter.isalnum() or letter == "?")


# Signs and words around an order that say nothing: ticks, unseen signs, a smile or thanks at the end, a plus at a coast
HARMLESS = re.compile(
    r"(?<=\w)\+(?=\s*[nse]c\b)|(?<=\w\s)\+(?=\s*[nse]c\b)|[✓✔☑✅★☆♥❤\ufe0f\ufeff\u200e\u200f\u202a-\u202e]|^\s*(?:[①-⑳❶-❿]|[▪■●◦‣](?=\s))|^\s*(?:[>|]\s*)+(?=[AaFf]\s|(?:build|remove|disband)\b)"
    r"|\s[|\\](?=\s*$)|</?(?:b|i|u|p|br|li|em|strong)\s*/?>|(?<!\w)[\u200b-\u200d\u2060]|[\u200b-\u200d\u2060](?!\w)|(?<=\s)(?:[:;=]-?\)|<3|\^\^)(?=\s*$)"
    r"|(?<=[\w.)✓✔☑✅])[,.]?\s*\b(?:many thanks|thank you)\s*[.!]*(?=\s*$)",
    re.IGNORECASE,
)
AROUND = (
    ('"', '"'),
    ("“", "”"),
    ("„", "“"),
    ("«", "»"),
    ("`", "`"),
    ("'", "'"),
    ("‘", "’"),
    ("**", "**"),
    ("*", "*"),
    ("__", "__"),
    ("_", "_"),
)
# "| A Vie | - | Gal |", "A Vie | - | Gal", "A Vie | - Gal", "A;Vie;-;Gal"
TABLE_ROW = re.compile(
    r"\s*\|(?:[^|]+\|){3,4}\s*|[^|]+\|\s*(?:[-–—→]|[RSHC])\s*\|[^|]+|\s*\|?[^|–—→>-]+\|\s*[-–—→][^|]+\|?\s*"
)
CELLS = re.compile(r"\s*\|?\s*[AaFf]\s*(?P<border>[|;,])\s*\w+(?:\s*(?P=border)\s*[^|;,]+)+(?P=border)?\s*")
RULE = re.compile(r"\s*(?:[-–—―−=~*•#]\s*){3,}")  # a line of signs between orders; "..." is what cannot be read


LETTERS_OF_WORDS = re.compile(r"[^\W\d_]+")
LOOK_ALIKE = str.maketrans(
    "АВЕКМНОРСТУХаеорсухіΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEKMHOPCTYXaeopcyxiABEZHIKMNOPTYXo"
)  # Cyrillic, Greek


def _write_in_latin(word: str) -> str:
    """Write the letters of other alphabets that look like Latin ones beside Latin ones as these; so the "A" of an army.

    >>> _write_in_latin("Vi\N{CYRILLIC SMALL LETTER IE}"), _write_in_latin("\N{CYRILLIC CAPITAL LETTER A}")
    ('Vie', 'A')
    """
    if word.isascii():
        return word
    plain = word.translate(LOOK_ALIKE)
    return plain if plain == "A" or (plain.isascii() and any(map(str.isascii, word))) else word


FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}  # the letters of Asian keyboards


def blank_harmless(line: str) -> str:
    """Put spaces in the place of what changes no order, such as a tick, a smile, or quotes around the whole line.

    What is left stands where it stood.

    >>> blank_harmless("A Vie - Gal ✓, thank you!").strip(), blank_harmless("**A Vie - Gal**").strip()
    ('A Vie - Gal', 'A Vie - Gal')
    >>> blank_harmless('A Vie - "Gal"'), blank_harmless('" Bud "')  # a place in quotes, ditto marks
    ('A Vie - "Gal"', '" Bud "')
    """
    text = LETTERS_OF_WORDS.sub(lambda found: _write_in_latin(found.group()), line.translate(FULL_WIDTH))
    text = HARMLESS.sub(lambda found: " " * len(found.group()), text)
    if TABLE_ROW.fullmatch(text):
        text = text.replace("|", " ")
    if cells := CELLS.fullmatch(text):
        text = text.replace(cells["border"], " ")
    for left, right in AROUND:
        whole = text.strip()
        inner = whole[len(left) : -len(right)]
        is_around = whole.startswith(left) and whole.endswith(right) and inner and inner == inner.strip()
        if is_around and not {*left, *right} & {*inner}:
            first = text.index(left)
            text = " " * (first + len(left)) + inner
            break
    return text


def tokenize(line: str) -> tuple[Token, ...]:
    """Cut a line into tokens; a printed row number in front is left out.

    >>> [t.text for t in tokenize("2. F(GOB) S F(Nwy) → StPNc")]
    ['F', 'GOB', 'S', 'F', 'Nwy', '→', 'StPNc']
    >>> [str(t.mark) for t in tokenize('A Mar ″, F Bre–Mao')]
    ['word', 'word', 'ditto', 'break', 'word', 'word', 'dash', 'word']
    """
    tokens: list[Token] = []
    depth = 0
    numbering = NUMBERING.match(line)
    assert numbering is not None  # it may be empty
    behind = set(map(fold_word, WORDS.findall(line, numbering.end()))) if numbering.group() else set()
    is_named = not behind.isdisjoint(TAKEN_BACK) and behind.isdisjoint(LETTERS)  # "1 cancelled" is about the first row
    previous_end = 0 if is_named else numbering.end()
    if ".." in line or "*" in line:
        line = UNREAD.sub(lambda dots: "?" * len(dots.group()), line)
    for piece in PIECES.finditer(line, previous_end):
        kind = piece.lastgroup
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth = max(0, depth - 1)
        elif kind != "air" and kind is not None:
            tokens.append(_make_token(piece, kind, piece.start() == previous_end, depth > 0))
        if kind != "air":
            previous_end = piece.end()
    for at, (each, after) in enumerate(pairwise(tokens)):
        if each.folded == "do" and after.folded in NO_DITTO:
            tokens[at] = Token(Mark.WORD, *each[1:])  # "do not move": nothing is repeated
    return tuple(tokens)


def join_signs(tokens: tuple[Token, ...], long_signs: Collection[tuple[str, ...]]) -> tuple[Token, ...]:
    """Make one word of a sign of several words: "no build", "va à", "lends its support to".

    >>> [t.text for t in join_signs(tokenize("Paris va à Brest"), {("va", "a")})]
    ['Paris', 'va à', 'Brest']
    """
    joined: list[Token] = []
    at = 0
    while at < len(tokens):
        length = next((n for n in (4, 3, 2) if tuple(each.folded for each in tokens[at : at + n]) in long_signs), 1)
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
    """Split the letter and the sign from a place they were written to without a space: "ATriH", "Trixxx" (WDC08 12.2).

    So is the sign of a support or a convoy, where its unit follows: "A Ser SA Bul", "A SerS A Bul".
    ``is_known`` says of a folded word that it means something as it stands, ``is_place`` that it is a listed place.

    >>> [t.text for t in unglue(tokenize("ATriH"), lambda word: False, lambda word: word == "tri")]
    ['A', 'Tri', 'H']
    >>> [t.text for t in unglue(tokenize("FSt Petersburg"), lambda word: False, lambda word: word == "stpetersburg")]
    ['F', 'St', 'Petersburg']
    >>> [[t.text for t in unglue(tokenize(line), SIGNS.__contains__, lambda _: False)] for line in ("FROM H", "b from")]
    [['F', 'ROM', 'H'], ['b', 'f', 'rom']]
    >>> [t.text for t in unglue(tokenize("FemeD-ION"), lambda word: word == "ion", {"eme", "emed"}.__contains__)]
    ['F', 'emeD', '-', 'ION']
    """
    tokens = _join_letters(_part_question_marks(tokens, is_known), is_place)
    tokens = _part_possessives(tokens, is_place)
    glued = (each for each in tokens if each.mark is Mark.WORD and len(each.folded) > 1)
    if all(is_known(each.folded) and each.folded != FROM_OR_ROME for each in glued):
        return tokens
    apart: list[Token] = []
    for at, each in enumerate(tokens):
        if _is_fleet_in_rome(tokens, at, is_place):
            apart += _split_letter(each)
            continue
        ways = (_begins_name, _begins_unit, _begins_goal)
        begins = any(way(tokens, at, is_known, is_place) for way in ways)
        helps = _goes_on_to_a_unit(tokens, at, is_place)
        apart += _split_letter(each) if begins else _parts_of(each, is_known, is_place, helps=helps)
    return tuple(apart)


def _part_question_marks(tokens: tuple[Token, ...], is_known: Callable[[str], bool]) -> tuple[Token, ...]:
    """Part a question mark from a word that is whole without it: "Gal?"; in "P??" it is a letter that cannot be read.

    >>> [t.text for t in _part_question_marks(tokenize("A Vie? - P??"), {"a", "vie"}.__contains__)]
    ['A', 'Vie', '?', '-', 'P??']
    """
    apart: list[Token] = []
    for each in tokens:
        word = each.text.rstrip("?")
        if word == each.text or len(word) < SHORTEST_WHOLE or not is_known(fold_word(word)):
            apart.append(each)
            continue
        asked, end = each.text[len(word) :], each.start + len(word)
        apart.append(Token(Mark.WORD, word, fold_word(word), each.start, end, each.tight, each.bracketed))
        apart.append(Token(Mark.OTHER, asked, "", end, each.end, True, each.bracketed))
    return tuple(apart)


POSSESSIVE = re.compile(r"(?P<name>.+)(?P<sign>['’]s)")


def _part_possessives(tokens: tuple[Token, ...], is_place: Callable[[str], bool]) -> tuple[Token, ...]:
    """Take a listed place for itself in "Vienna's move"; where no word follows, the order breaks off: "S Gal's".

    >>> [t.text for t in _part_possessives(tokenize("Vie's move - Gal's"), {"vie", "gal"}.__contains__)]
    ["Vie's", 'move', '-', 'Gal', "'s"]
    """
    apart: list[Token] = []
    for each, after in zip_longest(tokens, tokens[1:]):
        way = POSSESSIVE.fullmatch(each.text)
        name = fold_word(way["name"]) if way else ""
        if way is None or not is_place(name):
            apart.append(each)
        elif after is not None and is_place(each.folded):
            apart.append(each)  # "Marseille's"
        elif after is not None and after.mark is Mark.WORD:
            apart.append(Token(each.mark, each.text, name, *each[3:]))
        else:
            middle = each.start + way.end("name")
            apart.append(Token(Mark.WORD, way["name"], name, each.start, middle, each.tight, each.bracketed))
            apart.append(Token(Mark.OTHER, way["sign"], "", middle, each.end, True, each.bracketed))
    return tuple(apart)


def _join_letters(tokens: tuple[Token, ...], is_place: Callable[[str], bool]) -> tuple[Token, ...]:
    """Make one word of three letters or more that stand apart and are a listed place together: "V i e".

    Nobody knows whether more belongs to it; an empty sign behind it says so.

    >>> [t.text for t in _join_letters(tokenize("A V i e - Gal"), {"vie"}.__contains__)]
    ['A', 'V i e', '', '-', 'Gal']
    """
    joined_tokens: list[Token] = []
    at = 0
    while at < len(tokens):
        run = at
        while run < len(tokens) and tokens[run].mark is Mark.WORD and len(tokens[run].folded) == 1:
            run += 1
        lengths = range(run - at, SHORTEST_WHOLE - 1, -1)
        count = next((n for n in lengths if is_place("".join(each.folded for each in tokens[at : at + n]))), 1)
        parts = tokens[at : at + count]
        text, folded = " ".join(each.text for each in parts), "".join(each.folded for each in parts)
        joined = Token(Mark.WORD, text, folded, parts[0].start, parts[-1].end, parts[0].tight, parts[0].bracketed)
        joined_tokens.append(joined if count > 1 else tokens[at])
        if count > 1:
            joined_tokens.append(Token(Mark.OTHER, "", "", joined.start, joined.end, True, joined.bracketed))
        at += count
    return tuple(joined_tokens)


def _is_fleet_in_rome(tokens: tuple[Token, ...], at: int, is_place: Callable[[str], bool]) -> bool:
    """Say whether "from" is a fleet in Rome: before a dash or, as the first word, a sign; or behind a mere "build"."""
    if tokens[at].folded != FROM_OR_ROME or not tokens[at].text.isalpha():  # the sign "<" is "from", too
        return False
    if at + 1 == len(tokens):
        return at == 1 and SIGNS.get(tokens[0].folded) in (SignSense.BUILD, SignSense.DISBAND)
    after = tokens[at + 1]
    return after.mark is Mark.DASH or (at == 0 and after.folded in SIGNS and not is_place(after.folded))


def _begins_name(
    tokens: tuple[Token, ...], at: int, is_known: Callable[[str], bool], is_place: Callable[[str], bool]
) -> bool:
    """Say whether a word is a unit's letter and the first of a listed name's words: "FEnglish Channel", "APays-Bas"."""
    whole, name = tokens[at], tokens[at].folded[1:]
    if whole.mark is not Mark.WORD or whole.folded[:1] not in UNITS or len(name) < 2 or is_known(whole.folded):
        return False
    return _goes_on_to_a_name(tokens, at, name, is_place)


def _begins_unit(
    tokens: tuple[Token, ...], at: int, is_known: Callable[[str], bool], is_place: Callable[[str], bool]
) -> bool:
    """Say whether a word is a support or convoy sign and a unit's letter, before a place: "SA Bul", "CF North Sea"."""
    word = tokens[at].folded
    if len(word) != 2 or word[0] not in HELPS or word[1] not in UNITS or is_known(word):
        return False
    return tokens[at].mark is Mark.WORD and _goes_on_to_a_name(tokens, at, "", is_place)


CAPITAL_BEFORE_NAME = re.compile(r"[A-Z][A-Z][a-z]{2,}")


def _begins_goal(
    tokens: tuple[Token, ...], at: int, is_known: Callable[[str], bool], is_place: Callable[[str], bool]
) -> bool:
    """Say whether a word is a capital and a listed name, behind a unit: "- TGal", a sign or the rest of a word."""
    whole = tokens[at]
    if not at or tokens[at - 1].folded in UNITS or not CAPITAL_BEFORE_NAME.fullmatch(whole.text):
        return False
    if whole.text[0] == whole.text[1]:
        return False  # "SSyria" may be a slip
    return not is_known(whole.folded) and is_place(whole.folded[1:])


def _goes_on_to_a_unit(tokens: tuple[Token, ...], at: int, is_place: Callable[[str], bool]) -> bool:
    """Say whether a unit's letter stands behind a token, or a listed name."""
    return any(one.folded in UNITS for one in tokens[at + 1 : at + 2]) or _goes_on_to_a_name(tokens, at, "", is_place)


def _goes_on_to_a_name(tokens: tuple[Token, ...], at: int, name: str, is_place: Callable[[str], bool]) -> bool:
    """Say whether ``name``, and some of the words behind a token, are a listed name together."""
    for following in tokens[at + 1 : at + MOST_NAME_WORDS + 1]:
        if name and following.mark is Mark.DASH and following.tight:
            continue
        if following.mark is not Mark.WORD:
            return False
        name += following.folded
        if is_place(name):
            return True
    return False


def _split_letter(whole: Token) -> list[Token]:
    """Cut a word's first letter off."""
    first, rest = whole.text[0], whole.text[1:]
    middle = whole.start + 1
    return [
        Token(Mark.WORD, first, fold_word(first), whole.start, middle, whole.tight, whole.bracketed),
        Token(Mark.WORD, rest, fold_word(rest), middle, whole.end, True, whole.bracketed),
    ]


def _parts_of(
    whole: Token, is_known: Callable[[str], bool], is_place: Callable[[str], bool], *, helps: bool
) -> list[Token]:
    """Split one word, if it is a listed place with something at its ends and nothing by itself.

    ``helps``: another unit follows; otherwise an S behind a place is no support sign ("F Mao - SpaS").
    """
    if is_known(whole.folded):
        return [whole]
    ways = (way for pattern in GLUED if (way := pattern.fullmatch(whole.text)) and is_place(fold_word(way["place"])))
    split = next(ways, None)
    if split is None or (not helps and fold_word(split.groupdict().get("sign", "")) in HELPS):
        return [whole]
    return [
        Token(
            Mark.WORD,
            text,
            fold_word(text),
            whole.start + split.start(name),
            whole.start + split.end(name),
            name != "letter",
            False,
        )
        for name, text in split.groupdict().items()
        if text
    ]


def _touches_a_word(piece: re.Match[str]) -> bool:
    """Say whether a letter stands right before or behind a piece of a line."""
    beside = piece.string[max(0, piece.start() - 1) : piece.start()] + piece.string[piece.end() : piece.end() + 1]
    return any(letter.isalnum() for letter in beside)


def _make_token(piece: re.Match[str], kind: str, tight: bool, bracketed: bool) -> Token:
    text = piece.group()
    folded = "from" if kind == "back" else AUTOCORRECTED.get(text) or (fold_word(text) if kind == "word" else "")
    mark = Mark.DITTO if folded in DITTO_WORDS else MARKS[kind]
    if (kind == "ditto" and _touches_a_word(piece)) or text == STRUCK:
        mark = Mark.OTHER  # a quotation mark, or one end of what is struck out
    return Token(mark, text, folded, piece.start(), piece.end(), tight, bracketed or text in AUTOCORRECTED)


# The words and signs people write between units and places, in the languages of the tournaments.

T = TypeVar("T")


class SignSense(StrEnum):
    """What a word that is not a place asks for."""

    HOLD = "hold"
    TO = "to"
    SUPPORT = "support"
    CONVOY = "convoy"
    BY = "by"  # via convoy, via Nth, by land
    LAND = "land"
    RETREAT = "retreat"
    DISBAND = "disband"
    BUILD = "build"
    WAIVE = "waive"


def _give_meaning(meaning: T, text: str) -> dict[str, T]:
    """Give every word of a text one meaning."""
    return dict.fromkeys(text.split(), meaning)


def _word_set(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


# folded word -> what it asks for; a tournament's own table of signs is laid over these
SIGNS: dict[str, SignSense] = {
    **_give_meaning(
        SignSense.HOLD, "h hold holds holding held stand stands standing stay stays defend defends def halt haelt"
    ),
    **_give_meaning(SignSense.HOLD, "tient tenir tiens reste halten bleibt remain remains remaining"),
    **_give_meaning(SignSense.TO, "to into onto m move moves moving goes go going attack attacks attacking"),
    **_give_meaning(
        SignSense.TO,
        "advance advances advancing march marches marching sail sails sailing proceed proceeds marschiert fahrt",
    ),
    **_give_meaning(
        SignSense.TO, "toward towards vers nach zieht geht head heads heading travel travels enter enters take takes"
    ),
    **_give_meaning(SignSense.TO, "invade invades relocate relocates take takes"),
    **_give_meaning(
        SignSense.SUPPORT,
        "s sup supp suppt sprt spt sout support supports supporting supported soutien soutient",
    ),
    **_give_meaning(SignSense.SUPPORT, "soutenir unterstutzt assist assists assisting help helps helping aids appuie"),
    **_give_meaning(SignSense.CONVOY, "vc convoyed convoye convoyee"),
    **_give_meaning(
        SignSense.CONVOY, "c conv cvy convoy convoys convoying convoi convoie convoit konvoi konvoyiert transports"
    ),
    **_give_meaning(
        SignSense.CONVOY, "transport transporting transporte transportiert geleitet carry carries carrying"
    ),
    **_give_meaning(SignSense.CONVOY, "ferry ferries ferrying"),
    **_give_meaning(SignSense.BY, "by via per par mit through durch using"),
    **_give_meaning(SignSense.LAND, "land overland terre landweg walk walks walking"),
    **_give_meaning(SignSense.RETREAT, "r ret retr rtr retreat retreats retreating retraite ruckzug"),
    **_give_meaning(
        SignSense.DISBAND,
        "d disb disband disbands disbanded remove removes removed rem off otb destroyed destroy scrap",
    ),
    **_give_meaning(SignSense.DISBAND, "disbanding removing removal removals"),
    **_give_meaning(
        SignSense.DISBAND, "kill kills minus dissout dissous disperse dispersed dispersee retire aufgelost auflosen nro"
    ),
    **_give_meaning(SignSense.DISBAND, "entferne entfernen entfernt abbauen abgebaut supprime supprimer enlever"),
    **_give_meaning(
        SignSense.BUILD,
        "b build builds built bld raise new construit construire bau baut nouveau nouvelle neu neue baue bauen recruit",
    ),
    **_give_meaning(SignSense.BUILD, "building"),
    **_give_meaning(SignSense.WAIVE, "waive waives waived pass nobuild"),
}
LONG_SIGNS: dict[str, SignSense] = {  # of several words
    **dict.fromkeys(("in to", "on to", "heads for", "heading for", "makes for"), SignSense.TO),
    **dict.fromkeys(("in support of", "lends support to", "lends its support to"), SignSense.SUPPORT),
    **dict.fromkeys(("gives support to", "gives its support to"), SignSense.SUPPORT),
    **dict.fromkeys(("stays put", "stay put", "stays home", "stay home", "does nothing"), SignSense.HOLD),
    **dict.fromkeys(("does not move", "doesnt move", "bleibt da", "ne bouge pas"), SignSense.HOLD),
    **dict.fromkeys(("falls back", "falls back to", "flees to", "withdraws to"), SignSense.RETREAT),
    **dict.fromkeys(("off the board", "off board"), SignSense.DISBAND),
}
CONVOYED = frozenset({"vc", "convoyed", "convoye", "convoyee"})  # said of the army, not of the fleet
PASSIVE = (CONVOYED - {"vc"}) | {"supported"}  # what another unit does for this one
WITH = frozenset({"with", "mit", "using", "durch"})  # says how an army travels only before a word for that
LETTERS: dict[str, Kind] = {
    **_give_meaning(Kind.ARMY, "a army armies ar armee"),
    **_give_meaning(Kind.FLEET, "f fleet fleets fl flt flotte"),
}
FILLERS = _word_set("the at from la le les der die das unit in on")
OWN = _word_set("own my our notre mein meine unsere eigene")  # before a unit: not another power's
ARTICLES = _word_set("a an one un une ein eine")  # before "army" and "fleet"; "a" alone is an army
OF = _word_set("of de du von")  # "Army of Vienna"
AND = _word_set("and et und")
OR = _word_set("or else otherwise alternatively ou sinon oder sonst")  # another order for the same unit
# an order that depends on something, or is not given: nobody may follow it
IF = _word_set("if unless except when provided only maybe perhaps possibly but sauf mais wenn falls")
BUT = _word_set("but mais")  # of these, a word that may stand before another unit's order
UNSURE = (  # an order that may not be meant for now
    _word_set(
        "probably hopefully until whether whichever either option alternative backup tbd tentative draft plan variant"
    )
    | _word_set("variante varianta")
    | _word_set("pending possible eventuell vielleicht")
)
LATER = _word_set(
    "formerly previous previously next later tomorrow instead nachstes nachste nachsten prochain prochaine"
    " proximo proxima siguiente prossimo prossima volgend volgende"
)  # said of another order than this one
NOT = _word_set(
    "not dont doesnt didnt never no non cannot cant wont without aint jamais nicht kein keine nie mai niet inte ikke"
    " nej nunca"
)
TAKEN_BACK = (
    _word_set("cancel cancels cancelled canceled delete deleted erase erased ignore ignored void wrong error")
    | _word_set("mistake undo undone scratch scratched forget struck withdraw withdrawn withdraws nope false")
    | _word_set("decline declined declines annule gestrichen nvm revoke revoked rescind rescinded null nullified")
    | _word_set("invalid strike stricken skip abort aborted omit omitted disregard disregarded discard discarded")
    | _word_set("nonsense rubbish garbage trash junk obsolete outdated expired superseded retracted rejected nay nah")
    | _word_set("falsch quatsch unsinn faux nul nulo falso sbagliato fout feil")
    | _word_set("dropped replace replaced reversed crossed rubbed oops storniert ungultig raye barre nein streichen")
)
CORRECTS = TAKEN_BACK | _word_set(  # the line above
    "no not non nein sorry changed change mean meant correction rather actually joke edit edited ps nb"
)
EXCHANGES = _word_set(
    "exchange exchanged swap swapped switch switched vertauscht getauscht echange echanges"
)  # of two units that a line names
UNSETTLES = (
    UNSURE
    | EXCHANGES
    | _word_set(  # all other lines, where they stand on a line that is no order
        "changed change changes mind kidding joking jk subject overleaf real ask wait last old undecided provisional"
        " fake faked bluff versa way lies umgekehrt inverse inversement scrapped alte vieux vecchi anciens"
        " joke example unsure freeze spater"
        " sheet test specimen muster entwurf vorschlag beispiel kopie brouillon fehler nmr otherwise peut reverse"
    )
)
ROWS = _word_set(  # of a sheet, as a remark calls them
    "first second third fourth last former latter both all none these those line lines row rows zeile zeilen ligne"
    " one top middle bottom upper lower lignes erste zweite letzte beide beides alle tous toutes order orders"
)
DENIES = _word_set("not nicht pas")  # before a goal that is not meant
INSTEAD_OF = frozenset({"insteadof", "ratherthan"})  # two words before such a goal
DENYING = (
    TAKEN_BACK | NOT | DENIES | _word_set("pas kein keinen keinesfalls ohne sans senza instead rather")
)  # before a place that is not meant
AMBIGUOUS = OR | IF | UNSURE | TAKEN_BACK  # words that leave an order with two meanings
SPOILERS = AMBIGUOUS | LATER | NOT  # and words of which nobody knows what they change
POLITE = _word_set(
    "please pls plz kindly will shall do does did svp bitte thanks thx cheers final definitely ok okay confirmed yes"
    " danke merci"
)  # they change no order
NATIONS: dict[str, Power] = {
    **_give_meaning(Power.AUSTRIA, "austria austrian austrians autriche autrichien autrichienne osterreich aus aut"),
    **_give_meaning(Power.AUSTRIA, "austriahungary austrohungarian osterreichisch osterreichische ah"),
    **_give_meaning(Power.ENGLAND, "england english british britain angleterre anglais anglaise eng englisch gb"),
    **_give_meaning(Power.ENGLAND, "englische brit ang"),
    **_give_meaning(Power.FRANCE, "france french francais francaise frankreich franzosisch franzosische fre fra"),
    **_give_meaning(Power.GERMANY, "germany german allemagne allemand allemande deutschland deutsch deutsche"),
    **_give_meaning(Power.GERMANY, "ger all deu"),
    **_give_meaning(Power.ITALY, "italy italian italie italien italienne italiens italienisch italienische ita"),
    **_give_meaning(Power.RUSSIA, "russia russian russie russe russland russisch russische rus"),
    **_give_meaning(Power.TURKEY, "turkey turkish turquie turc turque turkei turkisch turkische tur"),
}
ENGLISH = _word_set("english british englisch englische anglais anglaise")  # no sea before "army" or "fleet"
TOWARDS = _word_set("to into onto toward towards vers nach")  # signs of a move that are no verbs
DISLODGED = "dislodged"  # said of a unit that must retreat
FROM = _word_set("from von depuis")  # between where a unit goes and where it stands
# coast words, folded; 'n', 's', 'e' alone are coasts only in brackets or where a table says so
COASTS: dict[str, str] = {
    **_give_meaning("NC", "nc cn northcoast ncoast nthcoast cotenord nordkuste nk north nord northern"),
    **_give_meaning("SC", "sc cs southcoast scoast sthcoast cotesud sudkuste sk south sud southern"),
    **_give_meaning("EC", "ec ce eastcoast ecoast coteest ostkuste east est"),
    **_give_meaning("NC/SC/EC", "bothcoasts bothcoast eithercoast anycoast allcoasts"),
}
SHORT_COASTS: dict[str, str] = {"n": "NC", "s": "SC", "e": "EC"}
PRONOUNS = _word_set("it this that him them same above me us mine")  # a unit that another line names
ALIKE = PRONOUNS | _word_set(  # an order that another line names
    "too also likewise similarly identical together follow follows join joins auch ebenso gleich gleiches gleichfalls"
    " desgleichen dasselbe dieselbe selbe oben zusammen folgt aussi pareil pareille meme ensemble suit igual mismo"
    " stesso uguale detto samma samme hetzelfde"
)
AT_SEA = _word_set("sea ship boat mer see water")  # by sea
NOTHING = _word_set("none nothing nil aucun aucune")  # a build declined in one word
OF_A_WAIVER = (  # words beside "waive" that change nothing
    FILLERS
    | OWN
    | ARTICLES
    | OF
    | POLITE
    | NOTHING
    | _word_set("no two both all any rest remaining more this other others else further extra additional")
    | _word_set("another first second third fourth last units year turn season winter")
)
ALL_OF_THEM = NOTHING | _word_set("both all any rest remaining more other others else further builds")
THE_OTHERS = _word_set("rest remaining more other others else further another second third fourth")
NO = _word_set("no kein keine pas")  # before the word for a build
HALVES = _word_set("mid st ste saint n s e w nth north south east west gulf g nor sankt")  # Mid-Atlantic
REST = _word_set("rest other others remaining ubrige autres reste")  # the units that no line orders
EVERYBODY = REST | _word_set("all everybody everything alles tout tous")  # all units hold
THE_REST = REST | _word_set("anderen andere ubrigen restlichen nichtgenannten unordered unlisted unmentioned")
HELD_STILL = _word_set("stehen bleiben tiennent restent")  # of several units; of one they are in no table
BESIDE_THE_REST = (  # what else is said where the rest of the units holds
    EVERYBODY
    | FILLERS
    | OWN
    | ARTICLES
    | OF
    | (POLITE - {"yes", "ok", "okay", "confirmed"})
    | _word_set("everyone every each alle toutes which that just still put position positions place where they are to")
    | _word_set("unit units army armies fleet fleets piece pieces einheit einheiten armeen flotten unite unites")
)
UNNAMED = re.compile(  # "not mentioned", "without an order": the same as "other"
    r"(not|nicht|non|without|ohne|sans)( an?| any| otherwise| explicitly)*"
    r" (orders?|ordered|mentioned|listed|named|given|specified|genannten?|befehle?|ordres?)( above| below| here)?\b"
)
EVERYTHING_ELSE = re.compile(r"\b(everything|every|everyone|everybody|all|anything|alles) else\b")
UNMOVED = re.compile(  # "do not move", "nobody else moves": the same as "hold" and as "others hold"
    r"((do|does|will) )?(not|dont|doesnt|wont) moves?\b|\bne bougent pas\b|\bbewegen sich nicht\b"
)
NOBODY_ELSE = re.compile(r"^((nobody|nothing|no ?one|no unit) else|no others?( units?)?) moves?$")


def tells_rest_to_hold(tokens: Sequence["Token"], sign_of: Callable[[str], SignSense | None]) -> bool:
    """Say whether words say that the units without an order hold, which they do anyway, and nothing else.

    >>> [tells_rest_to_hold(tokenize(line), SIGNS.get) for line in ("the others hold", "Rest - H", "nobody else moves")]
    [True, True, True]
    >>> [tells_rest_to_hold(tokenize(line), SIGNS.get) for line in ("all hold", "others hold Bur", "not all others H")]
    [False, False, False]
    """
    if any(each.mark not in {Mark.WORD, Mark.DASH} and each.text != "," for each in tokens):
        return False
    said = " ".join(each.folded for each in tokens if each.folded)
    said = UNMOVED.sub("hold", NOBODY_ELSE.sub("others hold", said))
    said = EVERYTHING_ELSE.sub("others", UNNAMED.sub("others", said))
    words = {*said.split()}
    held = words - THE_REST - BESIDE_THE_REST
    are_held = all(word in HELD_STILL or sign_of(word) is SignSense.HOLD for word in held)
    return bool(held and words & THE_REST) and are_held


EVERYONE = (EVERYBODY - REST) | _word_set(
    "everyone nobody every each unit units we both beide personne niemand keiner alle tutti tutte todos todas"
)  # may be told something
LOOKS_UP = ALIKE | EVERYBODY | _word_set("these those both orders")  # the lines above a remark
OTHER_ROWS = (EVERYBODY - {"reste"}) | _word_set(  # other lines of a sheet, in a remark behind an order
    "these those none above below following follow follows orders order lines line rows row lignes zeilen toutes tous"
    " sheet both beide beides builds removals disbands alle oben unten folgende folgenden dessus dessous suivant"
)
SIGNED = _word_set("signed signature gez gezeichnet unterschrift signe firmato undertecknat sgd")
STEP_WORDS: dict[Step, frozenset[str]] = {  # a heading that says only what the present step is
    Step.MOVEMENT: _word_set("move moves movement movements"),
    Step.RETREATS: _word_set("retreat retreats"),
    Step.ADJUSTMENTS: _word_set("adjustment adjustments"),
}
SEASON_WORDS: dict[Season, frozenset[str]] = {
    Season.SPRING: _word_set("spring printemps fruhjahr fruhling primavera lente voorjaar var forar wiosna jaro"),
    Season.FALL: _word_set("fall autumn automne herbst autunno otono outono herfst host efterar aut jesien podzim"),
    Season.WINTER: _word_set("winter hiver inverno invierno vinter"),
}
YEARS = frozenset(map(str, range(1900, 1930)))
YEARS_CUT = frozenset(year[-2:] for year in YEARS)  # behind a season: "Herbst 01"
OF_A_HEADING = _word_set("phase season turn year orders order of for the my")  # beside the words for a step or a season
HEADINGS = frozenset(map(str, (*range(1, 32), *range(1900, 1930)))) | _word_set(  # above any orders
    "orders order moves movement movements spring summer fall autumn winter season year turn phase game board round"
    " team player power country name date my the of for and this now final ordres printemps automne befehle herbst"
    " hello hi dear hallo bonjour ciao greetings here are unit units armies fleets einheit einheiten unite unites"
    " meine mes zuge jahr zugbefehle ordini ordenes bevelen ordrer"
)
FAREWELL = (
    HEADINGS
    | POLITE
    | _word_set(  # below orders
        "good luck have fun vote votes draw i page p end total see you best wishes regards everybody all in thank"
        " everyone kind warm sincerely yours bye gg hope it works thats that done units press merci danke gracias"
        " grazie tack takk viel gluck erfolg bonne chance suerte cordialement gruss grusse lg vg mfg"
        " complete finished fertig ende fin summe seite einheiten unites centres centers zentren sc"
    )
)
HEARTY = _word_set(  # said to another power, or of it
    "thank thanks love peace trust friend friends friendship ally allies alliance liar luck hello hi dear forgive"
    " feelings traitor hate rules waves nice kind played game danke merci grazie gracias freund ami amigo frieden paix"
)
BESIDE_HEARTY = _word_set(  # what else is said of no order
    "a i me my our you your he is are am be was were the to with for from of and so very such best true great good big"
    " old ich mich du ein eine der die das ist bist und mit von mon ma le la un une est es et avec pour"
)
COUNTED = _word_set(  # beside the number of units
    "orders units total sum centers centres sc scs summe insgesamt befehle einheiten zentren gesamt ordres unites somme"
)
GREETS = _word_set(  # a line of greetings holds one of these, and is for no unit
    "luck thanks thank thx regards wishes cheers danke dank merci grusse grussen gruss cordialement gluck chance bye"
    " salut servus adios ciao tschuss sincerely journee bientot amities congratulations grazie gracias obrigado"
    " obrigada tack takk tak truly saludo saludos saluti abrazo abraco groetjes groeten hilsen mvh amicalement"
)
BESIDE_GREETINGS = (
    FAREWELL
    | GREETS
    | _word_set(
        "vielen viele liebe mit freundlichen schone beaucoup davance bien a et und much many mille dank je u wel un"
        " mate besten"
    )
)
PLAIN_LINES = _word_set(  # whole lines that change no order, without their blanks
    "nounitorder nounitorders nreinheitbefehl thatsall thatsallfolks daswars dasistalles cesttout haveaniceday bisbald"
    " seeyounextturn seeyounextyear thatisall thisisall allcorrect checked"
    " asdiscussed asagreed asplanned aspromised wiebesprochen wieabgesprochen wievereinbart commeconvenu commeprevu"
    " sentfrommyiphone sentfrommyipad vonmeinemiphonegesendet envoyedemoniphone"
    " sorryformyhandwriting sorryforthehandwriting excusemyhandwriting"
)
NO_MORE = _word_set(  # such lines below moves; in winter they decline what is left
    "nothingelse nootherorders nofurtherorders nomoreorders nomoreunits keineweiterenbefehle pasdautresordres"
)
PUTTING_ON = _word_set("build builds aufbau aufbauten construction constructions")  # units, in winter
TAKING_OFF = _word_set("disband disbands removal removals remove")
GOING_BACK = _word_set("retreat retreats ruckzug ruckzuge retraite retraites")
OTHER_STEPS: dict[Step, frozenset[str]] = {  # of which a sheet may say that there is nothing to do
    Step.MOVEMENT: PUTTING_ON | TAKING_OFF | GOING_BACK | _word_set("adjustments"),
    Step.RETREATS: PUTTING_ON,
    Step.ADJUSTMENTS: GOING_BACK,
}
BESIDE_NOTHING = _word_set("no none nil kein keine pas de aucun aucune needed necessary due notig 0 na nothing to")
GRAMMAR_WORDS = FILLERS | OWN | ARTICLES | OF | AND | SPOILERS | POLITE | FROM | AT_SEA | NOTHING | NO | EVERYBODY
EVERYDAY_WORDS = GRAMMAR_WORDS | (  # as near to a name as they may be, they are no slips for it
    _word_set(
        "more less one two three four five six seven eight nine ten first last next units you your she he his her"
    )
    | _word_set("their its how who what when where can could did say says said use used come comes get got make made")
    | _word_set("take takes too also most least each every yes here there then back long home kill win wins bye big")
    | _word_set("red top left les des ces ses vos nos ici que qui sud est tout toute pour dans sur sous deux trois")
    | _word_set("any anyone anybody anything someone somebody something moon wife husband")
    | _word_set("stop stops block blocks guard cover blot blotted smudge smudged unreadable illegible unclear")
    | _word_set("dem den dein sein aber oder ist sind wir ich uns zur zum vier zwei drei ein auf aus quatre")
)


# Look at the tokens of a line: where a sign stands, where a letter, where a word that can only be a place.


class GrammarWords(Protocol):
    """What the grammar must know of a tournament's table: which words are places, which are signs."""

    signs: dict[str, SignSense]
    nations: dict[str, Power]
    coasts: dict[str, str]  # folded word -> NC, SC, EC, or NC/SC/EC for any
    halves: frozenset[str]  # what may stand before the hyphen of a name
    short_coasts: bool  # 'n', 's', 'e' after a place with two coasts are coasts
    parts: dict[str, str]  # the cache of `account`

    def is_listed(self, folded: str) -> bool:
        """Say whether a word stands in the table, or is a full name."""

    def are_two_places(self, folded: str, after: str) -> bool:
        """Say whether two words are two places, although together they spell one."""

    def are_initials(self, folded: str) -> bool:
        """Say whether a word in no table is made of the initials of a name."""

    def begins_name(self, folded: str) -> bool:
        """Say whether a word of three letters or more begins a word of the table."""

    def is_elsewhere(self, folded: str) -> bool:
        """Say whether a word is the real name of a place that is no province."""

    def begins_real_name(self, folded: str) -> bool:
        """Say whether a word begins a name, of a province or of another place."""

    def misspelt_name(self, several: Sequence[str]) -> str:
        """Find the name that several words together are a slip or two away from; nothing where there is none."""

    def sign_of(self, folded: str) -> SignSense | None:
        """Say what a word asks for, if it is no place."""

    def misspelt_sign(self, folded: str) -> SignSense | None:
        """Find the word for a build or a disband that an unknown word is one slip away from."""

    def is_known(self, folded: str) -> bool:
        """Say whether a word means something as it stands."""

    def sense(self, folded: str) -> Sense:
        """Say everything that a word may mean."""

    def may_be_meant(self, folded: str) -> bool:
        """Say whether a word means something, or may be a slip of the pen for a word that does."""

    def may_be_place(self, folded: str) -> bool:
        """Say whether a word is listed, begins a place's name, or is one slip away from one."""

    def has_coasts(self, folded: str) -> bool:
        """Say whether a listed word may mean a province with two coasts."""

    def is_at_sea(self, folded: str) -> bool:
        """Say whether a word can only mean a sea."""


FIRST_WORDS = 2  # of a line: its unit
NO_PLACES = FILLERS | SPOILERS | EVERYBODY | LETTERS.keys()  # words that are no part of an unknown name
TO_IN_FRENCH = frozenset("àÀ")  # without its accent it is the letter of an army
PADDING = (None,) * 8  # more than anybody looks ahead


class TokenReader:
    """Goes through the tokens of one line, from left to right."""

    def __init__(self, tokens: Sequence[Token], text: str, words: GrammarWords) -> None:
        self.tokens = tokens
        self.padded: tuple[Token | None, ...] = (*tokens, *PADDING)  # so that looking ahead needs no checking
        self.text = text
        self.words = words
        self.at = 0
        self.roles = [""] * len(tokens)  # of places, units' letters and nationalities, for `account`

    def peek(self, ahead: int = 0) -> Token | None:
        """Look at a token without taking it."""
        return self.padded[self.at + ahead]

    def word(self, ahead: int = 0) -> str:
        """Look at a word, folded; nothing where a mark stands, or behind the end."""
        token = self.peek(ahead)
        return token.folded if token is not None else ""

    def sign(self, ahead: int = 0) -> SignSense | None:
        """Say what sign stands here, if one does; a dash is the sign for moving."""
        token = self.padded[self.at + ahead]
        if token is None:
            return None
        if token.mark is Mark.DASH or token.text in TO_IN_FRENCH:
            return SignSense.TO
        if token.mark is not Mark.WORD:
            return None
        if token.folded == "par" and self.sign_word(ahead + 1) is SignSense.CONVOY:
            return SignSense.BY  # "par convoi"; everywhere else it is Paris
        if token.folded == "by" and self.says_how(ahead + 1):
            return SignSense.BY  # where the table lists it for Paris (EDC23 G)
        return self.words.sign_of(token.folded)

    def says_how(self, ahead: int) -> bool:
        """Say whether a word behind "by" says how an army travels: convoy, sea, land, a fleet; not "A By - Bur"."""
        token = self.peek(ahead)
        if token is None or self.at + ahead <= FIRST_WORDS:
            return False
        is_way = token.folded in AT_SEA or self.sign_word(ahead) in {SignSense.CONVOY, SignSense.LAND}
        return is_way or self.letter(ahead) is Kind.FLEET or self.is_place_word(ahead)

    def sign_word(self, ahead: int) -> SignSense | None:
        """Say what a word asks for, unless it is a place."""
        token = self.padded[self.at + ahead]
        return None if token is None or token.mark is not Mark.WORD else self.words.sign_of(token.folded)

    def letter(self, ahead: int = 0) -> Kind | None:
        """Say which unit letter stands here, if one does."""
        token = self.peek(ahead)
        return None if token is None or token.text in TO_IN_FRENCH else LETTERS.get(token.folded)

    def is_over(self) -> bool:
        """Say whether the order ends here: end of line, a break, or the letter of the next unit."""
        token = self.peek()
        if token is None or token.mark in {Mark.BREAK, Mark.PLUS}:
            return True
        ahead = 1 if token.mark is Mark.SLASH else 0
        return self.letter(ahead) is not None and self.is_place_word(ahead + 1)

    def is_place_word(self, ahead: int = 0) -> bool:
        """Say whether a word that can only be a place, or nothing we know, stands here."""
        token = self.peek(ahead)
        if token is None or token.mark is not Mark.WORD:
            return False
        if self.is_both(ahead):
            return False
        if self.words.is_listed(token.folded) or self.is_initial_goal(ahead):
            return True
        return self.sign(ahead) is None and token.folded not in NO_PLACES

    def is_initial_goal(self, ahead: int) -> bool:
        """Say whether a unit's letter is the goal: it ends the line behind a dash, and begins one name: "A StP - F"."""
        before = self.padded[self.at + ahead - 1] if self.at + ahead else None
        if before is None or before.mark is not Mark.DASH or self.peek(ahead + 1) is not None:
            return False
        word = self.word(ahead)
        return word in LETTERS and self.words.sense(word).likely is not None

    def is_both(self, ahead: int) -> bool:
        """Say whether "both" stands for two units and not for the Gulf of Bothnia: at the end, or before "fleets"."""
        token = self.peek(ahead)
        before = self.tokens[self.at + ahead - 1] if self.at + ahead else None
        if token is None or token.folded != "both" or (before is not None and before.folded in LETTERS):
            return False
        after = self.peek(ahead + 1)
        if after is not None:
            return after.folded in LETTERS or after.folded == "units"
        return before is not None and before.mark is Mark.WORD  # "remove both", and not "Swe - Both"

    def is_listed_word(self) -> bool:
        """Say whether a word that the table lists as a place stands here."""
        token = self.peek()
        return token is not None and token.mark is Mark.WORD and self.words.is_listed(token.folded)
