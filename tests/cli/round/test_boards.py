"""A board may be named in full or alone, wherever one is named; what a name may mean is said."""

import json
from pathlib import Path

import pytest
from commands import run
from desk.beginnings import copied
from facts_as_kept import read_facts

from cli.test_day import LINES, NAMES
from pipeline.board import Power
from pipeline.desk.event.event import open_event
from pipeline.desk.event.seating import seat_round
from pipeline.ledger.files import now


@pytest.fixture
def cup(tmp_path: Path) -> str:
    """Two rounds of two boards; board 2 of the first has played its first spring."""
    return str(copied(play_a_spring, tmp_path / "cup"))


def play_a_spring(folder: Path) -> None:
    roster = folder.parent / "players.csv"
    others = {power: f"Guest {power[0]}" for power in Power}
    roster.write_text("name\n" + "\n".join([*NAMES.values(), *others.values()]), "utf-8")
    run("new", str(folder), "--tournament", "weaselmoot", "--roster", str(roster), "--name", "Cup", "--code", "ABCD")
    with open_event(folder, now) as event:
        for number in (1, 2):
            seat_round(event, number, {"1": NAMES, "2": others}, by="Tess")
    for power, lines in LINES.items():
        typed = [part for line in lines for part in ("--type", line)]
        run("rule", str(folder), "--board", "1.2", "--power", str(power), *typed)
    run("adjudicate", str(folder), "--board", "1.2")


@pytest.mark.parametrize(
    ("named", "board", "round_number"),
    [
        (["--board", "2.2"], "2", 2),
        (["--board", "2"], "2", 2),
        (["--board", "1.1"], "1", 1),
        (["--round", "1", "--board", "1.1"], "1", 1),
        (["--round", "1", "--board", "1"], "1", 1),
    ],
)
def test_sheets_are_printed_for_a_board_named_in_full_or_alone(
    cup: str, tmp_path: Path, named: list[str], board: str, round_number: int
) -> None:
    layout = tmp_path / "l.json"
    run("sheets", cup, *named, "-o", str(tmp_path / "s.pdf"), "--layout", str(layout))
    pages = json.loads(layout.read_text())["pages"]
    assert [page["board"] for page in pages] == [board] * 7
    assert pages[0]["phase"] == "S1901M"
    with open_event(Path(cup), now) as event:
        (printed,) = read_facts(event.facts, "sheets printed")
    assert {sheet["round"] for sheet in printed.body["sheets"]} == {round_number}


@pytest.mark.parametrize(
    ("named", "said"),
    [
        (["--round", "1", "--board", "2.2"], "board 2.2 is not of round 1; leave --round out, or name another"),
        (["--board", "3"], "no board '3'"),
        ([], "say for which round, or for which board"),
    ],
)
def test_a_board_that_is_not_there_is_said(cup: str, tmp_path: Path, named: list[str], said: str) -> None:
    assert said in run("sheets", cup, *named, "-o", str(tmp_path / "s.pdf"), code=2)
    assert not (tmp_path / "s.pdf").exists()


@pytest.mark.parametrize("name", ["2.2", "2"])
def test_every_command_that_takes_a_board_takes_its_full_name_and_its_own(cup: str, tmp_path: Path, name: str) -> None:
    assert json.loads(run("orders", cup, "--board", name, "--json"))["board"] == "2.2"
    assert json.loads(run("position", cup, name, "--json"))["board"] == "2.2"
    assert "2.2 S1901M ITALY" in run("rule", cup, "--board", name, "--power", "ITALY", "--type", "A Ven H")
    assert "2.2 S1901M" in run("adjudicate", cup, "--board", name, code=3)
    assert "1 form" in run("forms", cup, "board", "--board", name, "-o", str(tmp_path / "f.pdf"))
    assert "2.2 S1901M: this phase is not published yet" in run(
        "correct", cup, "--board", name, "--phase", "S1901M", code=2
    )
    waiting = run("review", cup, "--board", name, "--xlsx", str(tmp_path / "r.xlsx"))
    assert "8 wait" in waiting, "six sheets, and Italy's two units without a row"
    assert "2.2: abandoned" in run("end", cup, "--board", name, "--how", "abandoned", "--why", "everybody left")


def test_a_board_that_is_not_there_is_no_board_on_which_nothing_waits(cup: str, tmp_path: Path) -> None:
    assert "no board '7'" in run("review", cup, "--board", "7", "--xlsx", str(tmp_path / "r.xlsx"), code=2)


def test_one_board_alone_is_reviewed_in_a_spreadsheet(cup: str) -> None:
    assert "the browser shows every board" in run("review", cup, "--board", "2", code=2)


def test_explain_names_the_boards_that_a_name_could_mean(cup: str) -> None:
    asked = run("explain", cup, "2 S1901M F BRE", code=2)
    assert "not published on board 2.2, and is on 1.2; ask '1.2 S1901M F BRE'" in asked
    assert "F BRE - MAO: succeeds" in run("explain", cup, "1.2 S1901M F BRE")
    nowhere = run("explain", cup, "2 F1901M F BRE", code=2)
    assert "boards of this name are 2.2, 1.2" in nowhere


def test_explain_says_that_another_round_has_the_same_board(cup: str) -> None:
    for power, lines in LINES.items():
        typed = [part for line in lines for part in ("--type", line)]
        run("rule", cup, "--board", "2.2", "--power", str(power), *typed)
    run("adjudicate", cup, "--board", "2")
    told = run("explain", cup, "2 S1901M F BRE")
    assert told.startswith("board 2.2 ")
    assert "board 2 is 2.2 here; for 1.2 ask '1.2 S1901M F BRE'" in told
    assert "for 2.2 ask" not in run("explain", cup, "1.2 S1901M F BRE")
