"""What players call the provinces: names, abbreviations, beginnings and slips, by tournament and by language."""

import tomllib
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.line_grammar.situations import BOARD
from pipeline.board import Power, province_of

ROOT = Path(__file__).resolve().parents[2]
TOURNAMENTS = ("nzdc1999", "weaselmoot", "edc2023", "edc1996", "wdc2008")
# Listed words that are also a remark, a nation, a direction or a day: no plain line is written with them.
_CONFUSING = "both english black channel east west eastern western tue by life fri tyre man alp".split()  # noqa: SIM905
LANGUAGES = tomllib.loads((Path(__file__).parent / "languages.toml").read_text(encoding="utf-8"))
NATIONS = dict(zip(Power, ("Austrian", "English", "French", "German", "Italian", "Russian", "Turkish"), strict=True))


def plain_letters(word: str) -> str:
    """Letters without accents, blanks, signs and capitals."""
    return "".join(c for c in unicodedata.normalize("NFKD", word.casefold()) if c.isalpha() and c.isascii())


def _read_toml(path: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / path).read_text(encoding="utf-8"))


def _read_table(name: str) -> list[dict[str, Any]]:
    """Read a table of abbreviations and all that it extends."""
    table = _read_toml(f"abbreviations/{name}.toml")
    return [table, *(one for below in table.get("extends", ()) for one in _read_table(below))]


def _list_names(table: dict[str, Any], *headings: str) -> list[tuple[str, str]]:
    """The words for provinces under the headings of a table, each with its province."""
    rows = [row for heading in headings for row in table.get(heading, {}).items()]
    plain = [(code, [*row["accepted"], row.get("name", "")] if isinstance(row, dict) else row) for code, row in rows]
    return [(word, code) for code, words in plain for word in words if word]


def _read_list(language: str) -> dict[str, str]:
    return {row[:3]: row[4:] for row in LANGUAGES[language]["names"].split(", ")}


@cache
def _known_names() -> dict[str, set[str]]:
    """Every name of anything on a map, in any language, with the provinces it is in."""
    headings = ("other_names", "within", "elsewhere", "provinces")
    tables = [_read_table(name)[0] for name in ("names", "german", "french")]
    pairs = [pair for table in tables for pair in _list_names(table, *headings)]
    pairs += [(name, code) for language in ("italian", "spanish") for code, name in _read_list(language).items()]
    return _gather([*pairs, *((province.name, province.code) for province in BOARD.provinces.values())])


def _gather(pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for word, code in pairs:
        found.setdefault(plain_letters(word), set()).add(code)
    return found


def _find_initials(name: str) -> list[str]:
    """The first letters of the words of a name, with and without its small words."""
    words = name.replace("-", " ").replace("'", " ").split()
    large = [word for word in words if word.casefold() not in {"of", "de", "du", "d", "la", "le", "the"}]
    return ["".join(word[0] for word in some) for some in (words, large) if len(some) > 1]


def _is_slip(letters: str, word: str) -> bool:
    """Say whether one letter put in, left out or changed makes a word of these letters."""
    short, long = sorted((letters, word), key=len)
    if len(long) > len(short) + 1:
        return False
    rests = {short[:at] + short[at + 1 :] for at in range(len(short))} if len(long) == len(short) else {short}
    return letters != word and bool(rests & {long[:at] + long[at + 1 :] for at in range(len(long))})


def _find_meant(cut: str, known: list[tuple[str, set[str]]]) -> set[str]:
    """The provinces of the words that begin so."""
    return {code for word, codes in known if word.startswith(plain_letters(cut)) for code in codes}


class Places:
    """The words of one tournament."""

    def __init__(self, tournament: str) -> None:
        tables = _read_table(_read_toml(f"templates/rules/{tournament}.toml")["tournament"]["abbreviations"])
        shown = [pair for table in tables for pair in _list_names(table, "provinces")]
        doubtful = [row for table in tables for row in table.get("ambiguous", {}).items()]
        self.listed = _gather([*shown, *((word, code) for word, codes in doubtful for code in codes)])
        self.names = {code: province.name for code, province in BOARD.provinces.items()}
        self.initials = _gather([(cut, code) for word, code in shown for cut in _find_initials(word)])
        self._short = {
            code: sorted({word for word, its in shown if self._is_short(word, its, code)}) for code in self.names
        }

    def _is_short(self, word: str, its: str, code: str) -> bool:
        letters = plain_letters(word)
        means_one = self.listed[letters] == _known_names().get(letters, {code}) == {code}
        return its == code and means_one and letters not in _CONFUSING and len(letters) in {3, 4}

    def is_clear(self, word: str, code: str) -> bool:
        """Say whether this tournament's tables give the word no other meaning."""
        return self.listed.get(plain_letters(word), {code}) == {code}

    def write_place(self, place: str, rng: Random) -> str:
        """Spell a province (its coast is written apart) with a word that means nothing else in this tournament."""
        code = province_of(place)
        short = self._short[code]
        word = rng.choice(short) if short and rng.random() < 0.7 else self.names[code]
        return rng.choice([word.upper(), word.lower(), word, *[word[0].upper() + word[1:]] * 2])

    @cache  # noqa: B019 - one object a tournament, kept for good
    def find_beginnings(self, place: str) -> list[str]:
        """Beginnings of the name, of four letters and more, with which no other name on any map begins."""
        name, known = self.names[province_of(place)], [*_known_names().items(), *self.listed.items()]
        cuts = [name[:length] for length in range(4, len(name)) if name[:length].isalpha()]
        cuts = [cut for cut in cuts if len(cut) > 4 or self.find_slips(cut) <= {province_of(place)}]
        return [cut for cut in cuts if plain_letters(cut) not in _CONFUSING and len(_find_meant(cut, known)) == 1]

    def find_short_beginning(self, place: str, length: int) -> tuple[str, set[str]]:
        """The first letters of the name, and the provinces whose English names or listed words begin so."""
        cut = self.names[province_of(place)][:length]
        names = [(plain_letters(name), {code}) for code, name in self.names.items()]
        listed = [(word, its) for word, its in self.listed.items() if not word.startswith("kingdomof")]
        return cut, _find_meant(cut, [*names, *listed]) | self.initials.get(plain_letters(cut), set())

    def find_slips(self, cut: str) -> set[str]:
        """The provinces of a listed word that is these letters with one more, one less or another one."""
        letters = plain_letters(cut)
        return {code for word, its in self.listed.items() if _is_slip(letters, word) for code in its}

    def misspell(self, place: str, rng: Random) -> str:
        """The name with one slip of the pen, if it is long, and the slip is near no other name; else nothing."""
        name = self.names[province_of(place)]
        if len(name) < 7:
            return ""
        at = rng.randrange(2, len(name) - 1)
        head, letter, tail = name[:at], name[at], name[at + 1 :]
        ends = [tail, 2 * letter + tail, tail[:1] + letter + tail[1:], rng.choice("aeiou") + tail]
        slip = head + rng.choice(ends)
        letters = plain_letters(slip)
        known = _known_names()
        near = {code for word in get_close_matches(letters, known, 5, 0.7) for code in known[word]}
        return slip if letters not in self.listed and letters not in known and near == {province_of(place)} else ""


@cache
def get_places(tournament: str) -> Places:
    """The words of a tournament, read once."""
    return Places(tournament)


@cache
def get_foreign_names(language: str) -> dict[str, str]:
    """One name a province in a language that is not English, where it means one province everywhere."""
    if "names" in LANGUAGES[language]:
        pairs = [(name, code) for code, name in _read_list(language).items()]
    else:
        pairs = _list_names(_read_table(language)[0], "provinces")
    longest = {code: name for name, code in sorted(pairs, key=lambda pair: (len(pair[0]), pair[0]))}
    return {code: name for code, name in longest.items() if _known_names()[plain_letters(name)] == {code}}


@cache
def get_other_names(heading: str) -> dict[str, list[str]]:
    """What else is said for a province, and for no other: its names in other languages, or what lies within it."""
    known = _known_names()
    rows = _read_toml("abbreviations/names.toml")[heading].items()
    return {code: [name for name in names if known[plain_letters(name)] == {code}] for code, names in rows}
