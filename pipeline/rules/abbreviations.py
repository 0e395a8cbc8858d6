"""What players write for provinces, powers and the parts of an order, as one tournament accepts it.

A table only lists words and their places. Whether an unlisted word may still be understood, and
what becomes of a word that is listed for two, is decided by ``interpret`` under the tournament's rules.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cached_property
from typing import Any, TypeVar

from msgspec import Struct
from rapidfuzz.distance import OSA, JaroWinkler
from rapidfuzz.process import extract

from pipeline.board import Power, province_of, standard_map
from pipeline.problems import Problem
from pipeline.rules.table import Table, did_you_mean

CODE_LETTERS = 3  # of the short words that a province is written with
NOT_LETTERS = re.compile(r"[^a-z0-9]+")
PARTS = re.compile(r"[\s'’-]+")
SMALL_WORDS = frozenset({"of", "the", "and", "de", "du", "d", "des", "la", "le", "et", "von", "der"})
TITLES = frozenset({"royaume", "kingdom"})  # never abbreviated: Portugal is not "R.P."


def fold(text: str) -> str:
    """Fold a word to what is compared: no accents, no capitals, no blanks, dots or brackets.

    >>> fold("Séb."), fold("StP(nc)"), fold("St. Petersburg"), fold("Stp/sc")
    ('seb', 'stpnc', 'stpetersburg', 'stpsc')
    """
    plain = unicodedata.normalize("NFKD", text.casefold().replace("œ", "oe"))
    return NOT_LETTERS.sub("", plain)


def fold_words(name: str) -> tuple[str, ...]:
    """Cut a name into its words, folded.

    >>> fold_words("Mid-Atlantic Ocean"), fold_words("Mer d'Irlande")
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
    parts = fold_words(name)
    if TITLES.intersection(parts[:1]):
        return ()
    bare = parts[:-1] if parts[-1:] == ("ocean",) else parts
    ways = (parts, tuple(part for part in parts if part not in SMALL_WORDS), bare)
    return tuple(dict.fromkeys("".join(part[0] for part in way) for way in ways if len(way) > 1))


def _coast_forms(word: str, coast_words: Iterable[str]) -> Iterator[str]:
    """List what a province with its coast may look like when folded: ``spanc``, ``ncspa``, ``northcoastofspa``.

    >>> list(_coast_forms("spa", ["n", "nc", "north coast"]))
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


class ProvinceWords(Struct, frozen=True, kw_only=True):
    """One row of a table."""

    code: str  # "MAR"
    number: int  # place in the printed list, from 1: it breaks ties where the rules say so (EDC23 R7)
    name: str  # "Marseilles"
    accepted: tuple[str, ...]  # as they are written, accents and capitals kept: ("Mar", "TOU")
    as_printed: str = ""  # what the source shows, where that is something else: "Tue, TOU"
    note: str = ""  # why it is something else


class Abbreviations(Struct, frozen=True, dict=True, weakref=True):
    """One tournament's table, made of its file and of the files that it extends."""

    id: str
    name: str
    source: str  # "NZ99 Appendix A", or that the table is not from the tournament's own document
    case: CaseHabit
    rows: Mapping[str, ProvinceWords]  # by code, in the order of the list
    ambiguous: Mapping[str, tuple[str, ...]]  # folded word -> codes, written out because no row could list it
    coasts: Mapping[str, tuple[str, ...]]  # place -> words for its coast: "SPA/SC" -> ("sc", "cs", "s")
    signs: Mapping[Sign, tuple[str, ...]]  # as they are written: "by convoy", "->"
    nations: Mapping[Power, tuple[str, ...]]  # "German", "Ger", "Allemagne"
    accepted_lint: Mapping[str, str]  # word of a lint note -> why the note is accepted
    other_names: Mapping[str, tuple[str, ...]]  # code -> names in other languages and times, listed by no row
    abroad: Mapping[str, tuple[str, ...]]  # code -> abbreviations of other editions, listed by no row
    within: Mapping[str, tuple[str, ...]]  # code -> names of what lies within the province and is not its name
    elsewhere: tuple[str, ...]  # real names of what lies within no province, or within several
    language: str = ""  # "de": the language of the first word of each row; empty: no single language
    prints_own: bool = False  # whether these first words are printed instead of the codes

    @cached_property
    def words(self) -> Mapping[str, tuple[str, ...]]:
        """Every listed word, folded, with all provinces that it is listed for; two or more make it ambiguous."""
        codes_of: dict[str, set[str]] = {word: set(codes) for word, codes in self.ambiguous.items()}
        for row in self.rows.values():
            for word in (row.name, *row.accepted):
                codes_of.setdefault(fold(word), set()).add(row.code)
        return {word: tuple(sorted(codes)) for word, codes in sorted(codes_of.items())}

    @cached_property
    def unusual(self) -> frozenset[str]:
        """The short words, folded, that hardly anybody writes: TRL for Tyrolia, where TYR stands before it.

        Such a word is not the first of its row, nor its code, nor the beginning of a longer word in it; and it is not a
        usual word of another province.
        """
        usual = {word for row in self.rows.values() for word in _usual_words(row)}
        listed = {fold(word) for row in self.rows.values() for word in row.accepted}
        return frozenset(word for word in listed - usual if len(word) <= CODE_LETTERS)

    @cached_property
    def initials(self) -> Mapping[str, tuple[str, ...]]:
        """The initials of every name of several words, with their provinces; initials that a row lists are left out.

        They are abbreviations like any other: ``as`` is the Adriatic or the Aegean Sea, unless a row lists it.
        """
        codes_of: dict[str, set[str]] = {}
        for row in self.rows.values():
            for name in (row.name, *row.accepted):
                for word in initials_of(name):
                    codes_of.setdefault(word, set()).add(row.code)
        return {word: tuple(sorted(codes)) for word, codes in sorted(codes_of.items()) if word not in self.words}

    @cached_property
    def places(self) -> Mapping[str, tuple[str, ...]]:
        """Every listed word, folded, with or without a coast (``spanc``), and the places that it is listed for."""
        codes_of: dict[str, set[str]] = {word: set(codes) for word, codes in self.words.items()}
        for place, coast_words in self.coasts.items():
            for word, codes in self.words.items():
                if province_of(place) in codes:
                    for form in _coast_forms(word, coast_words):
                        codes_of.setdefault(form, set()).add(place)
        return {word: tuple(sorted(places)) for word, places in sorted(codes_of.items())}

    @property
    def order(self) -> tuple[str, ...]:
        """All provinces in the order of the list."""
        return tuple(sorted(self.rows, key=lambda code: self.rows[code].number))

    @property
    def power_words(self) -> Mapping[str, tuple[Power, ...]]:
        """Every word for a nation, folded, with the powers it may mean."""
        powers_of: dict[str, set[Power]] = {}
        for power, words in self.nations.items():
            for word in (power, *words):
                powers_of.setdefault(fold(word), set()).add(power)
        return {word: tuple(sorted(powers)) for word, powers in sorted(powers_of.items())}

    def places_listed(self, word: str) -> tuple[str, ...]:
        """List the places that a word is listed for, coast included; more than one: it is ambiguous; none: unlisted."""
        return self.places.get(fold(word), ())

    def places_in_print(self) -> dict[str, str]:
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


def _usual_words(row: ProvinceWords) -> Iterator[str]:
    """List the words of a row, folded, that are not unusual: the first, the code, the longer ones and their beginnings.

    >>> words = ("Tyr", "tyl", "trl", "tyo", "Tyrol")
    >>> row = ProvinceWords(code="TYR", number=1, name="Tyrolia", accepted=words)
    >>> sorted(set(_usual_words(row)))
    ['tyr', 'tyrol', 'tyrolia']
    """
    words = [fold(word) for word in (*row.accepted, row.name)]
    long = [word for word in words if len(word) > CODE_LETTERS]
    begins = (word for word in words if any(name.startswith(word) for name in long))
    yield from (*words[:1], *begins, fold(row.code))


# Make an abbreviation table from its file and those that it extends, with all faults at once.

UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})  # ß folds to ss
K = TypeVar("K", bound=str)


def read_abbreviations(name: str, files: Mapping[str, Mapping[str, Any]], problems: list[Problem]) -> Abbreviations:
    """Read table ``name``; ``files`` holds it and every table that it extends, directly or not.

    What two tables say about the same province is joined, the extending table's words first. Its list numbers are
    its own; without any, those of the first table it extends.
    """
    return _join(name, files, problems, ())


def _join(
    name: str, files: Mapping[str, Mapping[str, Any]], problems: list[Problem], under: tuple[str, ...]
) -> Abbreviations:
    """Join one table with its bases; ``under`` are the tables that are being joined already."""
    table = Table(files[name], f"{name}.toml", problems, between=" ")
    bases = []
    for base in _texts(table, "extends"):
        if base in (*under, name):
            table.fault("extends", f"{base!r} extends this table, so this table cannot extend it")
        elif base in files:
            bases.append(_join(base, files, problems, (*under, name)))
        else:
            table.fault("extends", f"expected the name of a table, found {base!r}")
    own = _read_rows(table.table("provinces"))
    explained = {fold(word) for row in own.values() for word in row.accepted}
    rows = _join_rows([own, *(base.rows for base in bases)])
    if not under and (missing := [code for code in standard_map().provinces if code not in rows]):
        table.fault("provinces", f"no row for {', '.join(missing)}; what may be written for them?")
    joined = Abbreviations(
        id=name,
        name=table.get("name", str, name),
        source=table.get("source", str, ""),
        case=CaseHabit(table.choice("case", tuple(CaseHabit))),
        rows=rows,
        # what a base calls ambiguous may be listed in this table's own rows
        ambiguous=_merge(
            [
                _read_ambiguous(table),
                *({w: codes for w, codes in base.ambiguous.items() if w not in explained} for base in bases),
            ]
        ),
        coasts=_merge([_read_coasts(table), *(base.coasts for base in bases)]),
        signs=_merge([_read_words_by_key(table.table("signs"), tuple(Sign)), *(base.signs for base in bases)]),
        nations=_merge([_read_words_by_key(table.table("nations"), tuple(Power)), *(base.nations for base in bases)]),
        accepted_lint=_read_lint(table.table("lint")),
        other_names=_merge([_read_places(table, "other_names"), *(base.other_names for base in bases)]),
        abroad=_merge([_read_places(table, "abroad"), *(base.abroad for base in bases)]),
        within=_merge([_read_places(table, "within"), *(base.within for base in bases)]),
        elsewhere=tuple(dict.fromkeys((*_read_elsewhere(table), *(name for base in bases for name in base.elsewhere)))),
        language=table.get("language", str, "") or (bases[0].language if bases else ""),
    )
    table.finish()
    return joined


def _read_rows(table: Table) -> dict[str, ProvinceWords]:
    """Read ``[provinces]``: a row for each province, in the order of the printed list.

    A table with all provinces numbers them by that order, unless it writes the numbers itself.
    """
    numbered = len(table.values) >= len(standard_map().provinces)
    board = standard_map()
    known = (*board.provinces, *board.impossible)
    rows = {}
    for position, code in enumerate(table.values, start=1):
        if code not in known:
            table.fault(code, f"no such province{did_you_mean(code, known)}")
            table.asked.add(code)
            continue
        row = table.table(code)
        name = board.provinces[code].name if code in board.provinces else board.impossible[code]
        rows[code] = ProvinceWords(
            code=code,
            number=row.get("number", int, position if numbered else 0),
            name=row.get("name", str, name),
            accepted=tuple(dict.fromkeys((*_texts(row, "accepted"), name))),
            as_printed=row.get("as_printed", str, ""),
            note=row.get("note", str, ""),
        )
        row.finish()
    table.finish()
    return rows


def _join_rows(tables: list[Mapping[str, ProvinceWords]]) -> dict[str, ProvinceWords]:
    codes = {code: None for rows in reversed(tables) for code in rows}
    joined = {}
    for code in codes:
        rows_of_code = [rows[code] for rows in tables if code in rows]
        joined[code] = ProvinceWords(
            code=code,
            number=next((row.number for row in rows_of_code if row.number), 0),
            name=rows_of_code[0].name,
            accepted=_with_umlauts_spelt(word for row in rows_of_code for word in (*row.accepted, row.name)),
            as_printed=rows_of_code[0].as_printed,
            note=rows_of_code[0].note,
        )
    return dict(sorted(joined.items(), key=lambda item: item[1].number))


def _read_ambiguous(table: Table) -> dict[str, tuple[str, ...]]:
    """Read ``[ambiguous]``: folded words with all provinces they may mean."""
    inside = table.table("ambiguous")
    board = standard_map()
    ambiguous = {}
    for word in inside.values:
        codes = _texts(inside, word)
        for code in codes:
            if code not in board.provinces:
                inside.fault(word, f"no such province {code!r}{did_you_mean(code, tuple(board.provinces))}")
        if len(codes) < 2:
            inside.fault(word, f"expected two provinces or more, found {list(codes)}; a word for one stands in its row")
        ambiguous[fold(word)] = codes
    inside.finish()
    return ambiguous


def _read_coasts(table: Table) -> dict[str, tuple[str, ...]]:
    """Read ``[coasts]``: for each place with a coast, the words for it."""
    places = tuple(place for province in standard_map().provinces.values() for place in province.coasts)
    return dict(_read_words_by_key(table.table("coasts"), places))


def _read_places(table: Table, key: str) -> dict[str, tuple[str, ...]]:
    """Read ``[other_names]`` or ``[within]``: for each province, real names that belong to it."""
    board = standard_map()
    return dict(_read_words_by_key(table.table(key), (*board.provinces, *board.impossible)))


def _read_elsewhere(table: Table) -> tuple[str, ...]:
    """Read ``[elsewhere]``: real names that belong to no province, under any headings."""
    inside = table.table("elsewhere")
    names = tuple(name for heading in inside.values for name in _with_umlauts_spelt(_texts(inside, heading)))
    inside.finish()
    return names


def _read_words_by_key(table: Table, keys: tuple[K, ...]) -> dict[K, tuple[str, ...]]:
    words = {key: _with_umlauts_spelt(_texts(table, key)) for key in keys if key in table.values}
    table.asked.update(keys)
    table.finish()
    return words


def _read_lint(table: Table) -> dict[str, str]:
    """Read ``[lint]``: words that the lint remarks on, each with the reason why it stays."""
    reasons = {word: table.need(word, str, "") for word in table.values}
    table.finish()
    return reasons


def _texts(table: Table, key: str) -> tuple[str, ...]:
    words = table.get(key, list, [])
    for word in words:
        if not isinstance(word, str):
            table.fault(key, f"expected a list of words, found {word!r} in it")
        elif key == "accepted" and not fold(word):
            table.fault(key, f"{word!r} has no letters")
    return tuple(word for word in words if isinstance(word, str))


def _with_umlauts_spelt(words: Iterable[str]) -> tuple[str, ...]:
    """Words as they are written with umlauts, and with two letters instead of each umlaut.

    >>> _with_umlauts_spelt(("Mün", "Preußen", "Pre"))
    ('Mün', 'Muen', 'Preußen', 'Pre')
    """
    return tuple(dict.fromkeys(form for word in words for form in (word, word.translate(UMLAUTS))))


def _merge(tables: list[Mapping[K, tuple[str, ...]]]) -> dict[K, tuple[str, ...]]:
    """Join lists of words, key by key, the first table's words first."""
    keys = {key: None for table in tables for key in table}
    return {key: tuple(dict.fromkeys(word for table in tables for word in table.get(key, ()))) for key in keys}


# Fuzzy match of a written word with the words of a table: Jaro-Winkler similarity and edit distance.


class Near(Struct, frozen=True):
    """One province that a word may have been meant for."""

    code: str
    word: str  # the accepted word that is nearest, folded
    nearness: float  # 0..1, Jaro-Winkler: the beginning of a word weighs more than its end


def nearest(listed: Mapping[str, tuple[str, ...]], word: str, at_least: float = 0.0) -> tuple[Near, ...]:
    """List the provinces that a word is near to, the nearest first, each with its nearest word.

    A word that is listed for several provinces counts for each of them, so that they tie.
    """
    best: dict[str, Near] = {}
    for known, nearness, _ in extract(
        fold(word), tuple(listed), scorer=JaroWinkler.similarity, score_cutoff=at_least, limit=None
    ):
        for code in listed[known]:
            best.setdefault(code, Near(code, known, nearness))
    return tuple(sorted(best.values(), key=lambda near: (-near.nearness, near.code)))


def list_slips(listed: Mapping[str, tuple[str, ...]], word: str) -> tuple[Near, ...]:
    """List the provinces with a word at edit distance one, the most similar first, each with its most similar word.

    Such a slip of the pen leaves out, puts in or changes one letter, or swaps two neighbours. Listed words of two
    letters are left out: one slip makes too many words of them.

    >>> [(near.code, near.word) for near in list_slips({"alb": ("ALB",), "bal": ("BAL",), "apu": ("APU",)}, "abl")]
    [('ALB', 'alb'), ('BAL', 'bal')]
    """
    best: dict[str, Near] = {}
    away = extract(fold(word), tuple(listed), scorer=OSA.distance, score_cutoff=1, limit=None)
    ranked = sorted((-JaroWinkler.similarity(fold(word), known), known) for known, _, _ in away if len(known) > 2)
    for likeness, known in ranked:
        for code in listed[known]:
            best.setdefault(code, Near(code, known, -likeness))
    return tuple(best.values())


def is_nearer(names: Collection[str], word: str, than: str) -> bool:
    """Say whether a word is nearer to one of the names than to word ``than``.

    If both are equally near, the name counts, unless only ``than`` begins with the same letter as the word.

    >>> names = ["russia", "poland"]
    >>> [is_nearer(names, *each) for each in (("rusia", "prussia"), ("polland", "holland"), ("holand", "holland"))]
    [True, True, False]
    """
    away = OSA.distance(word, than)
    near = extract(word, names, scorer=OSA.distance, score_cutoff=away, limit=None)
    begins = word[:1] == than[:1]
    return any(letters < away or not begins or name[:1] == word[:1] for name, letters, _ in near)


def count_slips(word: str, other: str) -> int:
    """Count the slips of the pen between two words: their edit distance (optimal string alignment).

    >>> count_slips("blacksee", "blacksea")
    1
    """
    return int(OSA.distance(word, other))


def lead(words: tuple[Near, ...]) -> float:
    """By how much the nearest province leads over the next, or over 0 where it is the only one; 0 without any.

    >>> found = (Near("LVN", "livonia", 0.87), Near("LVP", "liverpool", 0.84))
    >>> lead(found), lead(found[:1]), lead(())
    (0.03, 0.87, 0.0)
    """
    if not words:
        return 0.0
    runner_up = words[1].nearness if len(words) > 1 else 0.0
    return round(words[0].nearness - runner_up, 6)
