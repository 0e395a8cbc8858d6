"""What the documentation calls a whole rules file is one: every command that takes a tournament takes it."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pipeline.board.map import Power
from pipeline.cli import group
from pipeline.tournament.rules_check import check_rules

DOCS = Path(__file__).parents[2] / "docs"


def whole_files() -> list[tuple[str, str]]:
    """Every example in the documentation that has points and rounds, with the page it stands on."""
    found = []
    for page in sorted(DOCS.glob("*.md")):
        for example in re.findall(r"```toml\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
            if "[scoring]" in example and "[totals]" in example:
                found.append((page.name, example))
    return found


FILES = whole_files()


def run(*words: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(group, [str(word) for word in words], input=typed)


def test_there_are_whole_files_on_three_pages() -> None:
    assert {page for page, _ in FILES} >= {"scoring.md", "rules-files.md", "scoring-systems.md"}


@pytest.mark.parametrize(("page", "text"), FILES, ids=[f"{page}-{number}" for number, (page, _) in enumerate(FILES)])
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
        ("rules", file, "--table"),
        ("new", event, "--tournament", file, "--roster", roster),
        ("draw", event, "--round", 1),
        ("sheets", event, "--round", 1, "-o", tmp_path / "sheets.pdf"),
        ("forms", event, "board", "-o", tmp_path / "board.pdf"),
        ("forms", event, "vote", "-o", tmp_path / "vote.pdf"),
        ("status", event),
        ("position", event, "1.1"),
        ("end", event, "--board", "1.1", "--how", "time"),
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
