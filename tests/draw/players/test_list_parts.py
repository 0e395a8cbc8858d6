"""The parts of a list of players one by one: headings, rows that are otherwise, what stands beside a name."""

from collections.abc import Callable, Sequence

import pytest

from pipeline.draw.behind_names import _wide_lines, has_more_behind
from pipeline.draw.list_as_read import RosterChoices
from pipeline.draw.list_headings import FIRST, WORDS, guess_columns, name_meant
from pipeline.draw.listed_names import _without_contact
from pipeline.draw.roster import ListPlace
from pipeline.draw.roster_list import read_roster_list
from pipeline.draw.unheaded_list import names_behind_teams, propose_names

NOT_CHOSEN = RosterChoices()


NAMES_ARE_CALLED = ("name", "nom", "nome", "nombre", "nazwisko", "namn", "navn", "naam", "nimi", "имя", "імя", "jmeno")


@pytest.mark.parametrize("word", NAMES_ARE_CALLED)
def test_a_word_for_names_heads_whatever_half_of_them_has_no_column_yet(word: str) -> None:
    for others, meaning in (([], "name"), ([FIRST], "family_name"), (["family_name"], FIRST)):
        for heads in ([*others, word], [word, *others]):
            assert guess_columns(heads, NOT_CHOSEN)[heads.index(word)] == meaning
    assert guess_columns([FIRST, "family_name", word], NOT_CHOSEN)[-1] == "name"
    assert guess_columns([FIRST, word, f"{word} / {word}"], NOT_CHOSEN)[1:] == ["family_name", "name"]
    chosen = RosterChoices(columns={word: "club"})
    assert guess_columns([FIRST, f" {word} "], chosen) == [FIRST, "club"]


def test_a_long_word_for_names_is_meant_though_a_letter_is_another_and_a_short_one_is_not() -> None:
    names = [word for word, meaning in WORDS.items() if meaning in ("name", FIRST, "family_name") and word.isascii()]
    for word in names:
        told = name_meant(f"{word[:-1]}q")
        if "'name'" not in told and " " not in word:
            assert bool(told) == (len(word) >= 6), word


@pytest.mark.parametrize(
    ("heading", "row", "is_told"),
    [
        ("Name Club", "Ada Lund Owls", True),
        ("Name Age Town", "Ada Lund 34 Oslo", True),
        ("Club Players", "Ada Lund", False),
        ("First name Name", "Ada Lund X", False),
        ("Town Age", "Oslo 34 X", False),
    ],
)
def test_headings_with_only_blanks_between_them_are_told(heading: str, row: str, is_told: bool) -> None:
    read = read_roster_list([[heading], [row], [f"{row}y"]], "list", NOT_CHOSEN)
    assert any("only blanks between them" in problem.text for problem in read.problems) == is_told


def test_a_row_that_is_otherwise_ends_no_list() -> None:
    rows = [["Lund", " Ada"], ["Ek", " Bo", "Owls", "Oslo", "late"], ["Dee", " Cy"], ["Ho", " Di"], ["Li", " Wu"]]
    read = read_roster_list(rows, "list", NOT_CHOSEN)
    odd = "Ek, Bo, Owls, Oslo, late"
    assert [doubt.name for doubt in read.doubtful] == ["Ada Lund", odd, "Cy Dee", "Di Ho", "Wu Li"]


@pytest.mark.parametrize("text", ["(she/her)", "To: ada@lund.example", "'Ada' Lund'", "Ada Lund"])
def test_a_text_that_is_nothing_but_what_is_left_out_stays(text: str) -> None:
    assert _without_contact(text) == text


def test_names_of_those_who_are_kept_apart_are_turned_in_every_row() -> None:
    rows = [["name", "keep apart"], ["Lund, Ada", "Ek, Bo"], ["Ek, Bo", "Lund, Ada"], ["Dee, Cy", "Ek, Bo; Lund, Ada"]]
    read = read_roster_list(rows, "list", NOT_CHOSEN)
    assert [player.keep_apart for player in read.players] == [("Bo Ek",), ("Ada Lund",), ("Bo Ek", "Ada Lund")]


Row = Sequence[str]
LETTERS = "abcdefghij"
# Rows that make a list what it is, and what it is taken for where six of ten rows or more are so.
PROPOSED: dict[str, tuple[Callable[[str], Row], Row, str]] = {
    "families": (lambda sign: (f"Lu{sign}", " Ada"), ("1", "2", "3", "4"), "the family names stand in front"),
    "whole names": (lambda sign: (f"Ada Lu{sign}", "7"), ("7", "8"), "no row names the columns; the names are taken"),
    "two columns": (lambda sign: (f"Lu{sign}", "Ada", "7"), ("7", "8", "9"), "no row names the columns; the names are"),
}


@pytest.mark.parametrize("kind", PROPOSED)
def test_a_list_is_taken_for_what_most_of_its_rows_are_like(kind: str) -> None:
    make, other, told = PROPOSED[kind]
    for n in range(1, 11):
        for k in range(1, n + 1):
            rows = [make(sign) for sign in LETTERS[:k]] + [other] * (n - k)
            found = propose_names(list(enumerate(rows)))
            assert (found is not None and found.told.startswith(told)) == (5 * k >= 3 * n), (k, n)


def test_names_that_mostly_come_again_are_no_names() -> None:
    for different in range(1, 6):
        rows = [(f"Ada Lu{LETTERS[min(n, different - 1)]}", "7") for n in range(5)]
        assert (propose_names(list(enumerate(rows))) is not None) == (different > 3)


def test_lines_have_teams_in_front_where_most_have_and_a_board_is_no_team() -> None:
    for n in range(1, 11):
        for k in range(1, n + 1):
            rows = [(f"Ow{sign}: Ada Lund, Bo Ek",) for sign in LETTERS[:k]] + [("Cy Dee",)] * (n - k)
            assert (names_behind_teams(list(enumerate(rows)), ["name"]) is not None) == (5 * k >= 3 * n), (k, n)
    heads = ("Owls", "Team 1", "Board 1", "Table B")
    found = names_behind_teams([(line, [f"{head}: Ada, Bo"]) for line, head in enumerate(heads)], ["name"])
    assert [team for _, (_, team) in found.rows[::2]] == ["Owls", "Team 1", "", ""] if found else found


def test_people_have_other_people_behind_them_only_where_every_line_says_so_with_a_colon() -> None:
    for k in range(5):
        rows = [[f"Ada Lu{sign}: Bo Ek, Cy Dee"] for sign in LETTERS[:k]]
        rows += [[f"Dov Ha{sign} (Eva Fay, Gil Hal)"] for sign in LETTERS[k:4]]
        assert (names_behind_teams(list(enumerate(rows)), ["name"]) is not None) == (k == 4), k


def test_what_stands_behind_half_of_the_names_or_more_is_what_the_list_has_there() -> None:
    for n in range(1, 9):
        for k in range(n + 1):
            rows = [[f"Ada Lu{sign} (Owls)"] for sign in LETTERS[:k]] + [["Bo Ek"]] * (n - k)
            assert has_more_behind(rows) is (2 * k >= n), (k, n)
            pairs: dict[ListPlace, Sequence[str]] = {
                line: ["Ada" if line < k else "Ada Lund", "Owls"] for line in range(n)
            }
            assert _wide_lines(pairs) == ([*range(k)] if 2 * k > n else []), (k, n)
