"""No word is silently made another: thousands of words, in every table, on the board of a beginning and of a middle.

A word may be short for a province (it begins a word or a later word of a name, or it is the initials of one), or be a
slip of the pen for one of its words: one letter left out, put in or changed, or two neighbours swapped.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product
from string import ascii_lowercase

import pytest
from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from interpret.drawing import BOARD, read, tournament
from pipeline.board import Kind, Phase, Position, Power, Unit, starting_position
from pipeline.interpret.doubts import WordMatch
from pipeline.interpret.interpret import _lexicon_of
from pipeline.interpret.verdict import Status
from pipeline.orders import Move
from pipeline.rules.abbreviations import Abbreviations, fold_words

VOWELS_AND_MORE = "aeiourstnl"
LONG_ENOUGH = 5  # letters of a beginning that nobody takes for a slip of the pen: "Norwe" is not Norw
MIDDLE = Position(
    phase=Phase.read("S1904M"),
    units={
        Power.FRANCE: tuple(
            Unit(Kind(kind), place)
            for kind, place in (
                ("F", "MAO"), ("F", "NAO"), ("F", "WES"), ("F", "SPA/SC"), ("F", "NTH"), ("F", "NWG"), ("F", "ION"),
                ("F", "AEG"), ("F", "EAS"), ("F", "BAL"), ("F", "SKA"), ("A", "BUR"), ("A", "TYR"), ("A", "GAL"),
                ("A", "SER"), ("A", "LVN"), ("A", "TUN"),
            )
        )
    },
    centres={power: BOARD.homes[power] for power in Power},
)  # fmt: skip


@cache
def known(name: str) -> dict[str, tuple[str, ...]]:
    """All words of a table, the three letters of the notation among them."""
    return _lexicon_of(tournament(name)).listed


@cache
def words_of(name: str) -> tuple[str, ...]:
    """The same words alone."""
    return tuple(known(name))


@cache
def parts(name: str) -> tuple[tuple[str, str], ...]:
    """Every word and later word that provinces are called by in a table, each with the province."""
    rows = tournament(name).abbreviations.rows.values()
    return tuple((part, row.code) for row in rows for full in (row.name, *row.accepted) for part in fold_words(full))


@cache  # of most words it is asked for each unit
def may_mean(name: str, word: str) -> dict[str, str]:
    """Every province that a word may be meant for, and how."""
    table: Abbreviations = tournament(name).abbreviations
    found: dict[str, str] = {}
    for listed, codes in known(name).items():
        if listed.startswith(word):
            found |= dict.fromkeys(codes, "begins")
    for part, code in parts(name):
        if part.startswith(word):
            found.setdefault(code, "begins a later word")
    for code in table.initials.get(word, ()):
        found.setdefault(code, "initials")
    for slip, _, _ in extract(word, words_of(name), scorer=OSA.distance, score_cutoff=1, limit=None):
        for code in known(name)[slip]:
            found.setdefault(code, "slip")
    return found


def short_words() -> Iterator[str]:
    """All words of one and two letters, and many of those of three."""
    yield from ascii_lowercase
    yield from ("".join(letters) for letters in product(ascii_lowercase, repeat=2))
    yield from ("".join(letters) for at, letters in enumerate(product(ascii_lowercase, repeat=3)) if at % 5 == 0)


def spoilt_words(name: str) -> Iterator[str]:
    """Beginnings of all words, and all words with one letter wrong."""
    for word in known(name):
        yield from (word[:length] for length in range(1, 7))
        for at in range(len(word) + 1):
            yield word[:at] + word[at + 1 :]
            yield word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :]
            for letter in VOWELS_AND_MORE:
                yield word[:at] + letter + word[at:]
                yield word[:at] + letter + word[at + 1 :]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nzdc1999", "weaselmoot", "edc2023", "edc1996"])
def test_a_word_that_alone_says_what_it_means_could_mean_nothing_else(name: str) -> None:
    lexicon = _lexicon_of(tournament(name))
    wrong = []
    spoilt = sorted(set(spoilt_words(name)))[::37]
    words = sorted({*short_words(), *spoilt} - known(name).keys() - lexicon.initials.keys() - {""})
    for word in words:
        sense = lexicon.sense(word)
        if not sense.is_firm:
            continue
        (meaning,) = sense.meanings
        rivals = may_mean(name, word).keys() - {meaning.code}
        if rivals and not (meaning.how is WordMatch.BEGINS and len(word) >= LONG_ENOUGH):
            wrong.append(f"{word}: {meaning}, and it may be {sorted(rivals)}")

    assert len(words) > 3_000
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("position", [starting_position(BOARD), MIDDLE], ids=["start", "middle"])
def test_reachability_never_chooses_where_the_word_may_mean_something_else_in_reach(position: Position) -> None:
    """The Weasel Moot lets reachability settle an ambiguous word (WM VI.2.f); initials are judged as they stand."""
    wrong = []
    words = sorted({*short_words(), *(word for listed in known("weaselmoot") for word in (listed[:3], listed[:4]))})
    words = [word for word in words if word not in known("weaselmoot")][:: 29 if position is MIDDLE else 23]
    for power, units in position.units.items():
        for unit in units:
            for word in words:
                entry = read("weaselmoot", position, f"{unit} - {word}", power=power).entries[0]
                if entry.status is not Status.CLEAR or not isinstance(entry.order, Move):
                    continue
                goal = entry.order.to[:3]
                near = {place[:3] for place in BOARD.reach(unit.kind, unit.place)}
                initials = tournament("weaselmoot").abbreviations.initials
                rivals = {
                    code
                    for code, how in may_mean("weaselmoot", word).items()
                    if code != goal and code in near and not (word in initials and how == "slip")
                }
                if rivals:
                    wrong.append(f"{entry}: {word} may be {sorted(rivals)}")

    assert wrong == []


@pytest.mark.parametrize("name", ["nzdc1999", "weaselmoot", "edc2023", "edc1996", "wdc2008"])
@pytest.mark.parametrize("word", ["AS", "as", "As"])
def test_the_eastern_mediterranean_is_never_found_by_its_last_letters(name: str, word: str) -> None:
    for place in ("SMY", "ION", "AEG", "SYR"):
        own = Position(
            phase=Phase.read("S1902M"),
            units={Power.TURKEY: (Unit(Kind.FLEET, place),)},
            centres={power: BOARD.homes[power] for power in Power},
        )
        entry = read(name, own, f"F {place} - {word}", power=Power.TURKEY).entries[0]

        assert not isinstance(entry.order, Move) or entry.order.to != "EAS"
        assert all(not isinstance(c.order, Move) or c.order.to != "EAS" for c in entry.candidates)


@pytest.mark.parametrize("name", ["nzdc1999", "weaselmoot", "edc2023", "edc1996", "wdc2008"])
def test_a_misspelt_word_is_followed_or_asked_and_never_held_in_silence(name: str) -> None:
    lexicon = _lexicon_of(tournament(name))
    start = starting_position(BOARD)
    words = [word for word in sorted(set(spoilt_words(name))) if len(word) > 2][::101]
    for word in words:
        is_glued = word[0] in "af" and word[1:] in known(name)  # "aalb" is an army Albania
        if lexicon.is_known(word) or is_glued or lexicon.sense(word).how is not WordMatch.NEAR:
            continue
        for entry in read(name, start, f"A Mun - {word}", power=Power.GERMANY).entries:
            assert entry.status in {Status.CLEAR, Status.ASK}, str(entry)
