"""While the office is open the event is copied in the background, and the director is told where that fails."""

import json
import threading
from pathlib import Path

import pytest
from desk.cup import seated

from pipeline.desk.event.event import Event
from pipeline.desk.review.status import leave_status
from pipeline.desk.review.status_anew import status_anew
from pipeline.ledger.copies.apart import place_beside
from pipeline.ledger.copies.copies import copies_in, faults_of
from pipeline.web.server import copying
from pipeline.web.server.copying import Copying
from pipeline.web.server.server import Opened, open_office
from web.conftest import SEATS, Browser


def test_a_copy_is_made_where_one_is_due_and_no_other(opened: Opened) -> None:
    folder = opened.office.event.folder
    told: list[str] = []
    work = Copying(opened.office, told.append)
    for _ in range(2):
        work.look()
    assert [copy.number for copy in copies_in(place_beside(folder))] == [1]
    assert told == []


def test_the_director_is_told_of_a_copy_that_fails_and_nobody_else_is(
    opened: Opened, tess: Browser, anna: Browser
) -> None:
    place_beside(opened.office.event.folder).write_text("no folder")
    told: list[str] = []
    work = Copying(opened.office, told.append)
    for _ in range(2):
        work.look()
    assert len(told) == 1, "once, as long as it is the same"
    said = tess.client.post("/api/alive", json={}, headers={"X-Token": tess.token}).json()
    assert said["backup"] == told[0]
    assert "backup" not in anna.client.post("/api/alive", json={}, headers={"X-Token": anna.token}).json()
    place_beside(opened.office.event.folder).unlink()
    work.look()
    assert "backup" not in tess.client.post("/api/alive", json={}, headers={"X-Token": tess.token}).json()


def test_an_open_office_copies_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copying, "EVERY_S", 0.02)
    looked = threading.Event()
    look = Copying.look

    def looks(work: Copying) -> None:
        look(work)
        looked.set()

    monkeypatch.setattr(Copying, "look", looks)
    with open_office(seated(tmp_path / "cup"), SEATS, clock=lambda: 0.0):
        assert looked.wait(60)
    (copy,) = copies_in(place_beside(tmp_path / "cup"))
    assert faults_of(copy) == ()


def test_an_open_office_keeps_the_status_in_a_quiet_moment_and_not_while_keys_are_pressed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "EVERY_S", 0.02)
    left = threading.Event()

    def leaves(event: Event) -> None:
        leave_status(event)
        left.set()

    monkeypatch.setattr(copying, "leave_status", leaves)
    folder, now = seated(tmp_path / "cup"), [0.0]
    with open_office(folder, SEATS, clock=lambda: now[0]) as opened:
        assert not left.wait(0.3)
        now[0] = copying.QUIET_S
        assert left.wait(60)
        with opened.office.lock:
            anew = status_anew(opened.office.event)
    assert json.loads(json.loads((folder / "kept/status.json").read_text("utf-8"))["found"]) == anew
