"""A roster is read as people save it, and all its faults are told at once."""

import time
from io import BytesIO

import openpyxl
import pytest

from pipeline.desk.players import read_roster_bytes
from pipeline.draw.roster import read_roster_csv
from pipeline.problems import Stopped


def test_a_roster_is_read_with_semicolons_a_byte_order_mark_and_blank_lines() -> None:
    text = "\ufeffName;Team;Distance km;Preregistered\n\nJosé  Núñez;Owls;1200;yes\nÅsa Öberg;;;no\n"

    players, problems = read_roster_csv(text, "players.csv")

    assert problems == ()
    assert [(p.name, p.team, p.distance_km, p.preregistered) for p in players] == [
        ("José Núñez", "Owls", 1200, True),
        ("Åsa Öberg", "", None, False),
    ]


def test_every_fault_of_a_roster_is_told_with_its_row() -> None:
    text = "name,tem,distance_km,keep_apart\nAna,x,far,\n=1+1,,,\nana,,,Bob\n,y,,\n"

    _, problems = read_roster_csv(text, "players.csv")

    assert [str(p) for p in problems] == [
        "notes  players.csv row 1: the column 'tem' is kept, and the program makes no use of it; did you mean 'team'?",
        "stops  players.csv row 2: distance_km: expected a whole number, found 'far'",
        "notes  players.csv row 3: the name '=1+1' begins like a formula; it is kept as text and never computed",
        "stops  players.csv row 5: a player without a name",
        "stops  players.csv row 4: 'ana' stands twice, also in row 2; add an initial to one of them",
        "stops  players.csv ana: keep_apart: nobody is called 'Bob'",
    ]


def test_an_empty_roster_and_one_without_names_say_what_is_wanted() -> None:
    assert [p.text for p in read_roster_csv("\n\n", "a.csv")[1]] == [
        "the roster is empty; give one player a row under a heading 'name'"
    ]
    assert "no column 'name'" in read_roster_csv("player\nAna\n", "a.csv")[1][-1].text


def test_columns_that_the_program_does_not_know_are_kept_as_they_are_and_named() -> None:
    players, problems = read_roster_csv('Name,E-Mail,Club,\nAna,a@b.pt,Owls,"two\nlines"\nBo,,,\n', "players.csv")

    assert [(p.name, p.club, p.more) for p in players] == [
        ("Ana", "Owls", (("E-Mail", "a@b.pt"), ("column 4", "two\nlines"))),
        ("Bo", "", ()),
    ]
    assert [(str(p.weight), p.text.split("'")[1]) for p in problems] == [("notes", "E-Mail"), ("notes", "column 4")]


def test_a_list_of_nothing_but_names_needs_no_heading() -> None:
    players, problems = read_roster_csv("Ana Silva\n\nBo Ek\n", "the list")

    assert ([p.name for p in players], problems) == (["Ana Silva", "Bo Ek"], ())


def test_a_heading_that_may_be_a_misspelt_one_is_nobodys_name() -> None:
    for heading in ("Nmae", "Players", "full name"):
        assert "no column 'name'" in read_roster_csv(f"{heading}\nAna\n", "a.csv")[1][-1].text


def test_a_column_that_stands_twice_and_a_row_with_too_many_cells_are_told_with_all_other_faults() -> None:
    _, problems = read_roster_csv("name,Club,club\nSilva, Ana, Owls, x\n,,\n\nana,y,\n", "players.csv")

    assert [(p.where, p.text.split(";")[0]) for p in problems] == [
        ("players.csv row 1", "the column 'club' stands twice"),
        ("players.csv row 2", "4 cells in 3 columns"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "name\n" + "".join(f"P {number}\n" for number in range(1_000_000)),
        "".join(f"P {number}\r" for number in range(1_000_000)),
        "name" + "".join(f",c{number}" for number in range(50_000)) + "\nAna" + "," * 50_000 + "\n",
        "name\nAna" + ",x" * 50_000 + "\n",
    ],
    ids=["a million rows", "a million names", "50,000 columns", "50,000 cells in a row"],
)
def test_what_is_larger_than_any_roster_is_refused_within_a_second(text: str) -> None:
    began = time.process_time()

    players, problems = read_roster_csv(text, "players.csv")

    assert (players, [problem.text for problem in problems]) == (
        (),
        ["a roster has at most 2,000 rows and 200 columns; leave out what is no player"],
    )
    assert time.process_time() - began < 1


def test_a_workbook_with_more_rows_than_a_list_has_is_refused_before_they_are_read() -> None:
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("players")
    for number in range(60_000):
        sheet.append([f"P {number}"])
    book.save(data := BytesIO())
    began = time.process_time()

    with pytest.raises(Stopped, match="60,000 rows and 60,000 cells; take away the empty ones"):
        read_roster_bytes(data.getvalue(), "players.xlsx")

    assert time.process_time() - began < 1
