"""What is half written is removed after an hour, and a file is whole though another program's clock is an hour fast."""

import os
import time as system_time
from pathlib import Path

import pytest

from pipeline.ledger import files
from pipeline.ledger.files import LEFT_S, keep_scan, write_whole

HOUR = 3600


def test_a_file_is_whole_though_another_program_with_a_fast_clock_removes_its_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    removed = removing(monkeypatch)
    write_whole(tmp_path / "card.pdf", b"a card")
    assert (tmp_path / "card.pdf").read_bytes() == b"a card"
    assert [path.name for path in tmp_path.iterdir()] == ["card.pdf"]
    assert removed


def test_a_scan_is_kept_though_another_program_with_a_fast_clock_removes_its_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    removed = removing(monkeypatch)
    (tmp_path / "scan.pdf").write_bytes(b"a scan")
    kept = keep_scan(tmp_path / "scan.pdf", tmp_path / "scans")
    assert kept.is_new
    assert kept.path.read_bytes() == b"a scan"
    assert [path.name for path in (tmp_path / "scans").iterdir()] == [kept.path.name]
    assert removed


def test_what_cannot_be_written_is_an_error_and_never_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "gone" / "card.pdf", b"a card")
    removing(monkeypatch, times=3)
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "card.pdf", b"a card")
    assert list(tmp_path.iterdir()) == []


def removing(monkeypatch: pytest.MonkeyPatch, times: int = 2) -> list[Path]:
    """Another program whose clock is an hour fast looks in while a part is written; it does so twice."""
    removed: list[Path] = []
    remove = files._remove_left

    def looks_in(folder: Path, before: float, pattern: str) -> None:
        remove(folder, before, pattern)
        if len(removed) < times:
            removed.extend(folder.glob(pattern))
            remove(folder, before + LEFT_S + HOUR, pattern)

    monkeypatch.setattr(files, "_remove_left", looks_in)
    return removed


def test_what_a_killed_program_left_is_removed_whatever_the_clock_said_then(tmp_path: Path) -> None:
    for hours in (-1, -24):
        left = tmp_path / f".ordersheets-{hours}.part"
        left.write_bytes(b"half")
        os.utime(left, (then := system_time.time() + hours * HOUR, then))
    ahead = tmp_path / ".ordersheets-ahead.part"
    ahead.write_bytes(b"half")
    os.utime(ahead, (then := system_time.time() + HOUR, then))
    write_whole(tmp_path / "card.pdf", b"a card")
    assert sorted(path.name for path in tmp_path.iterdir()) == [ahead.name, "card.pdf"], "that one goes in an hour"
