"""Cut a written line into words and marks.

Dashes and arrows to the right are one kind of mark, an arrow to the left is the word "from"; brackets and full stops
are ignored.
"""

import re
from collections.abc import Callable, Collection
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise, zip_longest
from string import ascii_letters
from typing import NamedTuple

from pipeline.interpret.written_words import LETTERS, SIGNS, TAKEN_BACK, SignSense, fold_word, write_in_latin

KEPT = 2_000  # lines in each cache: a sheet is interpreted again and again


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
    r"""(?P<repeat>(?<=\s)(?:,,|[-–—]["″〃”„“,]{1,2}[-–—])(?=\s|$))|(?P<break>[;,&\n]|(?<=\s)//(?=\s)|(?<=\s)[(\[]?\d{1,2}[.)\]]\s*(?=[AaFf][\s.][^\W\d_]))|(?P<empty>[(\[{]\s*[)\]}])|(?P<open>[(\[{])|(?P<close>[)\]}])
    |(?P<back><[-–—―−‐‑=~]*|←)
    |(?P<dash>(?:[-–—―−‐‑‒﹘﹣─━ー⁃=~]+>+|>+|[-–—―−‐‑‒﹘﹣─━ー⁃=~]+|[→➔➜➝➞➤⇒⇢⟶⟼➡⟹►▶⇨↦])(?:[ ]?[>→])?)
    |(?P<ditto>["″〃“”„]|''|’’|´´)
    |(?P<word>[©®]|[Xx](?:[ ][Xx]){2}(?!\w)
    |(?:[Pp]\.[ ]?[Ss]|[Nn]\.[ ]?[Bb])\.(?=\s|$)|[Aa]ustr(?:ia|o)-[Hh]ungar(?:y|ian)\b
    |(?<!\.)(?:[^\W\d_]\.){2}[^\W\d_](?!\w)|(?:(?![⁰¹²³⁴-⁹])[^\W_]|\?|…|_|(?<=\w)[\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff](?=\w))+(?:['’](?=[^\W\d_])[^\W\d_]+)?)
    |(?P<plus>\+)|(?P<slash>[/\\|])
    |(?P<air>(?:[\s.:·•*']|!(?![-–—−=~>→]))+)|(?P<other>.)""",
    re.VERBOSE,
)
# 1. 1) (1) [1] #1 No. 1, (b) and ii) before a word, bullets; "A)" and "b." only before the letter of a unit
NUMBERING = re.compile(
    r"""\s*(?:(?:n°\s*)?(?:[{\[(]?\d{1,2}[a-d]?\s*[\]}):;,>|]+|(?:one|two|three|four|five|six|seven|eight|nine|ten)\s*[:.)])\s*(?=[af][\s(.])
    |(?:n°\s*\d{1,2}|1/[2-9]|2/[2-9]|3/[3-9]|4/[4-9]|5/[5-9]|6/[6-9])\s+(?=[af]\b)|(?:[#№]|n[or]\.?|order)?\s*(?:[(\[]\s*\d{1,2}(?:/\d{1,2})?\s*[)\]]\s*|\d{1,2}(?:st|nd|rd|th)?\s*(?:(?:\.\)|[.):°º])\s*|/\s+)|(?!0\s)\d{1,2}\s+(?=\S))
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
    "repeat": Mark.DITTO,  # ditto marks with dashes around them, or written low
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
BEFORE_UNITS = {SignSense.SUPPORT, SignSense.CONVOY, SignSense.BUILD, SignSense.DISBAND}
SHORTEST_WHOLE = 3  # letters before a question mark; of fewer the rest may not be read: "R??"
MOST_NAME_WORDS = 4  # "Gulf of St Lawrence" on a variant's map
FROM_OR_ROME = "from"  # if no place follows, it is "F Rom", the fleet in Rome
BUT_OR_BERLIN = "aber"  # German for "but", or "A Ber", the army in Berlin
WORDS_OR_UNITS = {FROM_OR_ROME, BUT_OR_BERLIN}  # all words of remarks that are a unit's letter and a word of a table
DITTO_WORDS = frozenset({"do", "ditto", "dito", "dto", "idem"})
NO_DITTO = frozenset({"not", "the", "it", "as", "what", "nothing", "anything"})  # behind "do"
# Signs and words around an order that say nothing: ticks, unseen signs, a smile or thanks at the end, a plus at a coast
GREETINGS = (  # whole phrases
    r"(?:good luck|have fun|have a (?:nice|good) (?:day|game|one)|(?:best|kind|warm) (?:wishes|regards)|all the best"
    r"|cheers|gg|thanks|thank you|many thanks|bonne (?:chance|journée|partie)|bon jeu|merci(?: beaucoup)?"
    r"|viel (?:glück|glueck|gluck|erfolg|spa(?:ß|ss))|vielen dank|danke(?: schön)?"
    r"|buona fortuna|grazie|buena suerte|gracias)"
)
HARMLESS = re.compile(
    r"(?<=\w)\+(?=\s*[nse]c\b)|(?<=\w\s)\+(?=\s*[nse]c\b)|[✓✔☑✅★☆♥❤\ufe0f]|^\s*(?:[①-⑳❶-❿]|[▪■●◦‣](?=\s))|^\s*(?:[>|]\s*)+(?=[AaFf]\s|(?:build|remove|disband)\b)"
    r"|\s[|\\](?=\s*$)|</?(?:b|i|u|p|br|li|ol|ul|em|strong|div|span|table|tr|td|th)\s*/?>|(?<!\w)[\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]|[\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff](?!\w)|(?<=\s)(?:[:;=]-?\)|<3|\^\^)(?=\s*$)"
    r"|(?<=[\w.)✓✔☑✅])[,.]?\s*\b(?:full stop|period|many thanks|thank you(?: very much)?|s'il (?:vous|te) pla[iî]t"
    r"|per favore|por favor)\s*[.!]*(?=\s*$)"
    rf"|(?<=[\w.)✓✔☑✅])\s*(?:[.!,;]+\s*\b{GREETINGS}\s*[.!]*|\(\s*{GREETINGS}\s*[.!]*\s*\)[.!]*"
    rf"|\[\s*{GREETINGS}\s*[.!]*\s*\][.!]*)(?=\s*$)",
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
    r"\s*\|(?:[^|]+\|){3,4}\s*|[^|]+\|\s*(?:[-–—→]|[RSHC])\s*\|[^|]+|\s*\|?[^|–—→>-]+\|\s+[-–—→][^|]+\|?\s*"
)
CELLS = re.compile(
    r"\s*\|?\s*[AaFf]\s*(?P<border>[|;,])\s*\w+(?:(?:\. ?|[ '’-])\w+)*(?:\s*(?P=border)\s*[^|;,]+)+(?P=border)?\s*"
)
QUOTED_CELLS = re.compile(r'\s*"[^"]*"(?:\s*[;,]\s*"[^"]*")+[;,]?\s*')
RULE = re.compile(r"\s*(?:[-–—―−=~*•#]\s*){3,}")  # a line of signs between orders; "..." is what cannot be read
LETTERS_OF_WORDS = re.compile(r"[^\W\d_]+")
PLAIN_LETTERS = {  # of Asian keyboards, and letters in circles
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    **{ord("Ⓐ") + at: letter for at, letter in enumerate(ascii_letters[26:] + ascii_letters[:26])},
}


@lru_cache(maxsize=KEPT)
def blank_harmless(line: str) -> str:
    """Put spaces in the place of what changes no order, such as a tick, a smile, or quotes around the whole line.

    What is left stands where it stood.

    >>> blank_harmless("A Vie - Gal ✓, thank you!").strip(), blank_harmless("**A Vie - Gal**").strip()
    ('A Vie - Gal', 'A Vie - Gal')
    >>> blank_harmless('A Vie - "Gal"'), blank_harmless('" Bud "')  # a place in quotes, ditto marks
    ('A Vie - "Gal"', '" Bud "')
    """
    text = LETTERS_OF_WORDS.sub(lambda match: write_in_latin(match.group()), line.translate(PLAIN_LETTERS))
    text = HARMLESS.sub(lambda match: " " * len(match.group()), text)
    if TABLE_ROW.fullmatch(text):
        text = text.replace("|", " ")
    if QUOTED_CELLS.fullmatch(text):
        text = text.replace('"', " ")
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


@lru_cache(maxsize=KEPT)
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
    if all(is_known(each.folded) and each.folded not in WORDS_OR_UNITS for each in glued):
        return tokens
    apart: list[Token] = []
    for at, each in enumerate(tokens):
        if _is_fleet_in_rome(tokens, at, is_place) or _is_army_in_berlin(tokens, at):
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


def _is_army_in_berlin(tokens: tuple[Token, ...], at: int) -> bool:
    """Say whether "ABer" is the army in Berlin: first on its line, before a sign; or behind a sign for its unit.

    In small letters ("aber H", "Aber - Gal") it is a word, unless the sign touches it ("Aber-Sil").
    """
    word, is_capital = tokens[at], tokens[at].text[1:2].isupper()
    if word.folded != BUT_OR_BERLIN:
        return False
    if at:
        before = tokens[at - 1]
        return is_capital and (SIGNS.get(before.folded) in BEFORE_UNITS or (at == 1 and before.mark is Mark.PLUS))
    return any((is_capital or one.tight) and (one.mark is Mark.DASH or one.folded in SIGNS) for one in tokens[1:2])


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
