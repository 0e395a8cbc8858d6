"""What gets its name was on the disk before, whole: after a power cut there is the old file, or the new one."""

import os
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
from desk.backup.copied import receive
from desk.cup import clock, seated

from pipeline.desk.event.event import open_event
from pipeline.ledger.copies import PICTURES, SCANS, copies_in, make_copy, place_beside
from pipeline.ledger.events import EventRestored, StandingsOpened
from pipeline.ledger.files import keep_file
from pipeline.ledger.restoring import Restoration, restore

PICTURE = cv2.imencode(".png", np.zeros((9, 9), np.uint8))[1].tobytes()  # is linked, and can be made again
OWN = {"rules/own.toml": b"# own", "rules/deep/er.toml": b"# deeper", "gate-own.toml": b"# gate"}


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that get their name while a test runs; each must be synced as it is then."""
    synced, named, replace = dict[int, int](), list[str](), Path.replace

    def sync(number: int) -> None:
        state = os.fstat(number)
        synced[state.st_ino] = state.st_size

    def rename(path: Path, target: Path) -> Path:
        for each in path.rglob("*") if path.is_dir() else [path]:
            state = each.stat()
            if each.is_file() and state.st_nlink == 1 and not each.name.endswith(("-tip", "-wal", "-shm")):
                assert state.st_ino in synced, each
                assert synced[state.st_ino] == state.st_size or b"SQLite" in each.read_bytes()[:6], each
                named.append(each.name)
        return replace(path, target)

    monkeypatch.setattr("os.fsync", sync)
    monkeypatch.setattr(Path, "replace", rename)
    return named


def test_a_file_an_event_its_copy_and_what_is_restored_are_synced_before(tmp_path: Path, named: list[str]) -> None:
    keep_file(tmp_path / "card.pdf", b"a card")
    assert len(named) == 1
    cup = seated(tmp_path / "cup")
    for name, data in OWN.items():
        (cup / name).parent.mkdir(parents=True, exist_ok=True)
        (cup / name).write_bytes(data)
    (cup / PICTURES).mkdir(parents=True)
    with open_event(cup, clock) as event:
        scans = [receive(event, f"%PDF {number} %%EOF".encode()) for number in range(2)]
        for scan in scans:
            (cup / PICTURES / f"{scan[:16]}-p1-r1.png").write_bytes(PICTURE)
        whole = {name: (cup / name).read_bytes() for name in ("event.toml", *OWN, *(f"{SCANS}/{s}" for s in scans))}
        make_copy(event.facts.snapshot(), place_beside(cup), event.label(), clock())
        assert {"event.db", "copy.json", "event.toml", "own.toml", "er.toml", "gate-own.toml"} <= {*named}
        event.facts.write(StandingsOpened(open=True), "Tess")
    (copy,) = copies_in(place_beside(cup))
    said = EventRestored(copy=copy.folder.name, facts=copy.tip.facts, at=copy.at, first_serial=9)
    for target in (tmp_path / "some/where/new", cup):
        named.clear()
        if target == cup:
            shutil.rmtree(cup / "rules")
            (cup / "event.toml").write_bytes(b"spoilt")
        done = restore(Restoration(copy, target, said, "Tess", clock), replaces=True)
        assert "event.db" in named or ".ordersheets-restored.part" in named
        assert {name: (target / name).read_bytes() for name in whole} == whole
        assert len([*(target / PICTURES).iterdir()]) == 2
        assert (done.kept is None) == (target != cup)
        for folder in (target, done.kept or target):  # it can be read where nothing can be written beside it
            assert (folder / "event.db").read_bytes()[18:20] == b"\1\1", "no log is wanted"
