"""What a word may mean under one tournament's table: every candidate, with how it was found and how near it is."""

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from rapidfuzz import process
from rapidfuzz.distance import OSA, JaroWinkler

from pipeline.board.map import Map, Power
from pipeline.interpret.signs import COASTS, HALVES, LETTERS, NATIONS, SHORT_COASTS, SIGNS, Sign
from pipeline.interpret.tokens import fold
from pipeline.tournament import abbreviations as table
from pipeline.tournament.abbreviations import Abbreviations
from pipeline.tournament.nearness import nearest
from pipeline.tournament.rules import Tournament

WORTH_A_LOOK = 0.77  # Jaro-Winkler of a three-letter word with its first letter wrong; less alike is another word
MOST_KEPT = 20_000  # words; players use a few hundred, a stream of nonsense any number
PARTS = re.compile(r"[\s'’-]+")
SMALL_WORDS = frozenset({"of", "de", "du", "d"})
SHORTEST_BEGINNING = 3  # letters: "Tr" for Tyrolia without its y would begin Trieste


class How(StrEnum):
    """How a word came to mean a province."""

    LISTED = "is listed for it"
    DISPUTED = "is known to be taken for it, and for others"  # written out as ambiguous, because no row could list it
    BEGINS = "begins a word for it"
    NEAR = "is nearly a word for it"
    FITS = "fits a word for it in all letters that can be read"


@dataclass(frozen=True, slots=True)
class Meaning:
    """One province that a word may mean."""

    code: str
    how: How
    spelling: str  # the word of the table
    likeness: float  # 0..1, Jaro-Winkler; 1 for a word that is listed, begins one or fits one

    def __str__(self) -> str:
        near = f", {self.likeness:.2f}" if self.how is How.NEAR else ""
        return f"{self.code}: {self.how} ({self.spelling}{near})"


@dataclass(frozen=True, slots=True)
class Sense:
    """All that a word may mean, likeliest first, and whether the word alone says which."""

    meanings: tuple[Meaning, ...]
    is_firm: bool  # one meaning, and near enough to it and far enough from all others

    @property
    def how(self) -> How | None:
        """How its meanings were found; they were all found the same way."""
        return self.meanings[0].how if self.meanings else None


NOTHING = Sense((), is_firm=False)


class Lexicon:
    """One tournament's table, made ready for reading lines. Answers are kept, since players use few words."""

    def __init__(self, tournament: Tournament, board: Map) -> None:
        abbreviations: Abbreviations = tournament.abbreviations
        self.board = board
        self.table = abbreviations
        self.nearness = tournament.reading.misspelt_nearness.value
        self.lead = tournament.reading.misspelt_lead.value
        self.letters = tournament.reading.misspelt_letters.value
        self.listed = listed_words(tournament, board)
        self.disputed = disputed_words(tournament, self.listed)
        self.spellings = sorted(self.listed)
        self.begun = begun_words(tournament, self.listed)
        self.beginnings = sorted(self.begun)
        self.known: dict[str, Sense] = {}
        self.signs = {**SIGNS, **table_signs(tournament)}
        self.long_signs = {
            tuple(fold(part) for part in word.split())
            for sign, words in abbreviations.signs.items()
            for word in words
            if " " in word and sign is not table.Sign.VIA
        }
        self.long_begin = frozenset(sign[0] for sign in self.long_signs)
        names = [word for row in abbreviations.rows.values() for word in (row.name, *row.accepted)]
        self.halves = HALVES | {fold(name.split("-")[0]) for name in names if "-" in name}
        self.nations = {**NATIONS, **{w: p[0] for w, p in abbreviations.power_words.items() if len(p) == 1}}
        self.coasts = {**COASTS, **table_coasts(tournament)}
        self.short_coasts = any(len(fold(w)) == 1 for words in abbreviations.coasts.values() for w in words)
        self.army_by_convoy = frozenset(fold(w) for w in abbreviations.signs.get(table.Sign.MOVE_BY_CONVOY, ()))

    def is_listed(self, folded: str) -> bool:
        """Say whether a word stands in the table, or is a full name."""
        return folded in self.listed

    def begins_name(self, folded: str) -> bool:
        """Say whether a word of three letters or more begins a word of the table."""
        if len(folded) < SHORTEST_BEGINNING:
            return False
        at = bisect_left(self.beginnings, folded)
        return at < len(self.beginnings) and self.beginnings[at].startswith(folded)

    def is_known(self, folded: str) -> bool:
        """Say whether a word means something as it stands: a place or its beginning, a sign, a nation, a coast."""
        return (
            folded in self.listed
            or folded in self.signs
            or folded in LETTERS
            or folded in self.coasts
            or folded in self.nations
            or self.begins_name(folded)
        )

    def has_coasts(self, folded: str) -> bool:
        """Say whether a word may mean a province with two coasts."""
        return any(
            meaning.code in self.board.provinces and self.board.provinces[meaning.code].coasts
            for meaning in self.sense(folded).meanings
        )

    def sense(self, folded: str) -> Sense:
        """Say everything that a word may mean; no meanings: the word is unknown.

        A listed word means what it is listed for and nothing else; only then its beginning counts, and only then its
        likeness. More than one meaning is a doubt, whatever the places are.
        """
        found = self.known.get(folded)
        if found is None:
            if len(self.known) > MOST_KEPT:
                self.known.clear()
            found = self.known[folded] = self.look_up(folded)
        return found

    def look_up(self, folded: str) -> Sense:
        """Work out what `sense` keeps."""
        if "/" in folded:
            either = [meaning for part in folded.split("/") for meaning in self.sense(part).meanings]
            return sense_of({meaning.code: meaning for meaning in either}.values())
        if "?" in folded:
            return sense_of(self.fitting(folded))
        if folded in self.listed:
            how = How.DISPUTED if folded in self.disputed else How.LISTED
            return sense_of(Meaning(code, how, folded, 1.0) for code in self.listed[folded])
        beginning = self.beginning(folded)
        return sense_of(beginning) if beginning else self.nearest(folded)

    def beginning(self, folded: str) -> list[Meaning]:
        """List the provinces of which a listed word begins so."""
        if not self.begins_name(folded):
            return []
        found: dict[str, Meaning] = {}
        at = bisect_left(self.beginnings, folded)
        while at < len(self.beginnings) and self.beginnings[at].startswith(folded):
            word = self.beginnings[at]
            for code in self.begun[word]:
                found.setdefault(code, Meaning(code, How.BEGINS, word, 1.0))
            at += 1
        return list(found.values())

    def nearest(self, folded: str) -> Sense:
        """The nearest word is meant if it is near and long enough, leads by enough, and no other is a slip away."""
        likeness = {near.code: (near.nearness, near.word) for near in nearest(self.table, folded, WORTH_A_LOOK)}
        slips = process.extract(folded, self.spellings, scorer=OSA.distance, score_cutoff=1, limit=None)
        one_slip = {code: word for word, _, _ in slips for code in self.listed[word]}
        best = max((score for score, _ in likeness.values()), default=0.0)
        near = {code: found for code, found in likeness.items() if best - found[0] < self.lead}
        for code, word in one_slip.items():
            near.setdefault(code, (JaroWinkler.similarity(folded, word), word))
        meanings = tuple(
            Meaning(code, How.NEAR, word, round(score, 3))
            for code, (score, word) in sorted(near.items(), key=lambda item: (-item[1][0], item[0]))
        )
        is_near = best >= self.nearness and len(folded) >= self.letters
        return Sense(meanings, is_firm=len(meanings) == 1 and is_near)

    def fitting(self, folded: str) -> list[Meaning]:
        """List the provinces with a word that fits the letters that can be read."""
        if not folded.strip("?"):
            return []
        pattern = re.compile(re.escape(folded).replace(r"\?", "."))
        found: dict[str, Meaning] = {}
        for word in self.spellings:
            if pattern.fullmatch(word) or (len(folded) > SHORTEST_BEGINNING and pattern.match(word)):
                for code in self.listed[word]:
                    found.setdefault(code, Meaning(code, How.FITS, word, 1.0))
        return list(found.values())


def sense_of(meanings: Iterable[Meaning]) -> Sense:
    """Make a sense of meanings that are all equally good."""
    found = tuple(meanings)
    return Sense(found, is_firm=len(found) == 1)


def listed_words(tournament: Tournament, board: Map) -> dict[str, tuple[str, ...]]:
    """Take the table's words, and the three letters of our own notation where the table gives them no other meaning."""
    listed = {word: codes for word, codes in tournament.abbreviations.words.items() if word}
    for code in board.provinces:
        listed.setdefault(code.lower(), (code,))
    return listed


def begun_words(tournament: Tournament, listed: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Add to the words those of several parts with the first one cut to a letter: "N Atlantic", "G of Bothnia"."""
    found = {word: set(codes) for word, codes in listed.items()}
    for row in tournament.abbreviations.rows.values():
        for name in (row.name, *row.accepted):
            first, *others = [fold(part) for part in PARTS.split(name)]
            if others and first:
                for rest in (others, [part for part in others if part not in SMALL_WORDS]):
                    found.setdefault(first[0] + "".join(rest), set()).add(row.code)
    return {word: tuple(sorted(codes)) for word, codes in found.items()}


def disputed_words(tournament: Tournament, listed: dict[str, tuple[str, ...]]) -> frozenset[str]:
    """Name the words with several meanings of which the rows of the table list only some, or none."""
    rows = tournament.abbreviations.rows
    written = {code: {fold(word) for word in (row.name, *row.accepted)} for code, row in rows.items()}
    return frozenset(
        word
        for word, codes in listed.items()
        if len(codes) > 1 and not all(word in written.get(code, ()) for code in codes)
    )


def table_signs(tournament: Tournament) -> dict[str, Sign]:
    """Take the table's words for the parts of an order, run together: "va à" is "vaa"; marks the grammar knows."""
    same = {
        table.Sign.HOLD: Sign.HOLD,
        table.Sign.MOVE: Sign.TO,
        table.Sign.SUPPORT: Sign.SUPPORT,
        table.Sign.CONVOY: Sign.CONVOY,
        table.Sign.RETREAT: Sign.RETREAT,
        table.Sign.BUILD: Sign.BUILD,
        table.Sign.DISBAND: Sign.DISBAND,
        table.Sign.WAIVE: Sign.WAIVE,
    }
    return {
        fold(word): sign
        for theirs, sign in same.items()
        for word in tournament.abbreviations.signs.get(theirs, ())
        if fold(word)
    }


def table_coasts(tournament: Tournament) -> dict[str, str]:
    """Take the table's words for coasts; single letters are known without it."""
    return {
        fold(word): place[4:]
        for place, words in tournament.abbreviations.coasts.items()
        for word in words
        if fold(word) not in SHORT_COASTS
    }


def nation_of(lexicon: Lexicon, folded: str) -> Power | None:
    """Say which power a word for a nation means."""
    return lexicon.nations.get(folded) or lexicon.nations.get(folded.removesuffix("s"))
