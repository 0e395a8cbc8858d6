"""Whether a text is the name of one player: the doubt about it, and the name that it probably holds."""

import re
import unicodedata

from msgspec import Struct

from pipeline.draw.list_numbers import COUNT, ORDINAL, text_behind
from pipeline.draw.list_words import (
    GREETINGS,
    LONGEST_TEXT,
    NO_NAMES,
    NOT_PLAYING,
    PARTICLES,
    POWERS,
    SELF,
    SENTENCE_LETTERS,
    SENTENCE_WORDS,
    STAND_INS,
)
from pipeline.words.names import fold_name

HEADS_A_GROUP = re.compile(
    r"(board|table|tisch|brett|round|runde|ronde|group|gruppe|groupe|grupo|poule|pool|heat|flight|team|day|tag|jour|"
    r"room|raum|salle|game|spiel|partie|mesa|tavolo|stol) ?(\d+|[a-h])"
)  # folded
CROSSES = "🤔🤷❓⏳👎❌✗✘✖☒🚫⛔"  # beside the name of somebody who may not come
WIDE_GAP = re.compile(r"\S {3,}\S")
REMARK_SIGNS = re.compile(r"\w{5}\.$| [-‐‑] ")  # a full stop behind a long word, a dash between words
HANDLE = re.compile(r"@([^\W\d]\S*?)(#\d+)?")  # "@ada#1234"
ACCOUNT = re.compile(r"[a-z]{2,}([._][a-z]{2,})+")  # "ada.lund"
OF_ANOTHER = re.compile(
    r"(a |ein |une? )?(guest|friends?|partner|gast|freund(in)?|begleitung|invitee?|amie?|invitad[oa]|amig[oa]|ospite|"
    r"amic[oa]|gosc|vriend) (of|from|von|de|di|d|od|van) .+|.+ (friend|guest)s?"
)  # folded
GUEST = re.compile(r" ?\+ ?\d+$")  # "Ada Lund +1"
LAST_WORD_ENDS_SENTENCE = re.compile(
    r"(?<=\s)(?!(?i:jr|sr|jun|sen|jnr|snr|st|ml|csc|esq|ret|dr|med)\.$)[^\W\d_A-Z]{2,}\.$"
)
AND = re.compile(r"[/&+;|]| (?i:and|und|et|och|og|en|ou|or|oder) ")
ALSO_AND = re.compile(
    r"\S+ \S+ (?:y|e|i) \S+ \S+"
)  # part of some family names: two names only with two words on each side
LAST_AND = re.compile(r" (?:and|und|et|y|e|og|och|en|i) ")  # in front of the last of several names
REMARK = re.compile(
    r"(?:(?<!\s)\s+)?[(\[{<](?:[^()\[\]{}<>]|[(\[{<][^()\[\]{}<>]*(?:[)\]}>]|$))*(?:[)\]}>]|$)\s*"
)  # one may hold another
SIGNS = frozenset(
    " '’‘`´ʼʻʹ-‐‑.·・,\"“”„«»‹›"
)  # beside letters, in names as people write them; an apostrophe has many shapes
PLACE_BEHIND = re.compile(r"(\S+ \S.*?) (?i:of|from|aus|uit|från|fra) [^\W\d_a-z].*")
STAND_IN, SEVERAL = "stands for a player to come", "two names, it seems"
SCRIPTS = ("LATIN", "GREEK", "CYRILLIC")  # alphabets whose letters look alike, and stand in no word together


class NameDoubt(Struct, frozen=True):
    """Why a text may not be the name of one player."""

    why: str
    name: str = ""  # a better name than the one that stands there
    is_likely: bool = False
    names: tuple[str, ...] = ()
    is_habit: bool = False  # is asked about only where few rows of the list are so


def doubt_name(name: str) -> NameDoubt | None:
    """The doubt whether a text is the name of one player.

    >>> [doubt_name(name) for name in ("Ada Lund", "Conan O’Brien-Müller, Jr.", "Ludwig van der Ä. B.", "李小龍")]
    [None, None, None, None]
    >>> [doubt_name(name).why for name in ("TBA", "Cy Dee / Dov Hart", "Total players", "£ukasz")]
    ['stands for a player to come', 'two names, it seems', "'total' is part of no name", "'£' is part of no name"]
    """
    if len(name) > LONGEST_TEXT:
        return NameDoubt("longer than names are")
    folded = fold_name(name)
    if not any(sign.isalpha() for sign in name):
        return NameDoubt("no letter in it")
    if folded in STAND_INS:
        return NameDoubt(STAND_IN)
    if OF_ANOTHER.fullmatch(folded):
        return NameDoubt(STAND_IN)
    if ACCOUNT.fullmatch(name):
        return NameDoubt("an account, it seems", " ".join(re.split("[._]", name)).title(), is_likely=True)
    if sum(sign.isalnum() for sign in name) == 1 and name.lower() != name.upper():
        return NameDoubt("one letter", is_likely=True)
    return _doubt_several(name, folded) or _doubt_signs(name, folded) or _doubt_words(name, folded)


def _doubt_several(name: str, folded: str) -> NameDoubt | None:
    """The doubt about a text that seems to hold two names, or part of one."""
    if "://" in name or name.lower().startswith("www."):
        return NameDoubt("an address of the web")
    if WIDE_GAP.search(name):
        return NameDoubt("a wide gap in it: two cells, it seems")
    if GUEST.search(name):
        return NameDoubt("with a guest, it seems", name=GUEST.sub("", name), is_likely=True)
    if AND.search(name.replace(" von und zu ", " ")) or ALSO_AND.fullmatch(name):
        return NameDoubt(SEVERAL, names=part_names(name))
    if name.count('"') % 2:
        return NameDoubt("a quote that is not closed")
    if behind := PLACE_BEHIND.fullmatch(name):
        return NameDoubt("a place behind the name, it seems", name=behind[1], is_likely=True)
    if HEADS_A_GROUP.fullmatch(folded):
        return NameDoubt("a heading, it seems")
    return None


def part_names(text: str) -> tuple[str, ...]:
    """The names in a text that holds several; nothing where one of them is none.

    >>> part_names("Ada Lund / Ben Cole"), part_names("Ada and Ben Lund"), part_names("Ada Lund / TBA")
    (('Ada Lund', 'Ben Cole'), ('Ada Lund', 'Ben Lund'), ())
    >>> part_names("Lund, Ada & Ben"), part_names("Ada Lund, Ben Cole"), part_names("Ada Lund y Ben Cole")
    (('Ada Lund', 'Ben Lund'), ('Ada Lund', 'Ben Cole'), ('Ada Lund', 'Ben Cole'))
    """
    text = " ".join(text.split())
    parts = [part.strip() for part in AND.split(text)]
    if len(parts) == 1:
        parts = [part.strip() for part in (text.split(",") if "," in text else LAST_AND.split(text))]
    family, comma, first = parts[0].partition(",")
    if comma and len(parts) > 1 and not any("," in part for part in parts[1:]):
        parts = [first.strip(), *parts[1:]]
        parts = [f"{part} {family}" if " " not in part else part for part in parts]
    *_, last = parts[-1].split() or [""]
    if len(parts[-1].split()) > 1:
        parts = [part if " " in part else f"{part} {last}" for part in parts]
    are_names = len(parts) > 1 and all(part and "," not in part and doubt_name(part) is None for part in parts)
    return tuple(parts) if are_names else ()


def _doubt_signs(name: str, folded: str) -> NameDoubt | None:
    """The doubt about a text for signs that no name has; the sign behind a number in front is no such sign.

    >>> [(doubt.why, doubt.name) for doubt in map(doubt_name, ("3) Ada Lund", "3) Ada Lund (late)"))]
    [('a number in front of it', 'Ada Lund'), ('a remark in brackets', 'Ada Lund')]
    """
    name = text_behind(COUNT, name) if ORDINAL.match(name) else name
    if any(sign in "()[]{}<>" for sign in name):
        plain = " ".join(REMARK.sub(" ", name).split())
        is_name = (
            bool(plain)
            and fold_name(plain) not in SELF
            and all(map(_may_stand_in_name, plain))
            and _doubt_words(plain, fold_name(plain)) is None
        )
        return NameDoubt("a remark in brackets", name=plain, is_likely=is_name and not NOT_PLAYING.search(folded))
    if strange := next((sign for sign in name if not _may_stand_in_name(sign)), ""):
        plain = _part_that_is_name(name)
        is_whole = " " in plain or strange == "@" or unicodedata.category(strange) == "So"
        is_against = strange in "?~" or any(sign in CROSSES for sign in name) or NOT_PLAYING.search(folded)
        is_likely = is_whole and plain[:1].isupper() and not is_against
        return NameDoubt(f"{strange!r} is part of no name", name=plain, is_likely=is_likely)
    return None


def _part_that_is_name(text: str) -> str:
    """The name in a text that has something else in front of it or behind it; empty if that is not plain.

    >>> [_part_that_is_name(text) for text in ("Ada Lund 🦉", "Ada Lund €20", "✅ Ada Lund", "Italy: Ada Lund", "1: 2")]
    ['Ada Lund', 'Ada Lund', 'Ada Lund', 'Ada Lund', '']
    >>> _part_that_is_name("From: Ada Lund"), _part_that_is_name("£ukasz ¯ak"), _part_that_is_name("Me: yes @ 8")
    ('', '', '')
    """
    before, colon, behind = text.partition(":")
    if colon and (fold_name(before) in POWERS or not behind):
        text = behind
    if handle := HANDLE.fullmatch(text):
        text = handle[1]
    words = text.split()
    while words and not any(sign.isalpha() for sign in words[-1]):
        words.pop()
    while words and not any(sign.isalpha() for sign in words[0]):
        words.pop(0)
    plain = " ".join(words).strip("".join(sign for sign in text if not _may_stand_in_name(sign)))
    return plain if all(map(_may_stand_in_name, plain)) and doubt_name(plain) is None else ""


def _may_stand_in_name(sign: str) -> bool:
    kind = unicodedata.category(sign)  # letters, their marks, and what joins or parts letters of some scripts
    return sign in SIGNS or sign == "_" or sign.isdecimal() or kind[0] in "LM" or kind in ("Zs", "Cf")


def _doubt_words(name: str, folded: str) -> NameDoubt | None:
    """The doubt about a text of letters, for its words.

    >>> names = ("Ada " + "B" * 56, "Ada " + "B" * 57, "A B C D E F", "A B C D E F G")
    >>> [str(doubt and doubt.why) for name in names for doubt in [_doubt_words(name, name.lower())]]
    ['None', 'longer than names are', 'None', 'longer than names are']
    """
    words = folded.split()
    has_digits = any(sign.isdecimal() or sign == "_" for sign in name)
    if word := next((word for at, word in enumerate(words) if word in NO_NAMES or (not at and word in GREETINGS)), ""):
        return NameDoubt(f"{word!r} is part of no name", is_habit=True)
    if has_digits:
        if len(re.findall(r"\d+", name)) > 1:
            return NameDoubt("several numbers in it")
        if ORDINAL.match(name):
            return NameDoubt("a number in front of it", text_behind(COUNT, name), is_likely=True)
        is_stand_in = fold_name(re.sub(r"[\d_]+", " ", name)) in STAND_INS  # "Reserve 1"
        return NameDoubt("digits in it", name, is_likely=not is_stand_in, is_habit=True)
    is_sentence = LAST_WORD_ENDS_SENTENCE.search(name) or REMARK_SIGNS.search(name)
    if name.endswith(",") or name.startswith(("-", ".", ",")) or is_sentence:
        return NameDoubt("written like a remark")
    own = [word for word in name.split() if not (word.islower() and fold_name(word) in PARTICLES)]
    size = len(own) if all(word[0].isupper() for word in own) else len(words)  # "Ana María Ruiz de la Torre y Paz"
    if size >= SENTENCE_WORDS or len(name) > SENTENCE_LETTERS:
        return NameDoubt("longer than names are", is_likely=True, is_habit=True)
    if word := next((word for word in name.split()[1:-1] if word.islower() and fold_name(word) not in PARTICLES), ""):
        return NameDoubt(f"{word!r} between names", is_habit=True)
    if any(_is_wrongly_saved(word) for word in re.split(r"[ -]", name)):
        return NameDoubt("letters of another alphabet, it seems, saved wrongly")
    if any(len(_scripts_of(word)) > 1 for word in re.split(r"[ -]", name)):
        return NameDoubt("letters of two alphabets in one word", is_likely=True)
    return None


def _scripts_of(word: str) -> set[str]:
    """The alphabets in a word that is written with more than one.

    >>> sorted(_scripts_of("Adа")), _scripts_of("Ada")
    (['CYRILLIC', 'LATIN'], {'LATIN'})
    """
    return {script for sign in word for script in SCRIPTS if unicodedata.name(sign, "").startswith(script)}


def _is_wrongly_saved(word: str) -> bool:
    """Whether most letters of a word are Western ones with accents, as Greek and Cyrillic look in a wrong encoding.

    >>> [_is_wrongly_saved(word) for word in ("Ïåòðîâ", "Ðáððò", "Ðáðð", "Øåð", "Zoë", "Nguyễn", "Éléonore")]
    [True, True, True, False, False, False, False]
    """
    return len(word) > 3 and sum("\u00c0" <= sign <= "\u00ff" for sign in word) * 2 > len(word)


def has_small_word(name: str) -> bool:
    """Whether a text begins with a capital, and has a long word in small letters that is no part of a name.

    >>> [has_small_word(name) for name in ("Kind regards", "Vincent van der Berg", "ada lund", "Li Ngugi wa Thiong'o")]
    [True, False, False, False]
    """
    first, *others = name.split()
    if not first[0].isupper():  # who writes his first name in small letters has two words, or three
        return len(others) > 2
    return any(
        word.islower() and len(word) > 3 and fold_name(word) not in PARTICLES and word.isalpha() for word in others
    )
