"""What people type into a workbook comes back as they typed it; formulas in input cells are refused, all at once."""

from dataclasses import replace
from io import BytesIO

import pytest
from openpyxl import Workbook

from pipeline.problems import Stopped
from pipeline.scoring.results import EventResults, Player
from pipeline.scoring.score import score
from pipeline.workbook.read import read_results, read_roster
from pipeline.workbook.write import write_workbook
from workbook.events import HOSTILE, Wishes, invent
from workbook.office import edited
from workbook.tournaments import TOURNAMENTS, rules_of, wishes_for


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


def comparable(event: EventResults) -> EventResults:
    """Leave out what a workbook does not keep: the order of team members, rounds no rule asks announcements for."""
    players = {
        name: replace(player, preregistered=frozenset(player.preregistered & {1, 4}))
        for name, player in sorted(event.players.items())
    }
    names = {seat.instead_of for board in event.boards for seat in board.seats.values() if seat.instead_of}
    players |= {name: Player(name=name) for name in names if name not in players}
    teams = tuple(
        sorted((replace(team, members=tuple(sorted(team.members))) for team in event.teams), key=lambda t: t.name)
    )
    return replace(event, players=dict(sorted(players.items())), teams=teams)


def test_who_was_left_out_of_a_draw_comes_back() -> None:
    event = invent(5, Wishes(players=14, rounds=2, left_out=0.4))
    assert any(board.left_out for board in event.boards)
    data = write_workbook(score(event, rules_of("weaselmoot")), title="Cup", sealed=False).data
    read = read_results(data, "event.xlsx")
    assert read.problems == ()
    assert [board.left_out for board in read.results.boards] == [board.left_out for board in event.boards]


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_results_come_back_as_they_were_written(name: str) -> None:
    event, data = written(name, 3)
    read = read_results(data, "event.xlsx")
    assert read.problems == ()
    expected, found = comparable(event), comparable(read.results)
    if not rules_of(name).bonuses.preregistration:
        nobody: frozenset[int] = frozenset()
        expected = replace(expected, players={n: replace(p, preregistered=nobody) for n, p in expected.players.items()})
    assert found.boards == expected.boards
    assert found.players == expected.players
    assert (found.penalties, found.bonuses, found.lots) == (expected.penalties, expected.bonuses, expected.lots)
    assert found.teams == expected.teams
    assert found.board_games == expected.board_games
    assert sorted(found.ballots, key=lambda b: (b.skill, b.player)) == sorted(
        expected.ballots, key=lambda b: (b.skill, b.player)
    )


def test_boards_without_counts_are_to_come() -> None:
    event, _ = written("weaselmoot", 1)
    *over, last = event.boards
    waiting = replace(last, centres={}, years={})
    scored = score(replace(event, boards=tuple(over)), rules_of("weaselmoot"))
    read = read_results(write_workbook(scored, title="Cup", to_come=[waiting]).data, "event.xlsx")
    assert read.problems == ()
    assert len(read.results.boards) == len(over)
    assert [board.seats for board in read.to_come] == [waiting.seats]


def test_every_fault_is_told_at_once_with_its_cell() -> None:
    _, data = written("weaselmoot", 0)

    def spoil(book: Workbook) -> None:
        sheet = book["Results"]
        sheet["E5"] = "=1+6"
        sheet["E6"] = 35
        sheet["E7"] = "seven"
        sheet["C8"] = "Germny"
        sheet["D9"] = "Nobody Known"
        book["Players"]["F5"] = "far"

    problems = read_results(edited(data, spoil), "event.xlsx").problems
    told = {problem.where: problem.text for problem in problems}
    assert told["Results!E5"] == "the formula '=1+6' in an input cell; type the value itself"
    assert told["Results!E6"] == "found 35; wanted a whole number from 0 to 34, or nothing"
    assert told["Results!E7"] == "found 'seven'; wanted a whole number from 0 to 34, or nothing"
    assert told["Results!C8"] == "'Germny' is no power; did you mean 'germany'?"
    assert told["Results!D9"].startswith("'Nobody Known' is not on the Players sheet")
    assert told["Players!F5"] == "found 'far'; wanted a whole number from 0 to 99999, or nothing"


def test_a_roster_is_read_from_any_list_with_names() -> None:
    data = book_of([["Name", "Team", "Distance km"], ["Ana Silva", "Owls", 120.0], ["Bo Ek", None, None]])
    players, problems = read_roster(data, "players.xlsx")
    assert [(p.name, p.team, p.distance_km) for p in players] == [("Ana Silva", "Owls", 120), ("Bo Ek", "", None)]
    assert problems == ()
    data = book_of([["Our cup"], [], ["Name", "Team"], ["Ana Silva", "Owls"], ["Bo Ek", None]])
    players, problems = read_roster(data, "players.xlsx")
    assert ([(p.name, p.team) for p in players], problems) == ([("Ana Silva", "Owls"), ("Bo Ek", "")], ())


def test_a_formula_in_a_roster_is_refused() -> None:
    _, problems = read_roster(book_of([["Name"], ["Ana"], ["=A2"]]), "players.xlsx")
    assert (problems[0].where, problems[0].text) == (
        "Sheet!A3",
        "the formula '=A2' in an input cell; type the value itself",
    )


def test_our_own_players_sheet_is_a_roster() -> None:
    event, data = written("edc2023", 3)
    players, problems = read_roster(data, "event.xlsx")
    assert [p for p in problems if p.weight.value == "stops"] == []
    assert {p.name for p in players} >= {" ".join(name.split()) for name in event.players}


def test_hostile_names_come_back_letter_by_letter() -> None:
    players = {name: Player(name=name) for name in HOSTILE}
    scored = score(EventResults(boards=(), players=players), rules_of("weaselmoot"))
    read = read_results(write_workbook(scored, title="=Cup").data, "event.xlsx")
    assert set(read.results.players) == set(HOSTILE)


def test_what_is_no_workbook_stops_with_advice() -> None:
    with pytest.raises(Stopped) as stopped:
        read_results(b"name,team\nAna,Owls\n", "players.csv")
    [problem] = stopped.value.problems
    assert problem.where == "players.csv"
    assert "save it as .xlsx" in problem.text


def test_a_workbook_without_results_says_what_is_missing() -> None:
    [problem] = read_results(book_of([["Name"], ["Ana"]]), "players.xlsx").problems
    assert "no sheet 'Results'" in problem.text
