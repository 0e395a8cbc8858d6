"""A watched folder gives up each file once it is whole, and again when it was written anew; nothing in it is lost."""

import os
import time
from pathlib import Path

import pytest

from pipeline.desk.intake.watching import GIVEN_UP_S, SETTLED_S, WatchedFolder

WHOLE = {
    "a.pdf": b"%PDF-1.4 ... %%EOF\n",
    "b.png": b"\x89PNG ... IEND\xaeB`\x82",
    "c.jpg": b"\xff\xd8 ... \xff\xd9",
    "d.tif": b"II*\0",
}


def put(path: Path, content: bytes, age_s: float) -> Path:
    """Write a file as if so long ago."""
    path.write_bytes(content)
    then = time.time() - age_s
    os.utime(path, (then, then))
    return path


def test_whole_files_come_once_and_other_kinds_never(tmp_path: Path) -> None:
    files = [put(tmp_path / name, content, 2 * SETTLED_S) for name, content in WHOLE.items()]
    put(tmp_path / "letter.txt", b"Dear director", 100)
    (tmp_path / "folder.pdf").mkdir()
    watched = WatchedFolder(tmp_path)
    assert watched.whole_files() == files
    assert watched.whole_files() == []


@pytest.mark.parametrize("name", ["a.pdf", "b.png", "c.jpg"])
def test_half_a_file_waits_for_its_end_however_long_the_scanner_pauses(tmp_path: Path, name: str) -> None:
    watched = WatchedFolder(tmp_path)
    put(tmp_path / name, WHOLE[name][:7], GIVEN_UP_S / 2)
    assert watched.whole_files() == []
    put(tmp_path / name, WHOLE[name], SETTLED_S / 2)
    assert watched.whole_files() == [], "it may still grow"
    file = put(tmp_path / name, WHOLE[name], 2 * SETTLED_S)
    assert watched.whole_files() == [file]


def test_a_file_that_never_ends_is_taken_as_it_is_and_again_when_it_has_its_end(tmp_path: Path) -> None:
    watched = WatchedFolder(tmp_path)
    file = put(tmp_path / "a.pdf", WHOLE["a.pdf"][:7], 2 * GIVEN_UP_S)
    assert watched.whole_files() == [file]
    assert watched.whole_files() == []
    put(file, WHOLE["a.pdf"], 2 * SETTLED_S)
    assert watched.whole_files() == [file]


def test_the_next_sheet_under_the_same_name_is_taken_too(tmp_path: Path) -> None:
    watched = WatchedFolder(tmp_path)
    file = put(tmp_path / "scan.jpg", WHOLE["c.jpg"], 100)
    assert watched.whole_files() == [file]
    put(file, b"\xff\xd8 another \xff\xd9", 50)
    assert watched.whole_files() == [file]


def test_a_file_that_vanishes_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "gone.pdf").symlink_to(tmp_path / "nowhere.pdf")
    assert WatchedFolder(tmp_path).whole_files() == []


@pytest.mark.parametrize("name", ["IMG_0001.HEIC", "scan.jfif", "page.webp", "fax.bmp"])
def test_pictures_of_other_kinds_are_taken_so_that_somebody_is_told(tmp_path: Path, name: str) -> None:
    file = put(tmp_path / name, b"a picture", 2 * SETTLED_S)
    assert WatchedFolder(tmp_path).whole_files() == [file]


def test_a_folder_that_drops_out_is_looked_for_again(tmp_path: Path) -> None:
    folder = tmp_path / "share"
    watched = WatchedFolder(folder)
    assert watched.whole_files() == []
    assert watched.gone == "No such file or directory"
    folder.mkdir()
    file = put(folder / "scan.jpg", WHOLE["c.jpg"], 100)
    assert watched.whole_files() == [file]
    assert watched.gone == ""


def test_a_scanner_whose_clock_is_an_hour_fast_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = WatchedFolder(tmp_path)
    file = put(tmp_path / "scan.jpg", WHOLE["c.jpg"], -3600)
    assert watched.whole_files() == [], "it may still grow"
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now + SETTLED_S + 1)
    assert watched.whole_files() == [file]
    assert watched.whole_files() == []
