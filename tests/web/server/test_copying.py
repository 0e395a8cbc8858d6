"""While the office is open the event is copied in the background, and the director is told where that fails."""

import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from desk.cup import clock, seated
from facts_as_kept import append_fact

from pipeline.desk.backups import back_up
from pipeline.desk.event.event import open_event
from pipeline.desk.review.orders_shown import status
from pipeline.desk.sheets.printing import print_round
from pipeline.ledger.copies import copies_in, faults_of, place_beside
from pipeline.problems import Stopped, stop
from pipeline.web import background, server, upload
from pipeline.web.background import Background
from pipeline.web.server import Alerts, Copying, Opened, open_office
from web.conftest import SEATS, Browser


def test_a_copy_is_made_where_one_is_due_and_no_other(opened: Opened) -> None:
    folder = opened.office.event.folder
    told: list[str] = []
    work = Copying(opened.office, told.append)
    for _ in range(2):
        work.look()
    assert [copy.number for copy in copies_in(place_beside(folder))] == [1]
    assert told == []


def test_a_file_that_is_gone_is_noticed_while_nobody_writes(tmp_path: Path) -> None:
    folder = seated(tmp_path / "cup")
    with pytest.raises(Stopped), open_office(folder, SEATS, clock=lambda: 0.0) as opened:  # closing says it again
        work = Copying(opened.office, lambda _: None)
        (folder / "event.db").unlink()
        with pytest.raises(Stopped, match="not here any more"):
            work.work()


def test_the_director_is_told_of_a_copy_that_fails_and_nobody_else_is(
    opened: Opened, tess: Browser, anna: Browser
) -> None:
    place_beside(opened.office.event.folder).write_text("no folder")
    told: list[str] = []
    work = Copying(opened.office, told.append)
    for _ in range(2):
        work.look()
    assert len(told) == 1, "once, as long as it is the same"
    said = tess.post("/api/alive")
    assert said["backup"] == told[0]
    assert "backup" not in anna.post("/api/alive")
    place_beside(opened.office.event.folder).unlink()
    work.look()
    assert "backup" not in tess.post("/api/alive")


def test_an_open_office_copies_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "EVERY_S", 0.02)
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


NAMES = {"copying", "effects", "reading"}


def until(is_so: Callable[[], object]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


def alive(browser: Browser) -> dict[str, Any]:
    """What a page is told that says it is there."""
    return browser.post("/api/alive")


def told_by_status(folder: Path) -> list[str]:
    """What ``status`` says is wrong."""
    with open_event(folder, clock) as event:
        return [f"{each['where']}: {each['text']}" for each in status(event)["problems"]]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """What works beside the pages of an office that is opened now goes round many times a second."""
    monkeypatch.setattr(server, "EVERY_S", 0.02)
    monkeypatch.setattr(upload, "IDLE_S", 0.02)
    monkeypatch.setattr(background, "AGAIN_S", 0.02)


@pytest.mark.usefixtures("quick")
def test_copies_go_on_after_a_second_of_input_errors_and_everybody_who_must_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, told = seated(tmp_path / "cup"), list[str]()
    with open_office(folder, SEATS, clock=lambda: 0.0, alerts=Alerts(trouble=told.append)) as opened:
        tess, facts = Browser(opened, "Tess"), opened.office.event.facts
        until(lambda: copies_in(place_beside(folder)))
        assert alive(tess)["living"] == dict.fromkeys(NAMES, True)

        def fails() -> int:
            raise stop("the facts cannot be read: disk I/O error", str(facts.path))

        with monkeypatch.context() as second:
            second.setattr(facts, "last_number", fails)
            until(lambda: "copying" in opened.office.troubles())
            assert "disk I/O error" in alive(tess)["trouble"]
            until(lambda: told)
            assert ["disk I/O error" in each for each in told] == [True]
            assert ["copying beside the pages" in each for each in told_by_status(folder)] == [True]
        until(lambda: not opened.office.troubles())
        assert "trouble" not in alive(tess)
        until(lambda: not told_by_status(folder))
        append_fact(facts, "clock stopped", {"elapsed": 0}, "Tess")
        append_fact(facts, "restored", {"copy": "x", "facts": 1, "at": clock()}, "Tess")
        until(lambda: len(copies_in(place_beside(folder))) == 2)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("name", sorted(NAMES))
@pytest.mark.parametrize("fault", [ZeroDivisionError("nobody thought"), OSError(5, "input/output"), SystemExit("exit")])
def test_no_work_beside_the_pages_ends_whatever_happens_in_it(
    opened: Opened, tess: Browser, anna: Browser, name: str, fault: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    (work,) = (each for each in opened.office.background if each.name == name)
    rounds, is_well = list[int](), threading.Event()

    def fails() -> None:
        rounds.append(1)
        if not is_well.is_set():
            raise fault
        is_well.wait(0.01)

    work.on_change()
    monkeypatch.setattr(work, "work", fails)
    work.do_round()
    until(lambda: str(fault) in alive(tess).get("trouble", ""))  # a round that had begun before may end just now
    assert "trouble" not in alive(anna)
    until(lambda: len(rounds) > 3)
    is_well.set()
    until(lambda: not work.trouble)
    assert alive(tess)["living"][name]


def test_work_that_ended_all_the_same_is_told_and_begun_again(opened: Opened, tess: Browser) -> None:
    work = Background("work", lambda: None, 1000.0, lambda: None)
    work.is_over.set()
    opened.office.background.append(work)
    work.start()
    work.thread.join(5)
    work.is_over.clear()
    work.sign -= 10_000
    assert alive(tess)["living"]["work"] is False
    assert alive(tess)["living"]["work"] is True
    work.is_over.set()


@pytest.mark.parametrize("text", ["[]", "{", "[" * 100_000, '{"at": 1, "in": []}', "\x00"])
def test_what_an_office_left_to_tell_may_be_damaged(tmp_path: Path, text: str) -> None:
    folder = seated(tmp_path / "cup")
    (folder / "kept").mkdir(exist_ok=True)
    (folder / "kept/trouble.json").write_text(text)
    assert told_by_status(folder) == []


def test_each_page_of_the_director_tells_that_an_older_folder_is_here_beside_any_other_trouble(
    opened: Opened, tess: Browser, anna: Browser
) -> None:
    copies = opened.office.background[0]
    copies.is_over.set()
    copies.thread.join()  # on a slow machine it would say meanwhile that there is no trouble
    opened.office.no_backup = "its copy has entries that this event lacks"
    copies.trouble = "disk I/O error"
    for page in ("/notes", "/journal", "/tables", "/forms", "/room", "/clock", "/upload", "/capture", "/systems"):
        shown = tess.client.get(page).text
        assert "has entries that this event lacks" in shown, page
        assert "disk I/O error" in shown, page
    assert "disk I/O error" not in anna.client.get("/upload").text
    told = tess.client.get("/api/day").json()["trouble"]
    assert "disk I/O error" in told
    assert "has entries that this event lacks" in told


def test_a_copy_that_is_newer_is_restored_by_the_pages_words_there_and_by_the_commands_in_the_terminal(
    tmp_path: Path,
) -> None:
    cup = seated(tmp_path / "cup")
    shutil.copytree(cup, tmp_path / "older")
    with open_event(cup, clock) as event:
        print_round(event, 1)
        back_up(event)
    shutil.copytree(place_beside(cup), place_beside(tmp_path / "older"))
    told: list[str] = []
    with open_office(tmp_path / "older", SEATS, is_lan=True) as opened:
        Copying(opened.office, told.append).look()
        shown = opened.office.trouble
    assert "'ordersheets restore EVENT" in told[0]
    assert "ordersheets" not in shown
    assert "restore TEST-" in shown
    assert "under More, All events; to go on from what is here, press 'Copy now' among the settings" in shown
