"""However many files come in, of whatever kind: pages are answered, and limits hold for one file, a person and all."""

import subprocess
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline import processes
from pipeline.desk.event.event import open_event
from pipeline.desk.intake.ingest import GUEST, waiting_scans
from pipeline.ledger.events import ScanReceived
from pipeline.ledger.files import now
from pipeline.problems import ExitCode, Stopped
from pipeline.web import coming_files, upload
from pipeline.web.app import Refused
from pipeline.web.server import Opened, open_office
from pipeline.web.slow_work import SlowWork
from pipeline.web.upload import UploadReader
from web.conftest import PICTURE, SEATS, Browser


def send(browser: Browser, name: str, data: bytes) -> Any:
    return browser.client.post("/api/upload", files={"files": (name, data)}, headers={"X-Token": browser.token})


def scans_of(opened: Opened) -> int:
    return sum(1 for _ in opened.office.event.facts.select(ScanReceived))


@pytest.mark.parametrize(
    ("limit", "status"), [("LARGEST", 413), ("LARGEST_STACK", 413), ("LARGEST_IN_ALL", coming_files.BUSY)]
)
def test_each_limit_refuses_while_the_file_comes_and_forgets_it(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, limit: str, status: int
) -> None:
    phone = Browser(opened, "phone")
    with monkeypatch.context() as smaller:
        smaller.setattr(coming_files, limit, len(PICTURE) + 1000)
        assert send(phone, "large.jpg", PICTURE + bytes(2000)).status_code == status
        assert scans_of(opened) == 0
        for number in range(3):  # what was refused or is kept counts no more, and what comes counts once
            assert send(phone, f"{number}.jpg", PICTURE + bytes(600) + bytes([number])).status_code == 200
    assert send(phone, "large.jpg", PICTURE + bytes(2000)).status_code == 200


def test_one_person_may_not_hold_what_all_may(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    coming = coming_files.ComingFiles()
    monkeypatch.setattr(coming_files, "LARGEST_STACK", 100)
    monkeypatch.setattr(coming_files, "LARGEST_IN_ALL", 150)
    with coming.counting("one") as first, coming.counting("one") as second, coming.counting("other") as third:
        first(60)
        with pytest.raises(Refused):
            second(50)
        third(80)
        with pytest.raises(Refused):
            third(20)
    assert coming.of_session.total() == 0


def test_pages_are_answered_while_files_wait_for_their_turn(
    opened: Opened, tess: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end, waiting, lengths = threading.Event(), 12, list[int]()
    begin = SlowWork.begin

    def hangs(*_: object) -> int:
        may_end.wait()
        return 1

    def begin_counted(queue: SlowWork, work: Callable[..., Any], *given: Any) -> Any:
        lengths.append(queue.length)
        return begin(queue, work, *given)

    monkeypatch.setattr(SlowWork, "begin", begin_counted)
    monkeypatch.setattr(upload, "page_count", hangs)
    monkeypatch.setattr(upload, "LOOK_S", 0.05)
    phones = [Browser(opened, "phone") for _ in range(waiting)]
    answers: list[int] = []
    sending = [
        threading.Thread(
            target=lambda each=each, n=n: answers.append(send(each, f"{n}.jpg", PICTURE + bytes([n])).status_code)
        )
        for n, each in enumerate(phones)
    ]
    for each in sending:
        each.start()
    try:
        assert tess.client.get("/api/next").status_code == 200
        for each in sending:
            each.join()
        assert (answers, scans_of(opened)) == ([200] * waiting, waiting)
        assert max(lengths) < waiting, "where many wait, a file is only kept"
    finally:
        may_end.set()


def test_files_of_two_people_are_read_in_turn(opened: Opened) -> None:
    event = opened.office.event
    reading = UploadReader(event, lambda: None)  # type: ignore[arg-type, return-value]
    for sha256, session in (("a1", "a"), ("a2", "a"), ("a3", "a"), ("b1", "b"), ("c1", "c"), ("a4", "a")):
        reading.take_turn(sha256, session)
        event.facts.write(ScanReceived(sha256=sha256, name=f"{sha256}.jpg", path=f"{sha256}.jpg"), GUEST)
    order = [fact.said.sha256 for fact in waiting_scans(event, reading.turn_of)]
    assert order == ["a1", "b1", "c1", "a2", "a3", "a4"]
    reading.end()


def test_the_upload_page_is_told_how_many_files_are_read_before(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(UploadReader, "wait_for_work", lambda _: time.sleep(0.02))  # nothing is read meanwhile
    opened = request.getfixturevalue("opened")
    phone = Browser(opened, "phone")
    with opened.office.lock:
        for sha256 in ("1" * 64, "2" * 64):
            said = ScanReceived(sha256=sha256, name="long.pdf", path=f"{sha256}.pdf")
            opened.office.event.facts.write(said, GUEST)
    found = phone.client.get("/api/fate", params={"of": f"{'1' * 64},{'2' * 64}"}).json()["files"]
    assert [file["before"] for file in found] == [0, 1]


def test_a_second_desk_on_the_same_event_says_so_and_changes_nothing(opened: Opened) -> None:
    folder = opened.office.event.folder
    before = sorted(each.name for each in folder.iterdir())
    with pytest.raises(Stopped, match="open in another desk already") as refused, open_office(folder, SEATS):
        pass
    assert refused.value.code is ExitCode.MACHINE_LACKS
    assert sorted(each.name for each in folder.iterdir()) == before
    with open_event(folder, now) as event:  # commands work beside it
        assert event.facts.last_number() == opened.office.event.facts.last_number()


def test_a_folder_without_an_event_stays_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(Stopped), open_office(tmp_path, SEATS):
        pass
    assert not list(tmp_path.iterdir())


def test_a_helper_that_is_being_started_while_the_desk_ends_ends_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_ending", threading.Event())
    monkeypatch.setattr(processes, "_started", weakref.WeakSet())
    started: list[subprocess.Popen[bytes]] = []

    class SlowStart(subprocess.Popen[bytes]):
        def __init__(self, *words: Any, **options: Any) -> None:
            processes.end_processes()
            super().__init__(*words, **options)
            started.append(self)

    with monkeypatch.context() as patch, pytest.raises(Stopped, match="the program ends"):
        patch.setattr(subprocess, "Popen", SlowStart)
        processes.start_process("http.server", "0")
    assert started[0].wait(30), "it serves until it is killed"
    for pipe in (started[0].stdin, started[0].stdout):
        assert pipe is not None
        pipe.close()
