"""The commands: print, look, rule, accept, vote; and what stands in the status."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from desk.forms.table import NAMES, Table, event_of, ticked
from pipeline.cli import group
from pipeline.paper.form import FormKind
from pipeline.problems import Stopped


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """An event with seven slips in, one of them with two ticks."""
    with event_of(tmp_path, "nzdc1999") as event:
        table = Table(event, tmp_path)
        printed = table.printed(FormKind.VOTE, board="1.1")
        marks = [ticked("vote: yes")] * 6 + [ticked("vote: yes", "vote: no")]
        table.scanned([table.filled(printed, number, each) for number, each in enumerate(marks)])
    yield tmp_path / "cup"


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(group, [str(word) for word in words])


def test_a_vote_from_paper_to_its_end(folder: Path) -> None:
    waiting = json.loads(run("status", folder, "--json").output)["forms"]
    assert [form["state"] for form in waiting].count("counts") == 6
    (asked,) = [form for form in waiting if form["doubts"]]
    assert asked["form"] in run("status", folder).output
    voting = ("vote", folder, "--board", "1.1", "--asked-by", "FRANCE", "--all-agree", "--by", "Tess")
    stopped = run(*voting).exception
    assert isinstance(stopped, Stopped)
    assert stopped.code == 3
    ruled = run("form", folder, asked["form"], "--field", "vote", "--is", "no", "--by", "Tess", "--why", "he says so")
    assert "in the journal" in ruled.output
    shown = json.loads(run("form", folder, asked["form"], "--json").output)
    assert (shown["fields"][0]["value"], shown["fields"][0]["ruled_by"]) == ("no", "Tess")
    early = run(*voting).exception
    assert isinstance(early, Stopped)
    assert "no Fall has been played to its end" in early.problems[0].text
    assert "not carried: the game goes on" in run(*voting, "--ruled", "--why", "they all want it").output


def test_forms_are_printed_with_their_layout(folder: Path) -> None:
    pdf, layout = folder / "board.pdf", folder / "board.json"
    done = run("forms", folder, "board", "--board", "1", "-o", pdf, "--layout", layout)
    assert done.output == f"{pdf}: 1 form\n"
    assert pdf.read_bytes().startswith(b"%PDF")
    told = json.loads(layout.read_text("utf-8"))
    assert told["paper_mm"] == [210.0, 297.0]
    assert told["pages"][0]["at_mm"] == [3.0, 13.5]
    assert {"name": "1901 FRANCE", "row": 2}.items() <= told["pages"][0]["fields"][5].items()


def test_the_list_of_numbers_is_printed_to_be_hung_up(folder: Path) -> None:
    lines = run("forms", folder, "numbers").output.splitlines()
    assert lines == [f"{number:>4}  {name}" for number, name in enumerate(NAMES, start=1)]


def test_a_form_is_shown_in_words(folder: Path) -> None:
    form = json.loads(run("status", folder, "--json").output)["forms"][0]["form"]
    shown = run("form", folder, form).output
    assert "vote" in shown
    assert "yes" in shown
    with pytest.raises(Stopped, match="give --field with --is"):
        raise run("form", folder, form, "--field", "vote").exception or AssertionError


def test_without_a_board_every_board_of_the_round_gets_its_forms(tmp_path: Path) -> None:
    roster = tmp_path / "players.csv"
    roster.write_text("name\n" + "".join(f"Player {number}\n" for number in range(14)), "utf-8")
    assert run("new", tmp_path / "cup", "--tournament", "nzdc1999", "--roster", roster).exit_code == 0
    early = run("forms", tmp_path / "cup", "board", "-o", tmp_path / "early.pdf").exception
    assert isinstance(early, Stopped)
    assert "no round is drawn yet" in early.problems[0].text
    run("draw", tmp_path / "cup", "--round", "1")
    done = run("forms", tmp_path / "cup", "board", "-o", tmp_path / "boards.pdf", "--layout", tmp_path / "boards.json")
    assert done.output.endswith("boards.pdf: 2 forms\n")
    assert [page["board"] for page in json.loads((tmp_path / "boards.json").read_text("utf-8"))["pages"]] == [
        "1.1",
        "1.2",
    ]


def test_a_writing_sample_is_printed_for_the_players_who_are_named(folder: Path) -> None:
    pdf, layout = folder / "samples.pdf", folder / "samples.json"
    done = run("forms", folder, "sample", "--player", "2", "--player", NAMES[0], "-o", pdf, "--layout", layout)
    assert done.output == f"{pdf}: 2 forms, 2 on a page: cut them apart\n"
    assert len(json.loads(layout.read_text("utf-8"))["pages"]) == 2
    strange = run("forms", folder, "sample", "--player", "Nobody", "-o", pdf).exception
    assert isinstance(strange, Stopped)
    assert [problem.where for problem in strange.problems] == ["Nobody"]
    other = run("forms", folder, "vote", "--player", "2", "-o", pdf).exception
    assert isinstance(other, Stopped)
