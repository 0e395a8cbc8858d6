"""A long scan shows how far it is, on a terminal; a pipe gets the pages and nothing else."""

import io
import re

import pytest

from pipeline.cli.page_bar import PageBar
from pipeline.cli.scanning import _tell_page
from pipeline.desk.intake.ingest import PageIn
from pipeline.ink import part_number
from pipeline.reading.recogniser import Tray


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def drawn(terminal: io.StringIO, pages: list[int]) -> str:
    """What is shown beside the pages of a file while they are told."""
    with PageBar(terminal) as bar:
        bar.begin(4)
        for page in pages:
            _tell_page(bar, PageIn("a.pdf", page, Tray.FILED, "board 1.1 FRANCE"))
    return terminal.getvalue()


def test_a_terminal_shows_how_many_pages_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    shown = drawn(Terminal(), [1, 2, 3])
    assert re.findall(r"\d/4", shown) == ["0/4", "1/4", "2/4", "3/4"]
    assert capsys.readouterr().out.count("filed") == 3


def test_a_line_never_stands_beside_the_bar_and_the_cursor_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stdout", terminal)
    for shown in (drawn(terminal, [1, 2]), drawn(terminal, [1, 2, 3, 4])):
        assert shown.count("filed") == shown.count("\r\x1b[Kfiled")
        assert shown.endswith("\x1b[?25h\n")


def test_pages_that_are_told_before_others_are_read_are_counted_with_them() -> None:
    terminal = Terminal()
    with PageBar(terminal) as bar:
        bar.begin(1)
        bar.begin(2)
        bar.advance()
    assert re.findall(r"\d/\d", terminal.getvalue()) == ["0/1", "0/3", "1/3"]


def test_several_sheets_on_one_picture_are_one_page() -> None:
    shown = drawn(Terminal(), [1, part_number(2, 1), part_number(2, 2)])
    assert re.findall(r"(\d)/4", shown)[-1] == "2"


def test_elsewhere_only_the_pages_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert drawn(io.StringIO(), [1, 2]) == ""
    assert capsys.readouterr().out.splitlines() == [
        "filed         a.pdf page 1: board 1.1 FRANCE",
        "filed         a.pdf page 2: board 1.1 FRANCE",
    ]
