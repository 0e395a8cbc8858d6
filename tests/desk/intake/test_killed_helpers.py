"""Helpers that are killed, or whose asker is gone, say nothing; a page that cannot be read stops no other."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from sampled import slow_after

from desk.cup import seated
from pipeline.desk.intake.reading_pool import read_here
from pipeline.reading.pages import PageImage
from pipeline.reading.recogniser import NotOpened


def helper(module: str, *arguments: str) -> "subprocess.Popen[bytes]":
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([sys.executable, "-m", module, *arguments], **pipes)  # type: ignore[call-overload, no-any-return]


@pytest.mark.parametrize("sent", slow_after(2, [b"", b"no pickle", b"\x80\x05\x95\xff"]))
@pytest.mark.parametrize("module", ["pipeline.desk.intake.reading_helper", "pipeline.reading.pdf_opener"])
def test_a_helper_that_is_told_nonsense_or_nothing_says_nothing(module: str, sent: bytes, tmp_path: Path) -> None:
    arguments = [str(seated(tmp_path / "cup"))] if "helper" in module else ["5", str(1 << 30)]
    with helper(module, *arguments) as process:
        out, told = process.communicate(sent, timeout=120)
    assert (out, told) == (b"", b"")


def test_a_helper_of_an_event_that_is_gone_says_nothing(tmp_path: Path) -> None:
    with helper("pipeline.desk.intake.reading_helper", str(tmp_path / "gone")) as process:
        assert process.communicate(b"", timeout=120) == (b"", b"")
    assert process.returncode == 1


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_a_helper_that_is_ended_says_nothing(tmp_path: Path) -> None:
    with helper("pipeline.desk.intake.reading_helper", str(seated(tmp_path / "cup"))) as process:
        process.send_signal(signal.SIGTERM)
        assert process.communicate(timeout=120)[1] == b""


class Broken:
    """A reader that fails on every page."""

    sha256 = "ab"

    def every_sheet(self, page: PageImage) -> None:
        """Fail."""
        raise ZeroDivisionError("nobody thought of it")


def test_a_page_on_which_the_reader_fails_is_told_as_unreadable() -> None:
    found = read_here(PageImage("a.pdf", 3, None), Broken())  # type: ignore[arg-type]
    assert isinstance(found, NotOpened)
    assert (found.page, found.tray) == (3, "unreadable")
    assert "ZeroDivisionError" in found.text
