"""The lint remarks on words that will surprise, and the shipped tables leave it nothing to remark on."""

import string
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest
from rapidfuzz.distance import JaroWinkler
from rapidfuzz.process import cdist

from pipeline.rules.abbreviations import Abbreviations, lead, nearest
from pipeline.rules.load import load_tournament, tournament_ids
from pipeline.rules.rules_check import SHARED, SOLO, TYPICAL, YearCounts, lint, make_board
from pipeline.rules.tournament import Tournament
from pipeline.small_files import data_folder
from pipeline.workbook.checks_sheet import _is_impossible
from pipeline.workbook.seats import SeatRow

RULES = """
[tournament]
short = "X"
name = "X"
abbreviations = "x"
[reading]
misspelt_lead = { value = 0.10, rule = "X 1" }
[scoring]
system = { value = "squares", rule = "X 2" }
pool = { value = 100, rule = "X 2" }
parts = [{ give = "polynomial", coefficients = [0, 0, 1], rule = "X 2" }]
[totals]
rounds = { value = 1, rule = "X 3" }
"""
LIV_SAID = '[ambiguous]\nliv = ["LVN", "LVP"]\n'


def tournament_with(folder: Path, words: str) -> Tournament:
    """Make a tournament whose table is the English one, changed."""
    (folder / "abbreviations").mkdir(exist_ok=True)
    english = (data_folder("abbreviations") / "english.toml").read_text("utf-8").replace('liv = ["LVN", "LVP"]\n', "")
    (folder / "abbreviations" / "plain.toml").write_text(english, "utf-8")
    (folder / "abbreviations" / "x.toml").write_text(f'extends = ["plain"]\n{words}', "utf-8")
    (folder / "x.toml").write_text(RULES, "utf-8")
    return load_tournament(folder / "x.toml")


@pytest.mark.parametrize("name", tournament_ids())
def test_the_shipped_tables_are_clean_or_say_why_not(name: str) -> None:
    notes = lint(load_tournament(name))

    assert [str(note) for note in notes if not note.accepted] == []
    assert sorted(note.word for note in notes) == (["mar", "tyr"] if name == "edc2023" else [])


def test_a_short_name_that_could_be_two_provinces_is_remarked_on(tmp_path: Path) -> None:
    found = tournament_with(tmp_path, "")

    assert [str(note) for note in lint(found)] == ["'Liv' is close to LVN 0.87 and LVP 0.84: it will always ask"]


def test_a_note_is_quiet_once_the_table_says_that_the_word_is_ambiguous(tmp_path: Path) -> None:
    assert lint(tournament_with(tmp_path, LIV_SAID)) == ()


def test_a_note_is_accepted_with_its_reason(tmp_path: Path) -> None:
    found = tournament_with(tmp_path, '[lint]\nliv = "everybody here writes Lvp"\n')

    assert [str(note) for note in lint(found)] == [
        "'Liv' is close to LVN 0.87 and LVP 0.84: it will always ask (accepted: everybody here writes Lvp)"
    ]


def test_a_word_in_two_rows_and_a_sign_that_is_a_place_are_remarked_on(tmp_path: Path) -> None:
    rows = '[provinces]\nMUN = { accepted = ["Mue", "con"] }\nRUH = { accepted = ["Mue"] }\n'
    words = rows + '[signs]\nhold = ["stab", "Ion"]\n'
    found = tournament_with(tmp_path, words + LIV_SAID)

    assert [str(note) for note in lint(found)] == [
        "'Ion' is the sign for hold and a word for ION",
        "'con' is listed for CON and MUN: it will be ambiguous",
        "'mue' is listed for MUN and RUH: it will be ambiguous",
    ]


def test_initials_that_are_listed_for_another_province_are_remarked_on(tmp_path: Path) -> None:
    found = tournament_with(tmp_path, '[provinces]\nRUH = { accepted = ["NS"] }\n' + LIV_SAID)

    assert [str(note) for note in lint(found)] == [
        "'ns' is listed for RUH, and the initials of Norwegian Sea: the list wins"
    ]
    assert found.abbreviations.words["ns"] == ("RUH",)


def test_what_is_accepted_without_need_is_remarked_on(tmp_path: Path) -> None:
    found = tournament_with(tmp_path, LIV_SAID + '[lint]\nlon = "it was odd once"\n')

    assert [str(note) for note in lint(found)] == [
        "'lon' is accepted in [lint], but there is nothing to accept; take it out"
    ]


def test_provinces_that_a_word_is_near_to_come_nearest_first_and_only_the_lead_decides() -> None:
    table = load_tournament("weaselmoot").abbreviations
    burgundy, *_ = nearest(table.words, "Burgandy")
    ber_or_bur = nearest(table.words, "Bvr")

    assert (burgundy.code, burgundy.word) == ("BUR", "burgundy")
    assert lead(nearest(table.words, "Burgandy")) > 0.10
    assert {"BER", "BUR"} <= {near.code for near in ber_or_bur[:3]}
    assert lead(ber_or_bur) == 0
    assert lead(nearest(table.words, "Liv")) == 0  # an ambiguous word counts for all its provinces
    assert nearest(table.words, "Liv", at_least=0.99)[0].nearness == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nzdc1999", "edc2023", "edc1996"])  # the others' words are among these
def test_one_wrong_letter_is_never_followed_to_another_province(name: str) -> None:
    assert led_astray(load_tournament(name)) == []


def led_astray(rules: Tournament) -> list[tuple[str, str]]:
    """The words, each with its province, that with one letter wrong are followed to another one; most are followed."""
    table, reading = rules.abbreviations, rules.reading
    spoilt = sorted({slip for slip in all_slips(table) if len(slip[1]) >= (reading.misspelt_letters.value or 0)})
    codes, scores = scores_by_province(table, [word for _, word in spoilt])
    ordered = np.sort(scores, axis=1)
    leads = ordered[:, -1] - ordered[:, -2]
    is_followed = (ordered[:, -1] >= reading.misspelt_nearness.value) & (leads >= reading.misspelt_lead.value)
    meant = np.array([codes.index(code) for code, _ in spoilt])
    assert (len(spoilt) > 30_000, is_followed.mean() > 0.6) == (True, True)
    return [spoilt[place] for place in np.flatnonzero(is_followed & (scores.argmax(axis=1) != meant))]


def all_slips(table: Abbreviations) -> Iterator[tuple[str, str]]:
    """Spoil every word for one province by one letter; what is again a word, or begins one, is no misspelling."""
    begun = {word[:length] for word in table.words for length in range(1, len(word) + 1)}
    for word, places in table.words.items():
        if len(places) == 1:
            for slip in one_letter_off(word):
                if slip not in begun:
                    yield places[0], slip


def one_letter_off(word: str) -> Iterator[str]:
    """Leave out, put in, change one letter, or swap two neighbours."""
    for place in range(len(word) + 1):
        before, after = word[:place], word[place:]
        yield before + after[1:]
        yield before + after[1:2] + after[:1] + after[2:]
        for letter in string.ascii_lowercase:
            yield before + letter + after
            yield before + letter + after[1:]


def scores_by_province(
    table: Abbreviations, words: list[str]
) -> tuple[list[str], "np.ndarray[tuple[int, int], np.dtype[np.float32]]"]:
    """Score words against provinces, each by its nearest word."""
    known = list(table.words)
    codes = sorted({code for places in table.words.values() for code in places})
    scores = np.zeros((len(words), len(codes)), dtype=np.float32)
    matrix = cdist(words, known, scorer=JaroWinkler.similarity, dtype=np.float32)
    for column, word in enumerate(known):
        for code in table.words[word]:
            place = codes.index(code)
            scores[:, place] = np.maximum(scores[:, place], matrix[:, column])
    return codes, scores


@pytest.mark.parametrize("years", [TYPICAL, SHARED, SOLO], ids=["typical", "shared", "solo"])
def test_the_boards_whose_points_are_shown_could_have_been_played(years: Mapping[int, YearCounts]) -> None:
    board = make_board(years)
    assert list(years) == [*range(1901, max(years) + 1)]
    assert [sum(counts) for counts in years.values()] == [33] + [34] * (len(years) - 1)
    assert board.centres == board.years[max(years)]
    for power in board.powers:
        seat = SeatRow(6, 5, 11, board, power, board.seats[power], None)
        assert not _is_impossible(seat, 18), power
