"""What a word may mean under one tournament's table: every candidate, with how it was found and how near it is.

Exact words, initials, beginnings, and fuzzy matches of misspelt words (edit distance, Jaro-Winkler similarity).
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, product

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import MAPS, Kind, Map, Position, Power, Step, Terrain, Unit, province_of
from pipeline.interpret import written_words
from pipeline.interpret.doubts import Meaning, Sense, WordMatch, sense_of
from pipeline.judge.adjudicate import legal_orders
from pipeline.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from pipeline.rules import abbreviations as table
from pipeline.rules.reading_rules import BuildLetter, Followed, Misspelt
from pipeline.rules.tournament import Tournament

WORTH_A_LOOK = 0.77  # Jaro-Winkler of a three-letter word with its first letter wrong; less alike is another word
MOST_KEPT = 20_000  # words in the cache; players use a few hundred
SPELT_SIGNS = (  # of which misspelt forms are known: "bvild", "suports"
    *("build", "builds", "built", "disband", "disbands", "disbanded", "remove", "removes", "removed"),
    *("support", "supports", "convoy", "convoys"),
)
LONG_WORD = 7  # letters: a shorter name in another language ("Norja") is no likely meaning of a misspelt word
LONG_NAME = 10  # letters: from there on a name of several words may have two slips in it, "Gullf of Lyn"
SHORTEST_BEGINNING = 3  # letters, of a slip that is followed, too: "Tr" for Tyrolia without its y would begin Trieste
DENYING = tuple(word for word in written_words.NOT if len(word) >= 4)
SHORTENED = {"north": ("nth",), "south": ("sth",)}  # the first word of a name: "Nth Atlantic"
FEW_LETTERS = 4  # up to so many, the beginning of a name may also be a slip for another: "Maro" is Maroc, Mao or Mar


class Lexicon:
    """One tournament's table, made ready for reading lines. Answers are cached, since players use few words."""

    def __init__(self, tournament: Tournament, board: Map) -> None:
        abbreviations: table.Abbreviations = tournament.abbreviations
        self.board = board
        self.table = abbreviations
        self.nearness = tournament.reading.misspelt_nearness.value
        self.lead = tournament.reading.misspelt_lead.value
        self.letters = tournament.reading.misspelt_letters.value
        self.follows_misspelt = tournament.reading.misspelt.value is Misspelt.FOLLOWED
        self._add_place_words(tournament, board)
        self._add_real_names(abbreviations)
        self._add_signs(tournament)
        self.nations = {
            **written_words.NATIONS,
            **{w: p[0] for w, p in abbreviations.power_words.items() if len(p) == 1},
        }
        self.coasts = {**written_words.COASTS, **_table_coasts(tournament)}
        self.short_coasts = any(
            len(written_words.fold_word(w)) == 1 for words in abbreviations.coasts.values() for w in words
        )
        self.halves = written_words.HALVES | _hyphenated_beginnings(abbreviations)
        self.known: dict[str, Sense] = {}  # the cache of `sense`
        self.misspelt_signs: dict[str, written_words.SignSense | None] = {}  # the cache of `misspelt_sign`
        self.signs_of_words: dict[str, written_words.SignSense | None] = {}  # the cache of `sign_of`
        self.parts: dict[str, str] = {}  # the cache of `account`

    def _add_place_words(self, tournament: Tournament, board: Map) -> None:
        """Collect the words of the table: listed words, initials, and how words begin."""
        abbreviations = tournament.abbreviations
        listed = {word: codes for word, codes in tournament.abbreviations.words.items() if word}
        for code in board.provinces:
            listed.setdefault(code.lower(), (code,))
        self.listed = listed
        self.words_of: dict[str, list[str]] = {}  # by province
        for word, codes in listed.items():
            for code in codes:
                self.words_of.setdefault(code, []).append(word)
        self.disputed = _disputed_words(tournament, self.listed)
        self.spellings = sorted(self.listed)
        self.initials = {
            w: codes for w, codes in abbreviations.initials.items() if w not in (*self.listed, *written_words.FILLERS)
        }
        self.begun = _begun_words(tournament, self.listed)
        self.beginnings = sorted(self.begun)
        self.several = _names_of_several_words(tournament)
        self.inner = _inner_words(tournament)

    def _add_real_names(self, abbreviations: table.Abbreviations) -> None:
        """Collect the real names that no row lists: other names of provinces, and of places that are no province."""
        self.other_names = _names_by_word(abbreviations.other_names, self.listed)
        self.spoken = {**self.listed, **self.other_names}
        self.abroad = _names_by_word(abbreviations.abroad, self.spoken)
        real_names = chain(*abbreviations.other_names.values(), *abbreviations.within.values(), abbreviations.elsewhere)
        one_word = {written_words.fold_word(name) for name in real_names if " " not in name}
        long = {word for word in one_word if len(word) >= LONG_WORD}
        names = (name for row in abbreviations.rows.values() for name in (row.name, *row.accepted))
        self.one_word = one_word | {written_words.fold_word(name) for name in names if name.isalpha()}
        self.meant = {word: codes for word, codes in self.spoken.items() if word in self.listed or word in long}
        outside = _names_by_word({**abbreviations.within, "": abbreviations.elsewhere}, self.spoken)
        nations = _names_by_word({"": tuple(written_words.NATIONS)}, {**self.spoken, **self.initials})
        self.outside = sorted(outside)
        self.towns = sorted(outside.keys() & one_word)
        self.elsewhere = {**nations, **outside}
        self.names = sorted({*self.spoken, *self.elsewhere})

    def _add_signs(self, tournament: Tournament) -> None:
        """Collect the order signs: the usual ones, and those of the table, some of several words."""
        signs = tournament.abbreviations.signs
        long_signs = {word.replace(" ", ""): sign for word, sign in written_words.LONG_SIGNS.items()}
        self.signs = {**written_words.SIGNS, **long_signs, **_table_signs(tournament)}
        self.long_signs = {
            tuple(written_words.fold_word(part) for part in word.split())
            for sign, words in signs.items()
            for word in words
            if " " in word and sign is not table.Sign.VIA
        } | {tuple(word.split()) for word in written_words.LONG_SIGNS}
        self.long_begin = frozenset(sign[0] for sign in self.long_signs)
        self.army_by_convoy = frozenset(written_words.fold_word(w) for w in signs.get(table.Sign.MOVE_BY_CONVOY, ()))

    def is_listed(self, folded: str) -> bool:
        """Say whether a word stands in the table, or is a full name, in another language too."""
        return folded in self.spoken

    def are_two_places(self, folded: str, after: str) -> bool:
        """Say whether two words are two places, although together they spell one: "Swe Den" is not Sweden."""
        one, both = (self.spoken.get(word, ()) for word in (folded, folded + after))
        return bool(both) and one == both and after.upper() in self.board.provinces

    def is_elsewhere(self, folded: str) -> bool:
        """Say whether a word is the real name of a place that is no province."""
        return folded in self.elsewhere

    def begins_outside(self, folded: str) -> bool:
        """Say whether four letters or more begin a one-word name of a place that is no province: "Copen"."""
        at = bisect_left(self.towns, folded)
        return len(folded) >= FEW_LETTERS and at < len(self.towns) and self.towns[at].startswith(folded)

    def begins_real_name(self, folded: str) -> bool:
        """Say whether a word begins a name, of a province or of another place."""
        at = bisect_left(self.names, folded)
        return at < len(self.names) and self.names[at].startswith(folded)

    def misspelt_name(self, words: Sequence[str]) -> str:
        """Find the name that several words together misspell (one or two slips); listed words among them must agree."""
        sense = self.sense("".join(words))
        meaning = sense.meanings[0] if sense.is_firm else sense.likely
        if meaning is None or meaning.how is not WordMatch.NEAR:
            return ""
        if self.is_listed(words[0]) and meaning.spelling in self.one_word:
            return ""  # "Ank are" is no slip for Ankara
        slips = table.count_slips("".join(words), meaning.spelling)
        known = [self.sense(word).codes for word in words if self.is_listed(word)]
        is_close = slips <= (1 if len(meaning.spelling) < LONG_NAME else 2)
        return meaning.spelling if is_close and all(meaning.code in codes for codes in known) else ""

    def misspelt_sign(self, folded: str) -> written_words.SignSense | None:
        """Find the sign, written as a whole word, that an unknown word is one slip away from: "bvild", "suports".

        None if misspelt words are not followed, if the word is short, or if it may mean a place.
        """
        if folded not in self.misspelt_signs:
            near = set()
            if self.follows_misspelt and len(folded) >= self.letters and not self.may_be_meant(folded):
                near = {self.signs[word] for word in SPELT_SIGNS if table.count_slips(folded, word) <= 1}
            self.misspelt_signs[folded] = near.pop() if len(near) == 1 else None
        return self.misspelt_signs[folded]

    def sign_of(self, folded: str) -> written_words.SignSense | None:
        """Say what a word asks for, if it is no place."""
        if folded not in self.signs_of_words:
            sign = self.signs.get(folded) or self.misspelt_sign(folded)
            self.signs_of_words[folded] = None if self.is_listed(folded) else sign
        return self.signs_of_words[folded]

    def words_for(self, code: str) -> list[str]:
        """List the words that the table lists for a province, folded."""
        return self.words_of.get(code, [])

    def are_initials(self, folded: str) -> bool:
        """Say whether an unlisted word is made of the initials of a name."""
        return folded in self.initials

    def begins_name(self, folded: str) -> bool:
        """Say whether a word of three letters or more begins a word of the table."""
        if len(folded) < SHORTEST_BEGINNING:
            return False
        return next(self.begun_by(folded), None) is not None or next(self.begun_by_each_word(folded), None) is not None

    def is_known(self, folded: str) -> bool:
        """Say whether a word means something as it stands: a place or its beginning, a sign, a nation, a coast."""
        return (
            folded in self.spoken
            or folded in self.elsewhere
            or folded in self.initials
            or folded in self.signs
            or folded in written_words.LETTERS
            or folded in written_words.GRAMMAR_WORDS
            or folded in self.coasts
            or folded in self.nations
            or (self.begins_name(folded) and self.is_short_for_a_name(folded))
        )

    def may_be_meant(self, folded: str) -> bool:
        """Say whether a word means something, or may be a slip of the pen for a word that does."""
        if self.is_known(folded) or "?" in folded or len(folded) < SHORTEST_BEGINNING:
            return True
        sense = self.sense(folded)
        return sense.is_firm or any(each.is_slip for each in sense.meanings)

    def may_be_place(self, folded: str) -> bool:
        """Say whether a word is listed, begins a place's name, or is one slip away from one."""
        meanings = self.sense(folded).meanings
        return any(each.how is not WordMatch.NEAR for each in meanings) or (
            folded not in written_words.EVERYDAY_WORDS and any(each.is_slip for each in meanings)
        )

    def is_short_for_a_name(self, folded: str) -> bool:
        """Say whether the beginning of a name is taken for it: "atyr" is too little of "A. Tyroliennes" (EDC23 G)."""
        return any(meaning.how is WordMatch.BEGINS for meaning in self.sense(folded).meanings)

    def has_coasts(self, folded: str) -> bool:
        """Say whether a word may mean a province with two coasts."""
        return any(
            meaning.code in self.board.provinces and self.board.provinces[meaning.code].coasts
            for meaning in self.sense(folded).meanings
        )

    def is_at_sea(self, folded: str) -> bool:
        """Say whether a word can only mean a sea."""
        provinces = [self.board.provinces.get(meaning.code) for meaning in self.sense(folded).meanings]
        return bool(provinces) and all(each is not None and each.terrain is Terrain.SEA for each in provinces)

    def may_end_in_coast(self, folded: str) -> bool:
        """Say whether a word may be a province with the letter of a coast behind it: "Span"."""
        return (
            folded[-1:] in written_words.SHORT_COASTS and self.is_listed(folded[:-1]) and self.has_coasts(folded[:-1])
        )

    def sense(self, folded: str) -> Sense:
        """Say everything that a word may mean; no meanings: the word is unknown.

        Tried in this order, the first that fits counts: listed words, real names, initials, beginnings, likeness. More
        than one meaning is a doubt.
        """
        known = self.known.get(folded)
        if known is None:
            if len(self.known) > MOST_KEPT:
                self.known.clear()
            known = self.known[folded] = self.look_up(folded)
        return known

    def look_up(self, folded: str) -> Sense:
        """Compute `sense`, without its cache."""
        if "/" in folded:
            parts = [self.sense(part) for part in folded.split("/")]
            either = sense_of(meaning for part in parts for meaning in part.meanings)
            is_firm = either.is_firm and all(part.is_firm for part in parts)
            return Sense(either.meanings, is_firm, are_alternatives=not is_firm)
        if "?" in folded:
            fitting = self.fitting(folded)
            ending = list(self.ending(folded)) if folded.startswith("??") else []
            return Sense(sense_of([*ending, *fitting]).meanings, is_firm=False) if ending else sense_of(fitting)
        if folded in self.listed:
            how = WordMatch.DISPUTED if folded in self.disputed else WordMatch.LISTED
            return sense_of(Meaning(code, how, folded, 1.0) for code in self.listed[folded])
        if folded in self.other_names:
            return sense_of(Meaning(code, WordMatch.OTHER_NAME, folded, 1.0) for code in self.other_names[folded])
        begun = list(self.begun_by(folded)) or list(self.begun_by_each_word(folded))
        if folded in self.elsewhere or (not begun and self.begins_outside(folded) and not self.slips(folded)):
            within = [Meaning(code, WordMatch.WITHIN, folded, 1.0) for code in self.elsewhere.get(folded, ()) if code]
            near = () if folded in self.nations else self.nearest(folded).meanings  # "England" is no Finland
            elsewhere = sense_of([*within, *near])
            return Sense(elsewhere.meanings, is_firm=False, is_elsewhere=True)
        if folded in self.initials:
            initials = [Meaning(code, WordMatch.INITIALS, folded, 1.0) for code in self.initials[folded]]
            return sense_of([*initials, *begun])
        sense = self.complete_or_correct(folded, begun)
        if {*sense.codes} <= {*self.abroad.get(folded, sense.codes)}:
            return sense
        abroad = [Meaning(code, WordMatch.NEAR, folded, 1.0) for code in self.abroad[folded]]
        return Sense(sense_of([*abroad, *sense.meanings]).meanings, is_firm=False)

    def complete_or_correct(self, folded: str, begun: list[Meaning]) -> Sense:
        """An unlisted word abbreviates the name that it begins; if it has few letters, it may be a slip for another.

        An everyday word and a word of orders are never followed as slips: "disband one" is not Odessa (EDC23 G), and
        "- army" not Armenia; nor is a name with a coast's letter, or with an x that may strike it out.

        If it may be short for several provinces, possible slips are added to its meanings.
        """
        sense = sense_of([*begun, *self.inside(folded)] if begun else [])
        if begun and folded in written_words.EVERYDAY_WORDS:  # "Tries" may be cut from Trieste, or say that it tries
            return Sense(tuple(replace(each, how=WordMatch.NEAR) for each in sense.meanings), is_firm=False)
        if len(sense.meanings) > 1:
            return sense_of([*sense.meanings, *self.slips(folded)])
        if not sense.is_firm:
            near = self.nearest(folded)
            if not begun and self.are_two_words(folded):
                return Sense(near.meanings, is_firm=False, are_alternatives=True)
            is_struck = folded.strip("x") in self.spoken
            is_word = folded in written_words.EVERYDAY_WORDS or folded in written_words.LETTERS or folded in self.signs
            is_no_slip = is_struck or is_word or self.may_end_in_coast(folded)
            return Sense(near.meanings, is_firm=False) if is_no_slip else near
        return self.short_beginning(folded, begun[0]) if len(folded) <= FEW_LETTERS else sense

    def are_two_words(self, folded: str) -> bool:
        """Say whether a word is two listed ones without a space: "PicGas"."""
        cuts = range(SHORTEST_BEGINNING, len(folded) - SHORTEST_BEGINNING + 1)
        return any(folded[:at] in self.listed and folded[at:] in self.listed for at in cuts)

    def short_beginning(self, folded: str, begun: Meaning) -> Sense:
        """Four letters that begin one word and are a slip of another mean the first, if the unit can do nothing else.

        So do one letter and two. Three, or four of a name whose first word is cut to its initial, are not enough where
        another word is near.
        """
        near = self.slips(folded)
        if len(folded) < SHORTEST_BEGINNING:
            return Sense(sense_of([begun, *near]).meanings, is_firm=False, likely=begun)
        if all(slip.code == begun.code for slip in near):
            return sense_of([begun])
        if len(folded) == FEW_LETTERS and begun.spelling in self.listed:
            return Sense(sense_of([begun, *near]).meanings, is_firm=False, likely=begun)
        return Sense(sense_of([*near, begun]).meanings, is_firm=False)

    def begun_by(self, folded: str) -> Iterator[Meaning]:
        """List the provinces of which a listed word begins so."""
        at = bisect_left(self.beginnings, folded)
        while folded and at < len(self.beginnings) and self.beginnings[at].startswith(folded):
            word = self.beginnings[at]
            if word in self.listed or len(folded) >= SHORTEST_BEGINNING:  # "Ad" is no "A. du Nord"
                yield from (Meaning(code, WordMatch.BEGINS, word, 1.0) for code in self.begun[word])
            at += 1

    def begun_by_each_word(self, folded: str) -> Iterator[Meaning]:
        """List the provinces with a name of several words of which each is cut: "Eng Ch", "Balt Sea", "Wes Medit".

        The first has three letters or more, the others two, or all but the last are whole: "Mid-Atlantic O".
        """
        for code, words in self.several.get(folded[:3], ()):
            if _are_cut(words, folded):
                yield Meaning(code, WordMatch.BEGINS, "".join(words), 1.0)

    def inside(self, folded: str) -> Iterator[Meaning]:
        """List the provinces of which a later word of a name begins so: "Norv" may be the Mer de Norvège (EDC96 8)."""
        for word, codes in self.inner.items():
            if word.startswith(folded):
                yield from (Meaning(code, WordMatch.BEGINS, word, 1.0) for code in codes)

    def slips(self, folded: str) -> list[Meaning]:
        """List the provinces with a word that is one letter away, the most similar first."""
        return [
            Meaning(s.code, WordMatch.NEAR, s.word, round(s.nearness, 3), is_slip=True)
            for s in table.list_slips(self.known_for(folded), folded)
        ]

    def known_for(self, folded: str) -> Mapping[str, tuple[str, ...]]:
        """The words that a misspelt word may stand for: those of the table; for a long word also real names."""
        return self.listed if len(folded) < self.letters else self.meant

    def nearest(self, folded: str) -> Sense:
        """A misspelt long word means the nearest name if it leads clearly.

        A short word is never sure, nor is a long word near a short name; two letters are too few to be a slip that is
        followed.
        Three letters with two inserted do not count as a slip; a word as near to a real place outside the map ("Rusia")
        may mean that.
        """
        away = self.slips(folded)
        likeness = table.nearest(self.known_for(folded), folded, WORTH_A_LOOK)
        others = [Meaning(near.code, WordMatch.NEAR, near.word, round(near.nearness, 3)) for near in likeness]
        is_other = len(folded) >= FEW_LETTERS and bool(away) and table.is_nearer(self.outside, folded, away[0].spelling)
        is_likely = len(away) == 1 and not is_other and len(folded) >= SHORTEST_BEGINNING
        likely = away[0] if is_likely else None
        if len(folded) < self.letters:
            return Sense(sense_of(sorted([*away, *others], key=_by_likeness)).meanings, is_firm=False, likely=likely)
        best = max((meaning.likeness for meaning in others), default=0.0)
        rivals = [meaning for meaning in others if best - meaning.likeness < self.lead]
        sense = sense_of(sorted([*away, *rivals], key=_by_likeness))
        if not (sense.is_firm and best >= self.nearness) or _are_far(folded, sense.meanings[0].spelling):
            return Sense(sense.meanings, is_firm=False, likely=likely)
        if self.is_glued(folded, sense.meanings[0]):
            return Sense(sense.meanings, is_firm=False, are_alternatives=True)
        spelling = sense.meanings[0].spelling
        is_firm = len(spelling) >= self.letters - 1 and not table.is_nearer(self.outside, folded, spelling)
        return Sense(sense.meanings, is_firm, likely=likely)

    def is_glued(self, folded: str, near: Meaning) -> bool:
        """Say whether a word has a whole name in it and more than one letter besides, or ends in a word that denies.

        "Moscownicht", "Picardyorpied", "noAdriatic"; a part of a name is in its slips.
        """
        return folded.endswith(DENYING) or any(
            len(word) >= FEW_LETTERS
            and len(folded) > len(word) + 1
            and word in folded
            and near.code in codes
            and (word not in near.spelling or len(near.spelling) <= len(word) + 1)
            for word, codes in self.spoken.items()
        )

    def ending(self, folded: str) -> Iterator[Meaning]:
        """List the provinces with a word that ends in the letters behind dots: "...r"; nobody counts the dots."""
        end = folded.lstrip("?")
        for word in self.spellings if end and "?" not in end else ():
            if word.endswith(end):
                yield from (Meaning(code, WordMatch.NEAR, word, 1.0) for code in self.listed[word])

    def fitting(self, folded: str) -> list[Meaning]:
        """List the provinces with a word that fits the letters that can be read."""
        if not folded.strip("?"):
            return []
        pattern = re.compile(re.escape(folded).replace(r"\?", "."))
        whole = folded.rstrip("?")  # "Galicia?": a mark behind a whole name is no letter of it
        meanings: dict[str, Meaning] = {}
        for word in self.spellings:
            if word == whole or pattern.fullmatch(word) or (len(folded) > SHORTEST_BEGINNING and pattern.match(word)):
                for code in self.listed[word]:
                    meanings.setdefault(code, Meaning(code, WordMatch.FITS, word, 1.0))
        return list(meanings.values())


SLIPS = 4  # letters of a name for each slip in it: "Heligolalin" has too many


def _are_far(word: str, spelling: str) -> bool:
    """Say whether a misspelt word has too many slips for the name: it may be halves of two, "Lonles"."""
    return table.count_slips(word, spelling) * SLIPS > max(len(word), len(spelling))


def _by_likeness(meaning: Meaning) -> tuple[bool, float, str]:
    """What is one letter away comes first, then what is most similar."""
    return not meaning.is_slip, -meaning.likeness, meaning.code


def _names_by_word(
    names: Mapping[str, Sequence[str]], listed: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """Fold real names, without those that the table lists or that are words of orders."""
    codes_by_word: dict[str, set[str]] = {}
    for code, words in names.items():
        for word in (form for name in words for form in _with_and_without_article(name)):
            if word not in listed and not (
                word in written_words.SIGNS
                or word in written_words.LETTERS
                or word in written_words.COASTS
                or word in written_words.FILLERS
            ):
                codes_by_word.setdefault(word, set()).add(code)
    return {word: tuple(sorted(codes)) for word, codes in codes_by_word.items()}


def _with_and_without_article(name: str) -> tuple[str, ...]:
    """Fold a name; the article in front of one is read as nothing.

    >>> _with_and_without_article("La Spezia"), _with_and_without_article("Spezia")
    (('laspezia', 'spezia'), ('spezia',))
    """
    first, _, others = name.partition(" ")
    return (
        (written_words.fold_word(name), written_words.fold_word(others))
        if others and written_words.fold_word(first) in written_words.FILLERS
        else (written_words.fold_word(name),)
    )


def _begun_words(tournament: Tournament, listed: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Add to the words those of several parts with the first one cut to a letter: "N Atlantic", "G of Bothnia".

    Nobody cuts "Kingdom of Norway" to "King".
    """
    codes_by_word = {word: set(codes) for word, codes in listed.items() if not word.startswith(tuple(table.TITLES))}
    for row in tournament.abbreviations.rows.values():
        for name in (row.name, *row.accepted):
            first, *others = table.fold_words(name)
            if others and first not in table.TITLES:
                for short in (first[0], *SHORTENED.get(first, ())):
                    for rest in (others, [part for part in others if part not in table.SMALL_WORDS]):
                        codes_by_word.setdefault(short + "".join(rest), set()).add(row.code)
    return {word: tuple(sorted(codes)) for word, codes in codes_by_word.items()}


def _names_of_several_words(tournament: Tournament) -> Mapping[str, list[tuple[str, tuple[str, ...]]]]:
    """Each name of several words, with its province, by its first three letters; with and without its small words."""
    names = dict.fromkeys(
        (row.code, kept)
        for row in tournament.abbreviations.rows.values()
        for name in (row.name, *row.accepted)
        for words in (table.fold_words(name),)
        for kept in (tuple(words), tuple(word for word in words if word not in table.SMALL_WORDS))
        if len(kept) > 1 and words[0] not in table.TITLES
    )
    by_beginning: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for code, kept in names:
        by_beginning.setdefault(kept[0][:3], []).append((code, kept))
    return by_beginning


def _are_cut(words: Sequence[str], folded: str, *, is_first: bool = True, are_whole: bool = True) -> bool:
    """Say whether a text is the beginnings of all these words in turn.

    >>> [_are_cut(("english", "channel"), text) for text in ("engch", "enchannel", "engc", "englishc", "english")]
    [True, False, False, True, False]
    """
    word, *others = words
    if not others:
        return word.startswith(folded) and len(folded) >= (1 if are_whole else 2)
    longest = next((at for at, (one, other) in enumerate(zip(word, folded, strict=False)) if one != other), len(word))
    return any(
        _are_cut(others, folded[cut:], is_first=False, are_whole=are_whole and cut == len(word))
        for cut in range(min(longest, len(folded)), 2 if is_first else 1, -1)
    )


def _inner_words(tournament: Tournament) -> Mapping[str, tuple[str, ...]]:
    """Take the words after the first of names of several words, each with what follows it."""
    codes_by_word: dict[str, set[str]] = {}
    for row in tournament.abbreviations.rows.values():
        for name in (row.name, *row.accepted):
            parts = table.fold_words(name)
            for at in range(1, len(parts)):
                if parts[at] not in table.SMALL_WORDS:
                    codes_by_word.setdefault("".join(parts[at:]), set()).add(row.code)
    return {word: tuple(sorted(codes)) for word, codes in codes_by_word.items()}


def _disputed_words(tournament: Tournament, listed: dict[str, tuple[str, ...]]) -> frozenset[str]:
    """Name the words with several meanings of which the rows of the table list only some, or none."""
    rows = tournament.abbreviations.rows
    written = {
        code: {written_words.fold_word(word) for word in (row.name, *row.accepted)} for code, row in rows.items()
    }
    return frozenset(
        word
        for word, codes in listed.items()
        if len(codes) > 1 and not all(word in written.get(code, ()) for code in codes)
    )


def _table_signs(tournament: Tournament) -> dict[str, written_words.SignSense]:
    """Take the table's words for the parts of an order, run together: "va à" is "vaa"; marks are the grammar's."""
    same = {
        table.Sign.HOLD: written_words.SignSense.HOLD,
        table.Sign.MOVE: written_words.SignSense.TO,
        table.Sign.SUPPORT: written_words.SignSense.SUPPORT,
        table.Sign.CONVOY: written_words.SignSense.CONVOY,
        table.Sign.RETREAT: written_words.SignSense.RETREAT,
        table.Sign.BUILD: written_words.SignSense.BUILD,
        table.Sign.DISBAND: written_words.SignSense.DISBAND,
        table.Sign.WAIVE: written_words.SignSense.WAIVE,
    }
    return {
        written_words.fold_word(word): sign
        for theirs, sign in same.items()
        for word in tournament.abbreviations.signs.get(theirs, ())
        if written_words.fold_word(word)
    }


def _hyphenated_beginnings(abbreviations: table.Abbreviations) -> set[str]:
    """The parts before a hyphen of all names, folded: a line may break there."""
    names = [word for row in abbreviations.rows.values() for word in (row.name, *row.accepted)]
    for group in (abbreviations.other_names, abbreviations.within):
        names += chain.from_iterable(group.values())
    return {
        written_words.fold_word(part) for name in (*names, *abbreviations.elsewhere) for part in name.split("-")[:-1]
    }


def _table_coasts(tournament: Tournament) -> dict[str, str]:
    """Take the table's words for coasts; single letters are known without it."""
    return {
        written_words.fold_word(word): place[4:]
        for place, words in tournament.abbreviations.coasts.items()
        for word in words
        if written_words.fold_word(word) not in written_words.SHORT_COASTS
    }


# All spellings of a power's orders: the vocabulary for the handwriting reader.
#
# An engine sees texts with weights, no provinces. A word that is listed for two provinces is a spelling of both, and a
# missing coast is a spelling of both coasts. Such texts tie, so the engine accepts none of them.

KindAndUnit = tuple[str, Unit | None]
Slot = tuple[str, ...]  # ways to write one part of a line; "" where it may be left out

# Shares of kinds among the orders of 2,950 phases that people played: prior weights for the reader
SHARES: dict[str, float] = {"move": 0.60, "support": 0.29, "hold": 0.08, "convoy": 0.02, "via": 0.01}
RARE = 0.05  # weight of an unusual form ("D A Tyr" for "A Tyr D"), against the usual one


class Spelling(Struct, frozen=True):
    """One order and one form of writing it: a choice for each part of the line, in turn."""

    order: Order | None  # None: an order that is not legal here; it competes and is never chosen
    slots: tuple[Slot, ...]
    weight: float  # how likely against the others of the sheet; not a probability

    def texts(self) -> Iterator[str]:
        """Write it in every way."""
        for words in product(*self.slots):
            yield " ".join(word for word in words if word)


def spellings(power: Power, position: Position, tournament: Tournament) -> Iterator[Spelling]:
    """Every legal order of a power, in every form that the tournament's table and rules accept."""
    speller = Speller(MAPS[tournament.map](), tournament)
    orders = legal_orders(speller.board, position, power, tournament.rulebook)
    alike = Counter(map(_kind_and_unit, orders))
    for order in orders:
        weight = _order_weight(order, alike)
        for rank, slots in enumerate(speller.forms(order)):
            yield Spelling(order, slots, weight * (RARE if rank else 1.0))


def other_forms(tournament: Tournament, step: Step) -> Iterator[Spelling]:
    """All forms of orders of a step, with any places: what may be written although it is not legal here."""
    speller = Speller(MAPS[tournament.map](), tournament)
    board = speller.board
    anywhere = tuple(sorted({word for code in board.provinces for word in speller.words_for(code)}))
    coast = ("", *sorted({word for words in speller.table.coasts.values() for word in words}))
    letter = ("", *speller.sign(table.Sign.ARMY), *speller.sign(table.Sign.FLEET))
    unit: tuple[Slot, ...] = (letter, anywhere, coast)
    to: tuple[Slot, ...] = (speller.sign(table.Sign.MOVE), anywhere, coast)
    hold = (*unit, speller.sign(table.Sign.HOLD))  # also in winter: an H there is a hasty B or D
    removed = ((*unit, speller.behind(table.Sign.DISBAND)), (speller.sign(table.Sign.DISBAND), *unit))
    forms: tuple[tuple[Slot, ...], ...]
    match step:
        case Step.MOVEMENT:
            support, convoy = (speller.sign(table.Sign.SUPPORT),), (speller.sign(table.Sign.CONVOY),)
            way = ("", *speller.sign(table.Sign.VIA))
            helped = ((*unit, *support, *unit), (*unit, *support, *unit, *to), (*unit, *convoy, *unit, *to))
            forms = (hold, (*unit, *to, way), *helped)
        case Step.RETREATS:
            forms = (hold, (*unit, speller.retreats(), anywhere, coast), *removed)
        case Step.ADJUSTMENTS:
            build = speller.sign(table.Sign.BUILD)
            forms = (hold, (*unit, build), (build, *unit), *removed)
    for slots in forms:
        yield Spelling(None, slots, 1.0)


def _order_weight(order: Order, alike: Mapping[KindAndUnit, int]) -> float:
    """Share a kind's part of all orders among the orders of that kind that the unit has."""
    if isinstance(order, Waive | Build | Retreat | Disband):
        return 1.0
    return SHARES[_order_kind(order)] / alike[_kind_and_unit(order)]


def _kind_and_unit(order: Order) -> KindAndUnit:
    """The key of the orders that share their weight: their kind and their unit."""
    return _order_kind(order), None if isinstance(order, Waive) else order.unit


def _order_kind(order: Order) -> str:
    match order:
        case Move(_, _, via, _):
            return "via" if via else "move"
        case Support():
            return "support"
        case Convoy():
            return "convoy"
        case _:
            return "hold"


class Speller:
    """One tournament's words, slot by slot."""

    def __init__(self, board: Map, tournament: Tournament) -> None:
        self.board = board
        self.rules = tournament
        self.table: table.Abbreviations = tournament.abbreviations
        self.known: dict[str, Slot] = {}  # by province
        self.shared: dict[str, list[str]] = {}  # by province: words that are listed for others too
        for word, codes in self.table.words.items():
            for code in codes if len(codes) > 1 else ():
                self.shared.setdefault(code, []).append(word)

    def forms(self, order: Order) -> Iterator[tuple[Slot, ...]]:
        """Every form of an order, the usual one first."""
        match order:
            case Hold(unit):
                yield (*self.unit(unit), self.sign(table.Sign.HOLD))
            case Move(unit, to, via, _):
                yield (*self.unit(unit), self.sign(table.Sign.MOVE), *self.place(to), *self.way(unit, to, via=via))
            case Support(unit, of, None):
                yield (
                    *self.unit(unit),
                    self.sign(table.Sign.SUPPORT),
                    *self.unit(of),
                    ("", *self.sign(table.Sign.HOLD)),
                )
            case Support(unit, of, to):
                assert to is not None
                yield (
                    *self.unit(unit),
                    self.sign(table.Sign.SUPPORT),
                    *self.unit(of),
                    self.sign(table.Sign.MOVE),
                    *self.place(to),
                )
            case Convoy(unit, of, to):
                yield (
                    *self.unit(unit),
                    self.sign(table.Sign.CONVOY),
                    *self.unit(of),
                    self.sign(table.Sign.MOVE),
                    *self.place(to),
                )
            case Retreat(unit, to):
                yield (*self.unit(unit), self.retreats(), *self.place(to))
            case Disband(unit):
                yield (*self.unit(unit), self.behind(table.Sign.DISBAND))
                yield (self.sign(table.Sign.DISBAND), *self.unit(unit, letter=True))
            case Build(unit):
                yield (*self.unit(unit, letter=self.needs_letter(unit)), self.sign(table.Sign.BUILD))
                yield (self.sign(table.Sign.BUILD), *self.unit(unit, letter=self.needs_letter(unit)))
            case Waive():
                yield (self.sign(table.Sign.WAIVE),)

    def needs_letter(self, unit: Unit) -> bool:
        """Say whether a build must name army or fleet."""
        inland = unit.province not in {province_of(place) for place in self.board.fleet_borders}
        return not inland or self.rules.adjustments.build_letter.value is not BuildLetter.COAST

    def unit(self, unit: Unit, *, letter: bool | None = None) -> tuple[Slot, ...]:
        """Letter and place; the letter is needed or not, or else may be left out where the rules say so."""
        words = self.sign(table.Sign.ARMY if unit.kind is Kind.ARMY else table.Sign.FLEET)
        needed = self.rules.reading.letter_missing.value is not Followed.FOLLOWED if letter is None else letter
        return (words if needed else ("", *words), *self.place(unit.place))

    def place(self, place: str) -> tuple[Slot, ...]:
        """The words for a place; a coast may be left out, which is a spelling of the other coast too."""
        words = self.words_for(province_of(place))
        return (words, ("", *self.table.coasts.get(place, ()))) if "/" in place else (words,)

    def way(self, unit: Unit, to: str, *, via: bool) -> tuple[Slot, ...]:
        """The words for a convoy: required in a move by convoy, else optional, and none if the unit needs no convoy."""
        if via:
            return (self.sign(table.Sign.VIA),)
        by_land = unit.kind is Kind.FLEET or to in self.board.reach(unit.kind, unit.place)
        return () if by_land else (("", *self.sign(table.Sign.VIA)),)

    def words_for(self, code: str) -> Slot:
        """Every listed word for a province, words that are listed for others too among them."""
        if code not in self.known:
            row = self.table.rows.get(code)
            listed = dict.fromkeys((*row.accepted, row.name) if row is not None else ())
            self.known[code] = tuple(dict.fromkeys((*listed, *self.shared.get(code, ())))) or (code,)
        return self.known[code]

    def sign(self, sign: table.Sign) -> Slot:
        """The words for one part of an order."""
        return tuple(self.table.signs.get(sign, ()))

    def behind(self, sign: table.Sign) -> Slot:
        """The words for one part at the end of a line, without the dash, which would be half a move."""
        return tuple(word for word in self.sign(sign) if table.fold(word))

    def retreats(self) -> Slot:
        """The words between a unit and where it retreats to."""
        return tuple(dict.fromkeys((*self.sign(table.Sign.RETREAT), *self.sign(table.Sign.MOVE))))
