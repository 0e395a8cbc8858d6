"""A watched folder gives up each file once it is whole, and again when it was written anew; nothing in it is lost."""

import os
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec import Struct

from desk.cup import seated
from pipeline.cli import group
from pipeline.desk.intake.watching import GIVEN_UP_S, SETTLED_S, WatchedFolder

WHOLE = {
    "a.pdf": b"%PDF-1.4 ... %%EOF\n",
    "b.png": b"\x89PNG ... IEND\xaeB`\x82",
    "c.jpg": b"\xff\xd8 ... \xff\xd9",
    "d.tif": b"II*\0",
}


class Time(Struct):
    """A clock that stands until the test moves it."""

    now: float = 1000.0

    def __call__(self) -> float:
        """Tell the time."""
        return self.now


def put(path: Path, content: bytes) -> Path:
    """Write a file."""
    path.write_bytes(content)
    return path


def taken(watched: WatchedFolder, time: Time, after_s: float) -> list[Path]:
    """What is taken so long after it was seen first."""
    found = watched.take_complete_files()
    time.now += after_s
    return [*found, *watched.take_complete_files()]


def test_whole_files_come_once_and_other_kinds_never(tmp_path: Path) -> None:
    files = [put(tmp_path / name, content) for name, content in WHOLE.items() if name != "d.tif"]
    put(tmp_path / "letter.txt", b"Dear director")
    (tmp_path / "folder.pdf").mkdir()
    watched = WatchedFolder(tmp_path, time := Time())
    assert taken(watched, time, SETTLED_S) == files
    assert taken(watched, time, GIVEN_UP_S) == []
    file = put(tmp_path / "d.tif", WHOLE["d.tif"])
    assert taken(watched, time, SETTLED_S) == [file]


@pytest.mark.parametrize("name", ["a.pdf", "b.png", "c.jpg"])
def test_half_a_file_waits_for_its_end_however_long_the_scanner_pauses(tmp_path: Path, name: str) -> None:
    watched = WatchedFolder(tmp_path, time := Time())
    put(tmp_path / name, WHOLE[name][:7])
    assert taken(watched, time, GIVEN_UP_S / 2) == []
    file = put(tmp_path / name, WHOLE[name])
    assert taken(watched, time, SETTLED_S / 2) == [], "it may still grow"
    assert taken(watched, time, SETTLED_S / 2) == [file]


def test_a_file_that_never_ends_is_taken_as_it_is_and_again_when_it_has_its_end(tmp_path: Path) -> None:
    watched = WatchedFolder(tmp_path, time := Time())
    file = put(tmp_path / "a.pdf", WHOLE["a.pdf"][:7])
    assert taken(watched, time, GIVEN_UP_S) == [file]
    assert taken(watched, time, GIVEN_UP_S) == []
    put(file, WHOLE["a.pdf"])
    assert taken(watched, time, SETTLED_S) == [file]


def test_the_next_sheet_under_the_same_name_is_taken_too(tmp_path: Path) -> None:
    watched = WatchedFolder(tmp_path, time := Time())
    file = put(tmp_path / "scan.jpg", WHOLE["c.jpg"])
    assert taken(watched, time, SETTLED_S) == [file]
    put(file, b"\xff\xd8 another \xff\xd9")
    assert taken(watched, time, SETTLED_S) == [file]


def test_a_file_that_vanishes_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "gone.pdf").symlink_to(tmp_path / "nowhere.pdf")
    assert taken(WatchedFolder(tmp_path, time := Time()), time, GIVEN_UP_S) == []


@pytest.mark.parametrize("name", ["IMG_0001.HEIC", "scan.jfif", "page.webp", "fax.bmp"])
def test_pictures_of_other_kinds_are_taken_so_that_somebody_is_told(tmp_path: Path, name: str) -> None:
    file = put(tmp_path / name, b"a picture")
    assert taken(WatchedFolder(tmp_path, time := Time()), time, SETTLED_S) == [file]


def test_a_folder_that_drops_out_is_looked_for_again(tmp_path: Path) -> None:
    folder = tmp_path / "share"
    watched = WatchedFolder(folder, time := Time())
    assert watched.take_complete_files() == []
    assert watched.fault == "No such file or directory"
    folder.mkdir()
    file = put(folder / "scan.jpg", WHOLE["c.jpg"])
    assert taken(watched, time, SETTLED_S) == [file]
    assert watched.fault == ""


@pytest.mark.parametrize("hours", [1, -1, 24, -24])
def test_a_file_is_taken_when_it_is_whole_whatever_the_clock_on_the_wall_or_the_scanners_says(
    tmp_path: Path, hours: int
) -> None:
    watched = WatchedFolder(tmp_path, clock := Time())
    half = put(tmp_path / "scan.jpg", WHOLE["c.jpg"][:7])
    os.utime(half, (then := time.time() + 3600 * hours, then))
    assert taken(watched, clock, SETTLED_S) == [], "it has no end yet, however old it is said to be"
    file = put(tmp_path / "scan.jpg", WHOLE["c.jpg"])
    os.utime(file, (then + 1, then + 1))
    assert taken(watched, clock, SETTLED_S / 2) == [], "it may still grow"
    assert taken(watched, clock, SETTLED_S / 2) == [file]


def test_folders_in_a_watched_folder_are_told_in_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cup, watched = seated(tmp_path / "cup"), tmp_path / "in"
    put_into = [watched / "2026-11-28", watched / "2026-11-29", None]

    def pass_time(_: float) -> None:
        if (folder := put_into.pop(0)) is None:
            raise KeyboardInterrupt
        folder.mkdir()

    watched.mkdir()
    monkeypatch.setattr("pipeline.cli.scanning.time.sleep", pass_time)
    ran = CliRunner().invoke(group, ["scan", str(cup), "--watch", str(watched)])
    told = "not opened; let the scanner write into the folder itself"
    assert [line for line in ran.output.splitlines() if "inside" in line] == [
        f"{watched}: 1 folder inside is {told}",
        f"{watched}: 2 folders inside are {told}",
    ]
