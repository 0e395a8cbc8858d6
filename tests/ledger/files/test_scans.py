"""A scan is kept whole, once, under its hash, and its source is never touched."""

import hashlib
import os
from pathlib import Path

import pytest

from pipeline.ledger.files import keep_scan, printable_name
from pipeline.problems import Stopped


def test_the_same_bytes_under_another_name_are_kept_once(tmp_path: Path) -> None:
    for name in ("a.pdf", "b.PDF"):
        (tmp_path / name).write_bytes(b"%PDF same")

    first, second = (keep_scan(tmp_path / name, tmp_path / "scans") for name in ("a.pdf", "b.PDF"))

    assert (first.is_new, second.is_new) == (True, False)
    assert first.path == second.path
    assert len(list((tmp_path / "scans").iterdir())) == 1


def test_a_folder_of_scans_that_is_a_file_is_told(tmp_path: Path) -> None:
    source, scans = tmp_path / "page.png", tmp_path / "scans"
    source.write_bytes(b"ink")
    scans.write_bytes(b"")
    with pytest.raises(Stopped, match=r"page.png: the scan cannot be kept"):
        keep_scan(source, scans)


def test_a_full_disk_loses_nothing_and_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "page.png"
    source.write_bytes(b"ink")

    def no_room(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", no_room)

    with pytest.raises(Stopped, match=r"page.png: the scan cannot be kept: the disk is full; free some"):
        keep_scan(source, tmp_path / "scans")
    assert list((tmp_path / "scans").iterdir()) == []
    assert source.read_bytes() == b"ink"


def test_what_a_killed_program_left_half_written_is_removed_and_what_is_being_written_is_not(tmp_path: Path) -> None:
    folder = tmp_path / "scans"
    folder.mkdir()
    for name in ("page.png", "scans/.left.part", "scans/.now.part"):
        (tmp_path / name).write_bytes(b"ink")
    now = (folder / ".now.part").stat().st_mtime
    os.utime(folder / ".left.part", (now - 900, now - 900))

    kept = keep_scan(tmp_path / "page.png", folder)

    assert {path.name for path in folder.iterdir()} == {kept.path.name, ".now.part"}


def test_a_half_copy_that_cannot_be_removed_holds_no_scan_up(tmp_path: Path) -> None:
    left = tmp_path / "scans" / ".left.part"
    left.mkdir(parents=True)  # not to be unlinked
    os.utime(left, (0, 0))
    (tmp_path / "page.png").write_bytes(b"ink")

    assert keep_scan(tmp_path / "page.png", tmp_path / "scans").path.read_bytes() == b"ink"


@pytest.mark.parametrize(
    "name", ["Scan 1.JPG", "a" * 251 + ".jpg", "x." + "j" * 253, "page\n1.jpg", "-r.tif", "M\udcfcller.png"]
)
def test_a_file_is_kept_whatever_its_name(tmp_path: Path, name: str) -> None:
    source = tmp_path / name
    source.write_bytes(b"ink")

    kept = keep_scan(source, tmp_path / "scans")

    assert kept.path.read_bytes() == source.read_bytes() == b"ink"
    assert kept.sha256 == hashlib.sha256(b"ink").hexdigest()
    assert [path.stem for path in (tmp_path / "scans").iterdir()] == [kept.sha256]
    assert kept.path.suffix in ("", source.suffix.lower())
    assert printable_name(name).encode().isascii()
    assert printable_name(name).isprintable()


def test_a_file_that_cannot_be_read_says_so_and_not_that_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(self: Path, mode: str) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", forbidden)

    with pytest.raises(Stopped, match=r"page.png: the file cannot be read: Permission denied; see who") as stopped:
        keep_scan(tmp_path / "page.png", tmp_path / "scans")
    assert stopped.value.code == 2
