"""What a word may mean under each tournament's table, the classic traps among them."""

import pytest

from interpret.drawing import tournament
from pipeline.board import standard_map
from pipeline.interpret.doubts import Meaning, Sense, WordMatch
from pipeline.interpret.interpret import _lexicon_of
from pipeline.interpret.written_words import fold_word
from pipeline.rules.abbreviations import TITLES, fold_words
from pipeline.words.speech import sentence

ALL = ("nzdc1999", "weaselmoot", "edc2023", "edc1996", "wdc2008")
SETTLED = {  # word -> the one province that every table gives it
    "Nth": "NTH", "Nwy": "NWY", "Nwg": "NWG", "Nrg": "NWG", "NAt": "NAO", "NAf": "NAF", "Lvn": "LVN", "Lvp": "LVP",
    "Lvo": "LVN", "Tyn": "TYS", "Mid": "MAO", "MAO": "MAO", "Bal": "BAL", "Bel": "BEL", "Ber": "BER", "Gal": "GAL",
    "Gas": "GAS", "Lyo": "LYO", "Bul": "BUL", "Bur": "BUR", "Bud": "BUD", "Arm": "ARM", "Ank": "ANK",
    "Adr": "ADR", "Aeg": "AEG", "Eas": "EAS", "East": "EAS", "Eng": "ENG", "Edi": "EDI", "StP": "STP", "Swi": "SWI",
}  # fmt: skip
DISPUTED = {  # word -> provinces, and the tables that print it for only one of them
    "Nor": ({"NAF", "NAO", "NTH", "NWG", "NWY"}, {}),
    "Liv": ({"LVN", "LVP"}, {"edc2023": "LVP"}),
    "Med": ({"EAS", "WES"}, {"edc2023": "WES"}),
    "Atl": ({"MAO", "NAO"}, {"edc2023": "MAO"}),
    "Gulf": ({"BOT", "LYO"}, {}),
    "Gol": ({"BOT", "LYO"}, dict.fromkeys(("nzdc1999", "weaselmoot", "edc2023", "wdc2008"), "LYO")),
}


def sense(name: str, word: str) -> Sense:
    return _lexicon_of(tournament(name)).sense(fold_word(word))


def codes(found: Sense) -> set[str]:
    return {meaning.code for meaning in found.meanings}


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("word", SETTLED)
def test_a_trap_that_every_table_settles(name: str, word: str) -> None:
    found = sense(name, word)

    assert (codes(found), found.is_firm, found.how) == ({SETTLED[word]}, True, WordMatch.LISTED)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("word", DISPUTED)
def test_a_trap_that_only_a_printed_table_settles(name: str, word: str) -> None:
    provinces, printed = DISPUTED[word]

    found = sense(name, word)

    assert codes(found) == ({printed[name]} if name in printed else provinces)
    assert found.is_firm is (name in printed)


@pytest.mark.parametrize(("word", "provinces"), [("MAR", {"MAR", "NAF"}), ("TYR", {"TYR", "TYS"})])
def test_two_words_are_listed_twice_in_paris_and_nowhere_else(word: str, provinces: set[str]) -> None:
    assert codes(sense("edc2023", word)) == provinces
    assert sense("edc2023", word).how is WordMatch.LISTED
    assert all(codes(sense(name, word)) == {word} for name in ALL if name != "edc2023")


def test_a_short_word_with_a_wrong_letter_is_never_firm() -> None:
    for name in ALL:
        lexicon = _lexicon_of(tournament(name))
        for word in lexicon.spellings:
            if len(word) == 3:
                spoiled = "x" + word[1:]
                assert not lexicon.sense(spoiled).is_firm or lexicon.is_known(spoiled)


@pytest.mark.slow
def test_no_slip_of_the_pen_is_taken_for_another_province() -> None:
    for name in ALL:
        lexicon = _lexicon_of(tournament(name))
        for word in lexicon.spellings:
            for at in range(len(word)):
                for spoiled in (word[:at] + word[at + 1 :], word[:at] + "x" + word[at + 1 :]):
                    found = lexicon.sense(spoiled)
                    if found.how is WordMatch.NEAR and found.is_firm:
                        assert codes(found) <= set(lexicon.listed[word]), f"{name}: {word} as {spoiled}"


def test_every_meaning_says_how_it_was_found() -> None:
    for word, means in (
        ("Burgandy", Meaning("BUR", WordMatch.NEAR, "burgundy", 0.95, is_slip=True)),
        ("Constan", Meaning("CON", WordMatch.BEGINS, "constantinople", 1.0)),
        ("P?r", Meaning("PAR", WordMatch.FITS, "par", 1.0)),
    ):
        assert sense("weaselmoot", word).meanings[0] == means
    assert sentence(WordMatch.NEAR) == "is nearly a word for it"


def test_a_word_without_a_legible_letter_means_nothing() -> None:
    assert sense("wdc2008", "???").meanings == ()


@pytest.mark.parametrize("name", ALL)
def test_every_name_of_several_words_may_have_its_first_cut_to_a_letter(name: str) -> None:
    lexicon = _lexicon_of(tournament(name))
    for row in tournament(name).abbreviations.rows.values():
        for first, *others in map(fold_words, (row.name, *row.accepted)):
            cut = first[0] + "".join(others)
            if others and first not in TITLES and not lexicon.is_known(cut):  # "N Sea" is listed
                assert row.code in codes(lexicon.sense(cut)), cut


@pytest.mark.parametrize("name", ALL)
def test_four_letters_that_begin_one_name_are_it_though_they_may_be_an_everyday_word(name: str) -> None:
    """So are "Wars" and "Bare": only "Tries" is also said of what a unit does, "A Ven tries"."""
    names = {fold_word(province.name): code for code, province in standard_map().provinces.items()}
    for whole, code in names.items():
        for begun in (whole[:count] for count in range(4, len(whole))):
            if begun != "tries" and sum(other.startswith(begun) for other in names) == 1:
                found = sense(name, begun)
                assert codes(found) != {code} or found.meanings[0].how is not WordMatch.NEAR, begun
