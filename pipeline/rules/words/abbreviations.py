"""What players write for provinces, powers and the parts of an order, as one tournament accepts it.

A table only says what is listed: which words, for which places. Whether an unlisted word may still be understood, and
what becomes of a word that is listed for two, is decided by ``interpret`` under the tournament's rules.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from pipeline.board.map import Power, province_of

CODE_LETTERS = 3  # of the short words that a province is written with
NOT_LETTERS = re.compile(r"[^a-z0-9]+")
PARTS = re.compile(r"[\s'’-]+")
SMALL_WORDS = frozenset({"of", "the", "and", "de", "du", "d", "des", "la", "le", "et", "von", "der"})
TITLES = frozenset({"royaume", "kingdom"})  # nobody calls Portugal R.P.


def fold(text: str) -> str:
    """Fold a word to what is compared: no accents, no capitals, no blanks, dots or brackets.

    >>> fold("Séb."), fold("StP(nc)"), fold("St. Petersburg"), fold("Stp/sc")
    ('seb', 'stpnc', 'stpetersburg', 'stpsc')
    """
    plain = unicodedata.normalize("NFKD", text.casefold().replace("œ", "oe"))
    return NOT_LETTERS.sub("", plain)


def parts_of(name: str) -> tuple[str, ...]:
    """Cut a name into its words, folded.

    >>> parts_of("Mid-Atlantic Ocean"), parts_of("Mer d'Irlande")
    (('mid', 'atlantic', 'ocean'), ('mer', 'd', 'irlande'))
    """
    return tuple(folded for part in PARTS.split(name) if (folded := fold(part)))


def initials_of(name: str) -> tuple[str, ...]:
    """List the initials of a name of several words, with and without its small words and the ocean at its end.

    >>> initials_of("Gulf of Bothnia"), initials_of("Norwegian Sea"), initials_of("Norway")
    (('gob', 'gb'), ('ns',), ())
    >>> initials_of("Mid-Atlantic Ocean")
    ('mao', 'ma')
    """
    parts = parts_of(name)
    if TITLES.intersection(parts[:1]):
        return ()
    bare = parts[:-1] if parts[-1:] == ("ocean",) else parts
    ways = (parts, tuple(part for part in parts if part not in SMALL_WORDS), bare)
    return tuple(dict.fromkeys("".join(part[0] for part in way) for way in ways if len(way) > 1))


def coast_forms(word: str, coast_words: Iterable[str]) -> Iterator[str]:
    """List what a province with its coast may look like when folded: ``spanc``, ``ncspa``, ``northcoastofspa``.

    >>> list(coast_forms("spa", ["n", "nc", "north coast"]))
    ['span', 'spanc', 'ncspa', 'spanorthcoast', 'northcoastspa', 'northcoastofspa']
    """
    for coast in map(fold, coast_words):
        yield word + coast
        if len(coast) > 1:
            yield coast + word
        if len(coast) > len("coast"):
            yield f"{coast}of{word}"


class Sign(StrEnum):
    """The parts of an order that are not places. The words for each stand in the table ``[signs]``."""

    ARMY = "army"
    FLEET = "fleet"
    HOLD = "hold"
    MOVE = "move"  # between a unit and where it goes
    SUPPORT = "support"
    CONVOY = "convoy"  # between a fleet and the army it carries
    MOVE_BY_CONVOY = "move_by_convoy"  # between an army and where it goes by convoy (EDC23 G: "or C")
    VIA = "via"  # somewhere in an army's move: it goes by convoy
    RETREAT = "retreat"
    BUILD = "build"
    DISBAND = "disband"
    WAIVE = "waive"
    DITTO = "ditto"  # the same as in the line above


class CaseHabit(StrEnum):
    """What capitals mean in this table."""

    IRRELEVANT = "irrelevant"  # (WDC08 12.1)
    SEA_IN_CAPITALS = "sea_in_capitals"  # some writers put seas in capitals and land in lower case (EDC23 G)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvinceWords:
    """One row of a table."""

    code: str  # "MAR"
    number: int  # place in the printed list, from 1: it breaks ties where the rules say so (EDC23 R7)
    name: str  # "Marseilles"
    accepted: tuple[str, ...]  # as they are written, accents and capitals kept: ("Mar", "TOU")
    as_printed: str = ""  # what the source shows, where that is something else: "Tue, TOU"
    note: str = ""  # why it is something else


@dataclass(frozen=True)
class Abbreviations:
    """One tournament's table, made of its file and of the files that it extends."""

    id: str
    name: str
    source: str  # "NZ99 Appendix A"; says so where the table is not in the tournament's own document
    case: CaseHabit
    rows: Mapping[str, ProvinceWords]  # by code, in the order of the list
    ambiguous: Mapping[str, tuple[str, ...]]  # folded word -> codes, written out because no row could list it
    coasts: Mapping[str, tuple[str, ...]]  # place -> words for its coast: "SPA/SC" -> ("sc", "cs", "s")
    signs: Mapping[Sign, tuple[str, ...]]  # as they are written: "by convoy", "->"
    nations: Mapping[Power, tuple[str, ...]]  # "German", "Ger", "Allemagne"
    accepted_lint: Mapping[str, str]  # lint note -> why it is accepted
    other_names: Mapping[str, tuple[str, ...]]  # code -> names in other languages and times, listed by no row
    within: Mapping[str, tuple[str, ...]]  # code -> names of what lies within the province and is not its name
    elsewhere: tuple[str, ...]  # real names of what lies within no province, or within several
    language: str = (
        ""  # "de": whose words the first ones of its rows are, fit for print; nothing: nobody's in particular
    )
    prints_own: bool = False  # whether those are printed, and not the codes

    @cached_property
    def words(self) -> Mapping[str, tuple[str, ...]]:
        """Every listed word, folded, with all provinces that it is listed for; two or more make it ambiguous."""
        found: dict[str, set[str]] = {word: set(codes) for word, codes in self.ambiguous.items()}
        for row in self.rows.values():
            for word in (row.name, *row.accepted):
                found.setdefault(fold(word), set()).add(row.code)
        return {word: tuple(sorted(codes)) for word, codes in sorted(found.items())}

    @cached_property
    def unusual(self) -> frozenset[str]:
        """The short words, folded, that hardly anybody writes: TRL for Tyrolia, where TYR stands before it.

        They stand in a row behind another, and are neither its code nor how a longer word of it begins; nor usual for
        another province.
        """
        usual = {word for row in self.rows.values() for word in usual_words(row)}
        listed = {fold(word) for row in self.rows.values() for word in row.accepted}
        return frozenset(word for word in listed - usual if len(word) <= CODE_LETTERS)

    @cached_property
    def initials(self) -> Mapping[str, tuple[str, ...]]:
        """The initials of every name of several words, and the provinces that bear one; what is listed is not here.

        They are abbreviations like any other: ``as`` is the Adriatic or the Aegean Sea, unless a row lists it.
        """
        found: dict[str, set[str]] = {}
        for row in self.rows.values():
            for name in (row.name, *row.accepted):
                for word in initials_of(name):
                    found.setdefault(word, set()).add(row.code)
        return {word: tuple(sorted(codes)) for word, codes in sorted(found.items()) if word not in self.words}

    @cached_property
    def places(self) -> Mapping[str, tuple[str, ...]]:
        """Every listed word, folded, with or without a coast (``spanc``), and the places that it is listed for."""
        found: dict[str, set[str]] = {word: set(codes) for word, codes in self.words.items()}
        for place, coast_words in self.coasts.items():
            for word, codes in self.words.items():
                if province_of(place) in codes:
                    for form in coast_forms(word, coast_words):
                        found.setdefault(form, set()).add(place)
        return {word: tuple(sorted(places)) for word, places in sorted(found.items())}

    @cached_property
    def order(self) -> tuple[str, ...]:
        """All provinces in the order of the list."""
        return tuple(sorted(self.rows, key=lambda code: self.rows[code].number))

    @cached_property
    def power_words(self) -> Mapping[str, tuple[Power, ...]]:
        """Every word for a nation, folded, with the powers it may mean."""
        found: dict[str, set[Power]] = {}
        for power, words in self.nations.items():
            for word in (power, *words):
                found.setdefault(fold(word), set()).add(power)
        return {word: tuple(sorted(powers)) for word, powers in sorted(found.items())}

    def listed(self, word: str) -> tuple[str, ...]:
        """List the places that a word is listed for, coast included; more than one: it is ambiguous; none: unlisted."""
        return self.places.get(fold(word), ())

    def places_in_print(self) -> dict[str, str]:
        """Every place with its word in print."""
        return {place: self.plain_word(place) for place in (*self.rows, *self.coasts)}

    def plain_word(self, place: str) -> str:
        """Name a place in print: three letters, or more where those may mean another place, too (MARS, EDC23 G).

        More is the shortest listed word that the name begins with and that means nothing else.
        """
        code = province_of(place)
        if self.prints_own:
            own = next((word for word in self.rows[code].accepted if self.words[fold(word)] == (code,)), code)
            return f"{own.upper()}/{self.coasts[place][0].upper()}" if place[3:] else own.upper()
        if self.words.get(fold(code), (code,)) == (code,):
            return place
        name = self.rows[code].name
        words = [word for word in (*self.rows[code].accepted, name) if fold(name).startswith(fold(word))]
        plain = [word for word in words if self.words[fold(word)] == (code,)]
        return min(plain, key=len, default=name).upper() + place[3:]


def usual_words(row: ProvinceWords) -> Iterator[str]:
    """List the words of a row, folded, that are not unusual: the first, the code, the longer ones and their beginnings.

    >>> words = ("Tyr", "tyl", "trl", "tyo", "Tyrol")
    >>> row = ProvinceWords(code="TYR", number=1, name="Tyrolia", accepted=words)
    >>> sorted(set(usual_words(row)))
    ['tyr', 'tyrol', 'tyrolia']
    """
    words = [fold(word) for word in (*row.accepted, row.name)]
    long = [word for word in words if len(word) > CODE_LETTERS]
    begins = (word for word in words if any(name.startswith(word) for name in long))
    yield from (*words[:1], *begins, fold(row.code))
