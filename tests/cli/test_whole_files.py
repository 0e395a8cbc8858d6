"""What the documentation calls a whole rules file is one, and the commands that it shows are commands."""

import json
import re
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from sampled import slow_after

from pipeline.board import Power
from pipeline.cli import group
from pipeline.problems import Stopped
from pipeline.rules.rules_check import check_rules

DOCS = Path(__file__).parents[2] / "docs"


def take_complete_files() -> list[tuple[str, str]]:
    """Every example in the documentation that has points and rounds, with the page it stands on."""
    found = []
    for page in sorted(DOCS.rglob("*.md")):
        for example in re.findall(r"```toml\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
            if "[scoring]" in example and "[totals]" in example:
                found.append((page.name, example))
    return found


FILES = take_complete_files()


def run(*words: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(group, [str(word) for word in words], input=typed)


def test_there_are_whole_files_on_three_pages() -> None:
    assert {page for page, _ in FILES} >= {"scoring.md", "rules-files.md", "scoring-systems.md"}


@pytest.mark.parametrize(
    ("page", "text"), slow_after(1, FILES), ids=[f"{page}-{number}" for number, (page, _) in enumerate(FILES)]
)
def test_every_command_takes_a_whole_file_of_the_documentation(page: str, text: str, tmp_path: Path) -> None:
    file, event, roster = tmp_path / "mine.toml", tmp_path / "event", tmp_path / "players.csv"
    file.write_text(text, "utf-8")
    roster.write_text("name\n" + "".join(f"Player {number}\n" for number in range(1, 15)), "utf-8")
    assert check_rules(text, file).faults == ()
    for words in (
        ("rules", file),
        ("rules", file, "--open"),
        ("rules", file, "--check"),
        ("rules", file, "--json"),
        ("new", event, "--tournament", file, "--roster", roster),
        ("draw", event, "--round", 1),
        ("sheets", event, "--round", 1, "-o", tmp_path / "sheets.pdf"),
        ("forms", event, "board", "-o", tmp_path / "board.pdf"),
        ("forms", event, "vote", "-o", tmp_path / "vote.pdf"),
        ("status", event),
        ("position", event, "1.1"),
        ("end", event, "--board", "1.1", "--how", "time", "--why", "the hall closes"),
        ("standings", event, "-o", tmp_path / "standings.xlsx"),
        ("check", event),
    ):
        ran = run(*map(str, words))
        assert ran.exit_code == 0, (words, ran.output, ran.exception)


@pytest.mark.parametrize(("page", "text"), FILES, ids=[f"{page}-{number}" for number, (page, _) in enumerate(FILES)])
def test_scores_and_readings_take_it_too(page: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text, "utf-8")
    board = {"board": "A", "result": {"centers": dict(zip(Power, (12, 9, 6, 4, 3, 0, 0), strict=True))}}
    results = {"tournament": str(file), "rounds": [{"number": 1, "boards": [board]}]}
    scored = run("score", "-", typed=json.dumps(results))
    assert scored.exit_code == 0, scored.output
    assert json.loads(scored.output)["boards"][0]["scores"]["AUSTRIA"]
    line = {
        "tournament": str(file),
        "power": "FRANCE",
        "phase": "S1901M",
        "units": {"FRANCE": ["A PAR", "A MAR", "F BRE"]},
        "lines": ["A Par-Bur", "F Bre H"],
    }
    understood = run("interpret", "-", typed=json.dumps(line))
    assert understood.exit_code == 0, understood.output
    assert json.loads(understood.output)["orders"] == ["A PAR - BUR", "F BRE H"]


def made_under(text: str, tmp_path: Path) -> tuple[Result, str]:
    """Make an event under a rules file; gives what was said, and event.toml."""
    file, roster = tmp_path / "mine.toml", tmp_path / "players.csv"
    file.write_text(text, "utf-8")
    roster.write_text("name\n" + "".join(f"Player {number}\n" for number in range(1, 15)), "utf-8")
    ran = run("new", str(tmp_path / "event"), "--tournament", str(file), "--roster", str(roster))
    made = tmp_path / "event" / "event.toml"
    return ran, made.read_text("utf-8") if made.exists() else ""


def test_an_event_is_played_on_the_map_of_its_rules(tmp_path: Path) -> None:
    assert (
        run("rules", "--new", str(tmp_path / "six.toml"), "--system", "omg", "--map", "sandard", "--yes").exit_code == 0
    )
    ran, event = made_under((tmp_path / "six.toml").read_text("utf-8"), tmp_path)
    assert ran.exit_code == 0, ran.output
    assert 'map = "sandard"' in event


def test_what_cannot_work_in_the_rules_is_told_when_the_event_is_made(tmp_path: Path) -> None:
    ran, _ = made_under('[scoring]\nsystem = "omg"\n[totals]\nrounds = 2\nweights = [1, 1, "1/2"]\n', tmp_path)
    assert isinstance(ran.exception, Stopped)
    assert "line 5, totals.weights: 3 weights, but 2 rounds" in str(ran.exception)


def test_the_first_page_says_where_the_program_is_before_it_is_called_by_its_name() -> None:
    text = (DOCS.parent / "README.md").read_text("utf-8")
    makefile = (DOCS.parent / "Makefile").read_text("utf-8")
    assert text.index("\nmake setup") < text.index(". .venv/bin/activate") < text.index("\nordersheets new")
    assert "\nsetup:" in makefile


def shown_commands() -> list[str]:
    """Every command that a page shows in a block of code, without what is said beside it."""
    texts = [page.read_text("utf-8") for page in (DOCS.parent / "README.md", *DOCS.rglob("*.md"))]
    blocks = [block for text in texts for block in re.findall(r"```\n(.*?)```", text, re.DOTALL)]
    lines = [line for text in texts for line in text.splitlines() if line.startswith("    ")]
    lines += [line for block in blocks for line in block.splitlines()]
    shown = {re.split(r"\s{2,}|\s#", line.strip())[0] for line in lines if line.strip().startswith("ordersheets ")}
    return sorted(line for line in shown if not re.search(r"[…\[|]", line))


def test_every_command_that_a_page_shows_can_be_said() -> None:
    wrong = []
    for line in shown_commands():
        name, *words = shlex.split(line)[1:]
        command = group.get_command(click.Context(group), name)
        assert command, line
        try:
            command.make_context(name, words)
        except click.UsageError as error:
            if "does not exist" not in error.message:
                wrong.append((line, error.message))
    assert wrong == []
