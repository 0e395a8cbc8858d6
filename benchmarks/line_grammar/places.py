"""What players call the provinces: names, abbreviations, beginnings and slips, by tournament and by language."""

import tomllib
import unicodedata
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from pipeline.board import Power, province_of, standard_map

ROOT = Path(__file__).resolve().parents[2]
BOARD = standard_map()
TOURNAMENTS = ("nzdc1999", "weaselmoot", "edc2023", "edc1996", "wdc2008")
# Listed words that are also a remark, a nation, a direction or a day: no plain line is written with them.
_CONFUSING = {
    "both",
    "english",
    "black",
    "channel",
    "east",
    "west",
    "eastern",
    "western",
    "tue",
    "by",
    "life",
    "fri",
    "tyre",
    "man",
    "alp",
}
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


@cache
def _known_names() -> dict[str, set[str]]:
    """Every name of anything on a map, in any language, with the provinces it is in."""
    known: dict[str, set[str]] = {}
    for language in ("names", "german", "french"):
        table = _read_toml(f"abbreviations/{language}.toml")
        for heading in ("other_names", "within", "elsewhere"):
            for code, names in table.get(heading, {}).items():
                for name in names:
                    known.setdefault(plain_letters(name), set()).add(code)
        for code, row in table.get("provinces", {}).items():
            for name in (*row["accepted"], *([row["name"]] if "name" in row else [])):
                known.setdefault(plain_letters(name), set()).add(code)
    for language in ("italian", "spanish"):
        for code, name in _read_list(language).items():
            known.setdefault(plain_letters(name), set()).add(code)
    for province in BOARD.provinces.values():
        known.setdefault(plain_letters(province.name), set()).add(province.code)
    return known


def _read_list(language: str) -> dict[str, str]:
    return {row[:3]: row[4:] for row in LANGUAGES[language]["names"].split(", ")}


class Places:
    """The words of one tournament."""

    def __init__(self, tournament: str) -> None:
        tables = _read_table(_read_toml(f"templates/rules/{tournament}.toml")["tournament"]["abbreviations"])
        self.listed: dict[str, set[str]] = {}
        shown: dict[str, set[str]] = {code: set() for code in BOARD.provinces}
        for table in tables:
            for word, codes in table.get("ambiguous", {}).items():
                self.listed.setdefault(plain_letters(word), set()).update(codes)
            for code, row in table.get("provinces", {}).items():
                for word in row["accepted"]:
                    self.listed.setdefault(plain_letters(word), set()).add(code)
                    if code in shown:
                        shown[code].add(word)
        self.names = {code: province.name for code, province in BOARD.provinces.items()}
        self._short = {
            code: [one for one in sorted(words) if self._is_plain(one, code)] for code, words in shown.items()
        }

    def _is_plain(self, word: str, code: str) -> bool:
        letters = plain_letters(word)
        fits = self.listed[letters] == {code} and _known_names().get(letters, {code}) == {code}
        return fits and letters not in _CONFUSING and len(letters) >= 3

    def is_clear(self, word: str, code: str) -> bool:
        """Say whether this tournament's tables give the word no other meaning."""
        return self.listed.get(plain_letters(word), {code}) == {code}

    def write_place(self, place: str, rng: Random) -> str:
        """Spell a province (its coast is written apart) with a word that means nothing else in this tournament."""
        code = province_of(place)
        short = [word for word in self._short[code] if len(word) <= 4]
        word = rng.choice(short) if short and rng.random() < 0.7 else self.names[code]
        return {0: word.upper(), 1: word.lower(), 2: word}.get(rng.randrange(5), word[0].upper() + word[1:])

    @cache  # noqa: B019 - one object a tournament, kept for good
    def find_beginnings(self, place: str) -> list[str]:
        """Beginnings of the name, of four letters and more, with which no other name on any map begins."""
        name = self.names[province_of(place)]
        cuts = [name[:length] for length in range(4, len(name)) if name[:length].isalpha()]
        return [cut for cut in cuts if self._begins_only(cut, province_of(place))]

    def _begins_only(self, cut: str, code: str) -> bool:
        letters = plain_letters(cut)
        meant = set().union(
            *(codes for word, codes in {**_known_names(), **self.listed}.items() if word.startswith(letters))
        )
        return meant == {code} and letters not in _CONFUSING

    def find_short_beginning(self, place: str, length: int) -> tuple[str, set[str]]:
        """The first letters of the name, and the provinces whose English names or listed words begin so."""
        cut = self.names[province_of(place)][:length]
        letters = plain_letters(cut)
        codes = {code for code, name in self.names.items() if plain_letters(name).startswith(letters)}
        return cut, codes | {code for word, some in self.listed.items() if word.startswith(letters) for code in some}

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
        names = _read_list(language)
    else:
        rows = _read_toml(f"abbreviations/{language}.toml")["provinces"]
        spelled = {code: {*row["accepted"], row.get("name", "")} for code, row in rows.items()}
        names = {code: min(words, key=lambda word: (-len(word), word)) for code, words in spelled.items()}
    return {code: name for code, name in names.items() if _known_names()[plain_letters(name)] == {code}}
