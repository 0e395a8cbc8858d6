"""What became of the files of an open database, by what another program does to each of them."""

import errno
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.ledger.open_file import LOG, SHARED, OpenFile, stamp_of
from pipeline.problems import Stopped

NAME = "event.db"


def append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"more")


def cut(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(5)


def put_another(path: Path) -> None:
    path.with_name("other").write_bytes(b"x" * 10)
    path.with_name("other").replace(path)


def take_folder(path: Path) -> None:
    shutil.rmtree(path.parent)


GONE = "{} is not here any more: another program moved or deleted it"
FOLDER = "its folder is not here any more: it was moved or deleted, or its stick was pulled"


@pytest.mark.parametrize("suffix", ["", LOG, SHARED])
@pytest.mark.parametrize(
    ("act", "of_file", "of_others"),
    [
        (Path.exists, "", ""),
        (append, "", ""),
        (cut, "another program cut {}", ""),  # SQLite itself cuts the files beside it
        (put_another, "another program replaced {}", "another program replaced {}"),
        (Path.unlink, GONE, GONE),
        (take_folder, FOLDER, FOLDER),
    ],
)
def test_what_another_program_does_to_an_open_file_is_told(
    tmp_path: Path, suffix: str, act: Callable[[Path], object], of_file: str, of_others: str
) -> None:
    path = tmp_path / "cup" / NAME
    path.parent.mkdir()
    for each in ("", LOG, SHARED):
        path.with_name(NAME + each).write_bytes(b"x" * 10)
    opened = OpenFile(path)
    act(path.with_name(NAME + suffix))
    assert opened.find_replacement() == (of_others if suffix else of_file).format(NAME + suffix)


def test_a_file_that_was_not_there_may_come_and_one_that_has_grown_may_not_shrink_again(tmp_path: Path) -> None:
    path = tmp_path / NAME
    path.write_bytes(b"x" * 10)
    before = stamp_of(path)
    opened = OpenFile(path)
    path.with_name(NAME + LOG).write_bytes(b"x")
    append(path)
    opened.newest = stamp_of(path)
    assert opened.find_replacement(before) == ""
    cut(path)
    assert opened.find_replacement() == f"another program cut {NAME}"
    put_another(path)
    assert OpenFile(path).find_replacement(before) == f"another program replaced {NAME}"
    assert OpenFile(path).find_replacement() == ""


@pytest.mark.parametrize("name", ["ENOENT", "ENOTDIR", "ESTALE", "ENODEV", "ENXIO", "EACCES", "EIO"])
def test_a_disk_that_was_pulled_out_is_gone_and_one_that_fails_is_told(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(getattr(errno, name), "refused")

    monkeypatch.setattr(Path, "stat", refuse)
    if name in ("EACCES", "EIO"):
        with pytest.raises(Stopped, match="it cannot be looked at"):
            stamp_of(Path("event.db"))
    else:
        assert stamp_of(Path("event.db")) is None
