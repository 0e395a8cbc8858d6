"""PDFs that hang, fill the memory of or end whatever opens them: each is told in words, and what else came is read."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from sampled import slow_after

from pipeline import processes
from pipeline.processes import start_process
from pipeline.reading import pages as pdf_pages
from pipeline.reading.pages import MOST_IN_A_ROW, BadPage, Opener, PageImage, pages
from reading.pdfs import SQUARE, bomb, nested, three_pages, tiled

TOLD = (
    "the page takes too much time or memory, or ends the program that draws it; print the file again to PDF, "
    "or scan it to TIFF or PNG"
)
DIES = "import sys; sys.stdin.readline(); print('no answer', flush=True)"


@pytest.fixture(autouse=True)
def opened_here() -> None:
    """A process of its own opens these."""


def check_only_the_second_is_bad(found: list[PageImage | BadPage]) -> None:
    first, second, third = found
    assert isinstance(second, BadPage)
    assert second.problem.text == TOLD
    assert second.problem.where == "harm.pdf page 2"
    for page in (first, third):
        assert isinstance(page, PageImage)
        assert page.grey.min() == 0


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere memory has no limit, and the time ends it")
@pytest.mark.parametrize("made", slow_after(1, [nested, bomb]))
def test_a_page_that_fills_the_memory_is_told_and_the_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: Callable[[], bytes]
) -> None:
    monkeypatch.setattr(pdf_pages, "MEMORY", 300 << 20)
    (tmp_path / "harm.pdf").write_bytes(made())
    check_only_the_second_is_bad(list(pages(tmp_path / "harm.pdf")))


def test_a_page_that_takes_for_ever_is_told_and_the_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf_pages, "ANSWERS_WITHIN_S", 2.0)
    (tmp_path / "harm.pdf").write_bytes(tiled())
    check_only_the_second_is_bad(list(pages(tmp_path / "harm.pdf")))


def test_the_process_that_opens_pdfs_ends_itself_also_where_nobody_is_left_who_asked(tmp_path: Path) -> None:
    (tmp_path / "harm.pdf").write_bytes(tiled())
    with start_process("pipeline.reading.pdf_opener", "1", str(1 << 30)) as left:
        assert left.stdin is not None
        assert left.stdout is not None
        for question in ({"file": str(tmp_path / "harm.pdf")}, {"page": 2}):
            left.stdin.write(json.dumps(question).encode() + b"\n")
        left.stdin.flush()
        assert json.loads(left.stdout.readline())["pages"] == 3

        assert left.stdout.read() == b""
    assert left.returncode != 0


def test_a_file_on_which_the_process_ends_is_told_and_the_next_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Image.fromarray(np.full((400, 300), 200, np.uint8)).save(tmp_path / "good.pdf")
    (tmp_path / "harm.pdf").write_bytes(b"%PDF-1.4")
    with Opener() as opener:
        with monkeypatch.context() as dying:
            dying.setattr(processes, "start_process", lambda *_: spawned(DIES))
            (bad,) = pages(tmp_path / "harm.pdf", opener)
        (good,) = pages(tmp_path / "good.pdf", opener)
    assert isinstance(bad, BadPage)
    assert bad.number is None
    assert bad.problem.text == TOLD.replace("the page", "opening the file", 1)
    assert isinstance(good, PageImage)


def spawned(script: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def test_one_process_opens_all_pdfs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []

    def counted(module: str, *arguments: str) -> "subprocess.Popen[bytes]":
        started.append(module)
        return start_process(module, *arguments)

    monkeypatch.setattr(processes, "start_process", counted)
    with Opener() as opener:
        for level in (100, 200):
            Image.fromarray(np.full((400, 300), level, np.uint8)).save(tmp_path / f"{level}.pdf")
            (page,) = pages(tmp_path / f"{level}.pdf", opener)
            assert isinstance(page, PageImage)
            assert int(page.grey[50, 50]) == pytest.approx(level, abs=3)
    assert started == ["pipeline.reading.pdf_opener"]


def test_a_file_that_says_it_has_a_million_pages_is_given_up_after_a_few(tmp_path: Path) -> None:
    (tmp_path / "long.pdf").write_bytes(three_pages(SQUARE, b"").replace(b"/Count 3", b"/Count 1000000"))
    found = list(pages(tmp_path / "long.pdf"))
    assert [isinstance(page, PageImage) for page in found] == [True] * 3 + [False] * (MOST_IN_A_ROW + 1)
    last = found[-1]
    assert isinstance(last, BadPage)
    assert last.problem.where == "long.pdf"
    assert last.problem.text == (
        "page 14 and the 10 before it cannot be read, and the rest was not tried; print the file again to PDF, "
        "or scan it to TIFF or PNG"
    )
