"""What ``rules --check`` refuses, ``new`` refuses with the same words and lines; and the workbook never breaks."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace
from workbook.events import Wishes, invent

from pipeline.cli.event import new_command
from pipeline.cli.rules import rules_command
from pipeline.problems import Stopped
from pipeline.rules.load import find_rules, load_tournament, tournament_ids
from pipeline.rules.rules_check import check_rules
from pipeline.rules.scoring import read_scoring
from pipeline.scoring.results import Team
from pipeline.scoring.score import score
from pipeline.workbook.write import write_workbook

FINAL = 'round = { value = 4, rule = "WDC08 4" }'
WEIGHTS = """\
weights = { value = [1, 1, 1], rule = "WDC08 4, 15.1", why = "the champion apart, who has won the top board" }
"""
TITLE = '\n[[awards.titles]]\ntitle = "X"\nrounds = '
WRONG = [  # what is written instead of what, and what is said of it
    (FINAL, FINAL.replace("4", "9", 1), "totals.final.round", "round 9 is not played; there are rounds 1 to 4"),
    ("", f"{TITLE}[]\n", "awards.titles[0].rounds", "missing; write the rounds that count for it"),
    ('id = "wdc2008"', 'id = "../x"', "tournament.id", "expected a word such as 'wdc2008', found '../x'"),
    ('id = "wdc2008"', 'id = ""', "tournament.id", "expected a word such as 'wdc2008', found ''"),
    ("last_year = { value = 1907", "last_year = { value = 1900", "ending.last_year.value", "a year from 1901 on"),
]  # fmt: skip


def written(folder: Path, before: str, after: str) -> Path:
    text = find_rules("wdc2008").read_text("utf-8")
    assert before in text
    path = folder / "mine.toml"
    path.write_text(text.replace(before, after, 1) if before else text + after, "utf-8")
    return path


def make(folder: Path, rules: str) -> Result:
    roster = folder / "roster.csv"
    roster.write_text("name\n" + "\n".join(f"Ann X{letter}" for letter in "ABCDEFG"), "utf-8")
    words = [str(folder / "cup"), "--tournament", rules, "--roster", str(roster)]
    return CliRunner().invoke(new_command, words)


@pytest.mark.parametrize(("before", "after", "where", "said"), WRONG)
def test_what_the_check_refuses_a_new_event_refuses_with_its_line(
    tmp_path: Path, before: str, after: str, where: str, said: str
) -> None:
    path = written(tmp_path, before, after)
    looked = CliRunner().invoke(rules_command, [str(path), "--check", "--json"])
    found = json.loads(looked.stdout)["faults"]
    assert looked.exit_code == 2
    assert [(fault["path"], said in fault["text"], fault["line"] is not None) for fault in found] == [
        (where, True, True)
    ]
    made = make(tmp_path, str(path))
    assert isinstance(made.exception, Stopped)
    assert [problem.text for problem in made.exception.problems] == [
        f"line {found[0]['line']}, {where}: {found[0]['text']}"
    ]
    assert not (tmp_path / "cup").exists()


def test_the_last_row_of_weights_is_for_more_games_too(tmp_path: Path) -> None:
    path = written(tmp_path, WEIGHTS, "weights = [[1], [1, 1], [1, 1, 1, 0]]\n")
    assert [*map(int, load_tournament(path).scoring.totals.weights.of(4))] == [1, 1, 1, 0]


@pytest.mark.parametrize("name", ["judge", "draw"])
def test_what_is_no_table_is_told_where_defaults_are_taken(tmp_path: Path, name: str) -> None:
    (tmp_path / "mine.toml").write_text(f'{name} = 5\n[scoring]\nparts = [{{ give = "centres" }}]\n', "utf-8")
    with pytest.raises(Stopped, match="expected a table, found 5"):
        load_tournament(tmp_path / "mine.toml")


@pytest.mark.parametrize(
    ("name", "table"), [("wdc2008", "ties.qualifying"), ("edc2023", "ties.qualifying"), ("edc2023", "totals.final")]
)
def test_two_readings_in_a_list_of_tables_are_refused_with_their_lines(name: str, table: str) -> None:
    text = find_rules(name).read_text("utf-8").replace(f"[{table}]", f"[[{table}]]")
    faults = check_rules(text, Path("mine.toml")).faults
    assert any(fault.path.startswith(f"{table}[0]") for fault in faults)
    assert all(fault.line for fault in faults)


SHIPPED = [
    *map(find_rules, tournament_ids()),
    *sorted((Path(__file__).parents[2] / "samples/tournaments").glob("*.toml")),
]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_files_that_come_along_make_an_event(tmp_path: Path, path: Path) -> None:
    assert make(tmp_path, str(path)).exit_code == 0


def test_a_title_whose_rounds_nobody_has_played_waits_for_its_sheet() -> None:
    points: dict[str, Any] = {
        "scoring": {"parts": [{"give": "polynomial", "coefficients": [0, 0, 1]}]},
        "totals": {"rounds": "any"},
        "awards": {"titles": [{"title": "late", "rounds": [9]}, {"title": "early", "rounds": [1, 9]}]},
    }
    event = invent(1, Wishes(players=14, rounds=2, final=False))
    assert write_workbook(score(event, read_scoring(points, "x")), title="x").data


def test_teams_whose_rounds_nobody_has_played_wait_for_their_sheets() -> None:
    points: dict[str, Any] = {
        "scoring": {"parts": [{"give": "polynomial", "coefficients": [0, 0, 1]}]},
        "totals": {"rounds": "any"},
        "teams": {"size": 2, "rounds": [9]},
    }
    event = invent(1, Wishes(players=14, rounds=2, final=False))
    event = replace(event, teams=(Team(name="Owls", members=tuple(event.players)[:2]),))
    pages = write_workbook(score(event, read_scoring(points, "x")), title="x", sealed=False).pages
    assert {page.title for page in pages}.isdisjoint({"Teams", "Team workings"})
