"""A scan is kept whole, once, under its hash, and its source is never touched."""

import hashlib
from pathlib import Path

import pytest

from pipeline.problems import Stopped
from pipeline.store.scans import keep_scan


def test_a_scan_is_kept_byte_for_byte_under_its_hash(tmp_path: Path) -> None:
    source = tmp_path / "Scan 1.JPG"
    source.write_bytes(b"\xff\xd8 ink")

    kept = keep_scan(source, tmp_path / "scans")

    assert kept.sha256 == hashlib.sha256(b"\xff\xd8 ink").hexdigest()
    assert kept.path.read_bytes() == source.read_bytes() == b"\xff\xd8 ink"
    assert kept.path.suffix == ".jpg"
    assert kept.is_new


def test_the_same_bytes_under_another_name_are_kept_once(tmp_path: Path) -> None:
    for name in ("a.pdf", "b.PDF"):
        (tmp_path / name).write_bytes(b"%PDF same")

    first, second = (keep_scan(tmp_path / name, tmp_path / "scans") for name in ("a.pdf", "b.PDF"))

    assert (first.is_new, second.is_new) == (True, False)
    assert first.path == second.path
    assert len(list((tmp_path / "scans").iterdir())) == 1


def test_a_full_disk_loses_nothing_and_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "page.png"
    source.write_bytes(b"ink")

    def no_room(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", no_room)

    with pytest.raises(Stopped, match=r"page.png: could not keep the scan: No space left on device; free some disk"):
        keep_scan(source, tmp_path / "scans")
    assert list((tmp_path / "scans").iterdir()) == []
    assert source.read_bytes() == b"ink"
