"""Copies on pages: which there are, copying now, and restoring one; what was there is kept."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from desk.cup import clock, seated

from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import seatings
from pipeline.desk.players import add_player
from pipeline.desk.results.notes import enter_note
from pipeline.problems import Stopped
from pipeline.web.server import Alerts, Opened
from pipeline.web.start_page import _event_view, open_switcher
from web.conftest import SEATS, Browser, Time
from web.day.test_day import Guest


def test_a_copy_is_made_now_and_listed_with_its_time_place_and_verdict(opened: Opened, tess: Browser) -> None:
    before = len(tess.client.get("/api/copies").json()["copies"])
    assert tess.post("/api/copies/now") == {"notes": []}
    found = tess.client.get("/api/copies").json()["copies"]
    assert len(found) >= max(before, 1)
    folder = opened.office.event.folder
    assert (found[0]["place"], found[0]["fault"]) == (str(folder.with_name("cup-backups")), "")
    (Path(found[0]["place"]) / found[0]["copy"] / "event.toml").write_text("", "utf-8")
    assert tess.client.get("/api/copies").json()["copies"][0]["fault"] == "damaged: take another one"


@pytest.fixture
def events(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Guest]:
    """The page of events, the cup open, and a copy of it that knows of no penalty."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    seated(tmp_path / "cup")
    alerts = Alerts(trouble=lambda words: print(words, file=sys.stderr))
    with open_switcher(SEATS, "key", Time(), is_lan=True, folder=tmp_path / "cup", alerts=alerts) as app:
        found = Guest(app, "key")
        found.post("/api/copies/now", {})
        yield found


def penalty(folder: Path) -> None:
    with open_event(folder, clock) as event:
        enter_note(event, "penalty", {"player": "Ada", "kind": "late", "points": "1"}, by="Tess", why="late")


def newest(folder: Path) -> int:
    with open_event(folder, clock) as event:
        return event.facts.last_number()


def choose(events: Guest, folder: Path) -> dict[str, str]:
    found = events.client.get("/api/events/copies", params={"folder": str(folder)}).json()
    copy = found["copies"][0]
    return {"folder": str(folder), "place": copy["place"], "copy": copy["copy"]}


def test_the_open_event_is_restored_and_open_again_and_the_old_folder_is_kept(events: Guest, tmp_path: Path) -> None:
    before = newest(tmp_path / "cup")
    penalty(tmp_path / "cup")
    told = events.client.get("/api/events/copies", params={"folder": str(tmp_path / "cup")}).json()
    assert (told["newest"], told["copies"][0]["facts"]) == (before + 1, before), "what the copy knows nothing of"
    answer = events.post("/api/events/restore", choose(events, tmp_path / "cup"))
    kept = tmp_path / "cup-replaced-1"
    assert f"{kept}: what was in the folder is kept here" in answer["notes"]
    assert answer["home"] == "/desk"
    assert events.client.get("/api/day").status_code == 200, "the director stays logged in"
    assert newest(tmp_path / "cup") == before + 1, "the restoration is in the journal"
    assert newest(kept) == before + 1, "the penalty is"


def test_an_event_whose_facts_are_gone_says_so_and_is_restored(
    events: Guest, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "cup"
    events.post("/api/events/open", {"folder": str(seated(tmp_path / "other"))})
    for file in folder.glob("event.db*"):
        file.unlink()
    (event,) = (each for each in events.client.get("/api/events").json()["recent"] if each["folder"] == str(folder))
    assert (event["gone"], event["told"]) == (True, "its event.db is gone: restore it from a copy, below")
    assert events.client.get("/api/events/copies", params={"folder": str(folder)}).json()["gone"]
    wanted = choose(events, folder)
    answer = events.post("/api/events/restore", wanted)
    (restored_event,) = (each for each in answer["recent"] if each["folder"] == str(folder))
    assert answer["open"] == str(folder)
    assert "gone" not in restored_event and "code TEST" in restored_event["told"]
    assert f"{folder}: restored from the copy {wanted['copy']}, and open" in capfd.readouterr().err
    with open_event(folder, clock) as restored:
        assert "1.1" in seatings(restored)


def test_an_open_event_whose_facts_are_moved_away_is_let_go_of_and_restored_with_all_decisions(
    events: Guest, tmp_path: Path
) -> None:
    folder, away = tmp_path / "cup", tmp_path / "away"
    desk = events.app.switcher.opened
    assert desk is not None
    enter_note(desk.office.event, "penalty", {"player": "Ada", "kind": "late", "points": "1"}, by="Tess", why="late")
    known = desk.office.event.facts.last_number()
    away.mkdir()
    for file in folder.glob("event.db*"):
        file.rename(away / file.name)
    wanted = choose(events, folder)
    assert "ordersheets restore" not in events.client.get("/api/day").text
    (damaged := Path(wanted["place"]) / wanted["copy"] / "event.toml").rename(away / "event.toml")
    assert "event.toml is not in it" in events.post("/api/events/restore", wanted, status=422)["said"]
    (away / "event.toml").rename(damaged)
    answer = events.post("/api/events/restore", wanted)
    assert f"{tmp_path / 'cup-replaced-1'}: what was in the folder is kept here" in answer["notes"]
    assert events.client.get("/api/day").status_code == 200
    assert newest(folder) == known + 1, "each decision, and the restoration"


def test_another_event_is_opened_while_the_facts_of_the_open_one_are_gone(events: Guest, tmp_path: Path) -> None:
    for file in (tmp_path / "cup").glob("event.db*"):
        file.unlink()
    events.post("/api/events/open", {"folder": str(seated(tmp_path / "other"))})
    assert events.client.get("/api/day").status_code == 200


def test_facts_that_nowhere_are_kept_stay_open(events: Guest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = choose(events, tmp_path / "cup")
    monkeypatch.setattr("pipeline.desk.event.own_files.copies.make_copy", refuse_copy)
    for file in (tmp_path / "cup").glob("event.db*"):
        file.unlink()
    assert "NOTHING COULD BE KEPT" in events.post("/api/events/restore", wanted, status=507)["said"]
    assert events.app.switcher.is_open(tmp_path / "cup"), "its pages show what is known"
    with pytest.raises(Stopped, match="NOTHING COULD BE KEPT"):
        events.app.switcher.close()


def refuse_copy(*_: object) -> None:
    raise OSError


def test_an_event_that_failed_to_be_restored_is_open_as_it_was(events: Guest, tmp_path: Path) -> None:
    wanted = choose(events, tmp_path / "cup")
    (Path(wanted["place"]) / wanted["copy"] / "event.toml").write_text("", "utf-8")
    newer = newest(tmp_path / "cup")
    answer = events.post("/api/events/restore", wanted, status=422)
    assert "is not what was copied" in answer["said"]
    assert events.client.get("/api/day").status_code == 200
    assert newest(tmp_path / "cup") == newer


def test_decisions_that_the_page_did_not_show_are_not_replaced(events: Guest, tmp_path: Path) -> None:
    wanted = choose(events, tmp_path / "cup")
    shown = events.client.get("/api/events/copies", params={"folder": str(tmp_path / "cup")}).json()["shown"]
    with open_event(tmp_path / "cup", clock) as event:
        add_player(event, "Late Larry", {}, by="Anna")
    answer = events.post("/api/events/restore", wanted | {"shown": shown}, status=409)
    assert answer["changed"][0]["what"] == f"the event in {tmp_path / 'cup'}"


@pytest.mark.parametrize(
    ("has_faults", "has_ledger", "told"),
    [
        (False, True, "7 players, weaselmoot, code TEST"),
        (False, False, "its event.db is gone: restore it from a copy, below"),
        (True, True, "its event.toml has faults"),
        (True, False, "its event.toml has faults, and its event.db is missing"),
    ],
)
def test_the_list_of_events_says_what_is_wrong_with_one(
    tmp_path: Path, has_faults: bool, has_ledger: bool, told: str
) -> None:
    folder = seated(tmp_path / "cup")
    if has_faults:
        (folder / "event.toml").write_text("[event", "utf-8")
    if not has_ledger:
        (folder / "event.db").unlink()
    assert _event_view(folder)["told"] == told
