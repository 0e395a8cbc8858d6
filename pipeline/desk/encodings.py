"""How a text file was saved that is not UTF-8 and does not say so.

Each encoding is tried, and what it makes of the names is weighed. Where two make names of it, the director is asked.
"""

import codecs
import re
import unicodedata
from functools import cache
from itertools import groupby, pairwise

from msgspec import Struct

from pipeline.problems import stop

ENCODINGS = {
    "cp1252": "Windows, Western Europe",
    "cp1250": "Windows, Central Europe",
    "cp1251": "Windows, Cyrillic",
    "cp1253": "Windows, Greek",
    "cp1254": "Windows, Turkish",
    "cp1257": "Windows, Baltic",
    "cp1255": "Windows, Hebrew",
    "cp1256": "Windows, Arabic",
    "mac_roman": "old Macintosh, Western Europe",
    "cp850": "DOS, Western Europe",
    "cp852": "DOS, Central Europe",
    "iso8859_2": "ISO 8859-2, Central Europe",
    "koi8_u": "KOI8, Cyrillic",
    "cp866": "DOS, Cyrillic",
    "iso8859_5": "ISO 8859-5, Cyrillic",
    "iso8859_7": "ISO 8859-7, Greek",
    "iso8859_15": "ISO 8859-15, Western Europe",
    "mac_latin2": "old Macintosh, Central Europe",
    "mac_cyrillic": "old Macintosh, Cyrillic",
    "mac_greek": "old Macintosh, Greek",
    "mac_turkish": "old Macintosh, Turkish",
    "cp737": "DOS, Greek",
    "cp857": "DOS, Turkish",
    "cp932": "Japanese, Shift-JIS",
    "euc_jp": "Japanese, EUC",
    "gb18030": "Chinese, GB 18030",
    "big5": "Chinese, Big5",
    "cp949": "Korean",
}  # the likeliest first
RARE = frozenset({"iso8859_5", "mac_latin2", "mac_cyrillic", "mac_greek", "mac_turkish", "cp737", "cp857"})
# The first byte of everyday characters, first and last: the standards list these first, and rare ones behind
EVERYDAY = {
    "cp932": (0x88, 0x97),
    "euc_jp": (0xB0, 0xCF),
    "gb18030": (0xB0, 0xD7),
    "big5": (0xA4, 0xC6),
    "cp949": (0xB0, 0xC8),
}
ALPHABETS = """
    àâæçéèêëîïôœùûüÿ äöüß áéíñóúüçàèòï àáâãçéêíóôõúü àèéìíòóùú åäæéöøü áæéíðóöúýþ ąćęłńóśźż
    áäčďéěíĺľňóôŕřšťúůýž áéíóöőúüű čćđšž âăîșşțţ âçğıîöşüûi̇ ąčęėįšųūž āčēģīķļņšūž äõöüšž
    абвгдеёжзийклмнопрстуфхцчшщъыьэюя абвгґдеєжзиіїйклмнопрстуфхцчшщьюя абвгдеёжзійклмнопрстуўфхцчшыьэюя
    абвгдђежзијклљмнњопрстћуфхцчџш абвгдѓежзѕијклљмнњопрстќуфхцчџш
    αβγδεζηθικλμνξοπρστυφχψωάέήίόύώϊϋΐΰς
"""  # of one language each, without the letters of ASCII: a word is of one language
VOWELS = frozenset("aeiouyæœøıаеёиоуыэюяіїєαεηιουω")
STRESSED = frozenset("άέήίόύώΐΰ")
LOOKED_AT = 20_000  # bytes
FAR = 1.0  # of oddness: one sign that no name has, or one word that is of no language


class Decoded(Struct, frozen=True):
    """A text as one encoding reads it."""

    encoding: str
    title: str
    text: str
    oddness: float  # how much in it is in no name, summed over its words


def decode_as(content: bytes, encoding: str, name: str) -> str:
    """Decode a text as the director says; `Stopped` where that encoding is unknown, or cannot be the right one."""
    try:
        return content.decode(encoding)
    except (LookupError, UnicodeDecodeError) as error:
        known = ", ".join(("utf-8", *ENCODINGS))
        text = f"no text in the encoding {encoding[:40]!r}; known are {known}"
        raise stop(text, name) from error


def decode_in_every_way(content: bytes) -> list[Decoded]:
    """Every way to read a text that is not UTF-8, the likeliest first; ways that give the same text once."""
    import ftfy  # noqa: PLC0415 - it takes long to load, and most lists do not need it

    ways: dict[str, Decoded] = {}
    for encoding, title in ENCODINGS.items():
        try:
            start = codecs.getincrementaldecoder(encoding)().decode(content[:LOOKED_AT])
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if text not in ways:
            odd = _oddness(ftfy.fix_encoding(start), encoding) + FAR * (encoding in RARE)
            odd += sum("\x80" <= sign <= "\x9f" for sign in start)  # ftfy takes these for letters of Windows
            ways[text] = Decoded(encoding, title, text, odd)
    return sorted(ways.values(), key=lambda each: (each.oddness, _count_languages(each.text[:LOOKED_AT])))


def _count_languages(text: str) -> int:
    """How many alphabets it takes to spell all words of a text: names of one country need one."""
    left = [{sign for sign in word if not sign.isascii()} for word in re.findall(r"[^\W\d_]+", text.lower())]
    alphabets = [frozenset(alphabet) for alphabet in ALPHABETS.split()]
    count = 0
    while left := [letters for letters in left if letters]:
        best = max(alphabets, key=lambda alphabet: sum(letters <= alphabet for letters in left))
        rest = [letters for letters in left if not letters <= best]
        if len(rest) == len(left):
            return count + len(left)
        left, count = rest, count + 1
    return count


def _oddness(text: str, encoding: str) -> float:
    """How much in a text does not look like names.

    >>> _oddness("Łukasz Żak", "cp1250") < _oddness("£ukasz ¯ak", "cp1252")
    True
    """
    words = set(re.findall(r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f\u0591-\u05c7\u064b-\u0652])*", text))
    strange = sum(_strangeness_at(text, place) for place, sign in enumerate(text) if not sign.isascii())
    return strange + sum(
        _oddness_of_word(word) + _rare_characters(word, encoding) for word in words if not word.isascii()
    )


def _strangeness_at(text: str, place: int) -> float:
    """How strange a sign is at its place: 1 where no name has it, 0 where names have it.

    >>> [_strangeness_at("e\N{COMBINING ACUTE ACCENT}’\N{COMBINING ACUTE ACCENT}", place) for place in (1, 2, 3)]
    [False, 1, True]
    >>> [_strangeness_at("D’A·B’", place) for place in (1, 3, 5)], _strangeness_at("€–", 0), _strangeness_at("€–", 1)
    ([0, 0, 1], 1, 0.5)
    """
    sign = text[place]
    kind = unicodedata.category(sign)
    if kind[0] == "L":
        return kind == "Lo" and unicodedata.name(sign, "").startswith("HALFWIDTH")
    if kind == "Mn":
        return place == 0 or not text[place - 1].isalpha()
    if sign in "’·":
        return 0 if text[place - 1 : place].isalpha() and text[place + 1 : place + 2].isalpha() else 1
    return 0.5 if sign in "“”„–—…\u00a0\u3000" else 1


@cache
def _script_of(sign: str) -> str:
    word = unicodedata.name(sign, "").partition(" ")[0]
    return "CJK" if word in ("HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA") else word


def _oddness_of_word(word: str) -> float:
    """How unlike a word of a name a text is: its alphabets, its capitals, its letters, and their order."""
    scripts = {_script_of(sign) for sign in word if sign.isalpha()}
    if len(scripts) > 1:
        return 2 * FAR
    odd = FAR * sum(_is_capital_odd(word, place) for place in range(1, len(word)))
    small = word.lower()
    if scripts <= {"LATIN", "CYRILLIC", "GREEK"}:
        odd += FAR * min(
            sum(not sign.isascii() and sign not in alphabet for sign in small) for alphabet in ALPHABETS.split()
        )
        odd += FAR * _count_odd_runs(small) + (FAR / 2 if word[0].islower() and not word[0].isascii() else 0)
    if scripts == {"GREEK"}:
        vowels = sum(_is_vowel(sign) for sign in small)
        odd += FAR * ("ς" in small[:-1]) + FAR * (
            vowels > 2 and not word.isupper() and sum(sign in STRESSED for sign in small) != 1
        )
    return odd


def _is_capital_odd(word: str, place: int) -> bool:
    """A capital inside small letters, or a small letter between capitals; of ASCII both stand in names (McKay)."""
    before, sign, after = word[place - 1], word[place], word[place + 1 : place + 2]
    return not sign.isascii() and (not word.isupper() if sign.isupper() else before.isupper() and after.isupper())


def _is_vowel(letter: str) -> bool:
    return unicodedata.normalize("NFD", letter)[0] in VOWELS


def _count_odd_runs(word: str) -> int:
    """Count runs of vowels or of consonants that names lack: long ones with an accent, two consonants with one each."""
    count = 0
    for is_vowel, run in groupby(word, _is_vowel):
        letters = "".join(run)
        is_all = len(letters) == len(word) > 2 and not is_vowel
        is_double = not is_vowel and any(not a.isascii() and not b.isascii() for a, b in pairwise(letters))
        count += is_all or is_double or (len(letters) > 3 and not letters.isascii())
    return count


def _rare_characters(word: str, encoding: str) -> float:
    """How many characters of a Chinese, Japanese or Korean word are rare; none in other encodings."""
    if encoding not in EVERYDAY:
        return 0
    first, last = EVERYDAY[encoding]
    kana = ("HIRAGANA", "KATAKANA")
    return FAR * sum(
        not first <= sign.encode(encoding)[0] <= last
        for sign in word
        if not sign.isascii() and not unicodedata.name(sign, "").startswith(kana)
    )
