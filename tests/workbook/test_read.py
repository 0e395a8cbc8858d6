"""What people type into a workbook comes back as they typed it; formulas in input cells are refused, all at once."""

from io import BytesIO

import pytest
from openpyxl import Workbook

from pipeline.desk.roster_file import read_roster_bytes
from pipeline.problems import Stopped
from pipeline.scoring.results import Entrant, EventResults
from pipeline.scoring.score import score
from pipeline.workbook.write import write_workbook
from workbook.events import HOSTILE, invent
from workbook.office import values
from workbook.tournaments import rules_of, wishes_for


def book_of(rows: list[list[object]], title: str = "Sheet") -> bytes:
    book = Workbook()
    sheet = book.worksheets[0]
    sheet.title = title
    for row in rows:
        sheet.append(row)
    out = BytesIO()
    book.save(out)
    return out.getvalue()


def written(name: str, seed: int) -> tuple[EventResults, bytes]:
    event = invent(seed, wishes_for(name, seed))
    return event, write_workbook(score(event, rules_of(name)), title="Cup", sealed=False).data


def test_a_roster_is_read_from_any_list_with_names() -> None:
    data = book_of([["Name", "Team", "Distance km"], ["Ana Silva", "Owls", 120.0], ["Bo Ek", None, None]])
    read = read_roster_bytes(data, "players.xlsx")
    people = [(p.name, p.team, p.distance_km) for p in read.players]
    assert (people, read.problems) == ([("Ana Silva", "Owls", 120), ("Bo Ek", "", None)], ())
    data = book_of([["Our cup"], [], ["Name", "Team"], ["Ana Silva", "Owls"], ["Bo Ek", None]])
    read = read_roster_bytes(data, "players.xlsx")
    assert [(p.name, p.team) for p in read.players] == [("Ana Silva", "Owls"), ("Bo Ek", "")]
    assert [p.text for p in read.problems] == ["above the headings, and left out: Our cup"]


def test_a_formula_that_was_never_calculated_is_refused() -> None:
    [problem] = read_roster_bytes(book_of([["Name"], ["Ana"], ["=A2"]]), "players.xlsx").problems
    assert problem.text.startswith("formulas without a value in A3")


def test_our_own_players_sheet_is_a_roster() -> None:
    event, data = written("edc2023", 3)
    read = read_roster_bytes(data, "event.xlsx")
    assert [p for p in read.problems if p.weight.value == "stops"] == []
    assert {p.name for p in read.players} >= {" ".join(name.split()) for name in event.players}


def test_hostile_names_come_back_letter_by_letter() -> None:
    players = {name: Entrant(name=name) for name in HOSTILE}
    scored = score(EventResults(boards=(), players=players), rules_of("weaselmoot"))
    cells = values(write_workbook(scored, title="=Cup").data)
    assert {value for (sheet, _), value in cells.items() if sheet == "Players"} >= set(HOSTILE)


def test_what_is_no_workbook_stops_with_advice() -> None:
    with pytest.raises(Stopped) as stopped:
        read_roster_bytes(b"PK\x03\x04name,team\nAna,Owls\n", "players.csv")
    [problem] = stopped.value.problems
    assert problem.where == "players.csv"
    assert "save it as .xlsx" in problem.text
