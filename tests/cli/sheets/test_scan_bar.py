"""A long scan shows how far it is, on a terminal; a pipe gets the pages and nothing else."""

import io
import re

import pytest
from rich.console import Console

from pipeline.cli.scanning import Bar
from pipeline.desk.intake.ingest import PageIn
from pipeline.ink import part_number
from pipeline.reading.recogniser import Tray


def drawn(terminal: Console, pages: list[int]) -> str:
    """What a terminal shows while pages of a file are told."""
    with Bar(terminal) as bar:
        bar.begin(4)
        for page in pages:
            bar.tell(PageIn("a.pdf", page, Tray.FILED, "board 1.1 FRANCE"))
        bar.progress.refresh()
    assert isinstance(terminal.file, io.StringIO)
    return terminal.file.getvalue()


def test_a_terminal_shows_how_many_pages_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    shown = drawn(Console(file=io.StringIO(), force_terminal=True, width=100), [1, 2, 3])
    assert re.findall(r"(\d)/4 pages", shown)[-1] == "3"
    assert capsys.readouterr().out.count("filed") + shown.count("filed") == 3


def test_several_sheets_on_one_picture_are_one_page() -> None:
    shown = drawn(
        Console(file=io.StringIO(), force_terminal=True, width=100), [1, part_number(2, 1), part_number(2, 2)]
    )
    assert re.findall(r"(\d)/4 pages", shown)[-1] == "2"


def test_elsewhere_only_the_pages_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert drawn(Console(file=io.StringIO(), force_terminal=False), [1, 2]) == ""
    assert capsys.readouterr().out.splitlines() == [
        "filed         a.pdf page 1: board 1.1 FRANCE",
        "filed         a.pdf page 2: board 1.1 FRANCE",
    ]
