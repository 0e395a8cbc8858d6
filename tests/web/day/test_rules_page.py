"""Whose rules are played is shown, and changed after it was shown what they judge and score otherwise."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from desk.cup import clock
from desk.moot import drawn, play_on

from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import open_event
from pipeline.desk.event.settings import change_rules, warn_of_changed_rules
from pipeline.scoring.results import Ending
from pipeline.web.start_page import open_switcher
from web.conftest import SEATS, Time
from web.day.test_day import Guest


@pytest.fixture
def moot(tmp_path: Path) -> Path:
    """A board is over, and scored by the rules of Weasel Moot."""
    folder = drawn(tmp_path / "moot")
    with open_event(folder, clock) as event:
        end_game(event, play_on(event, "1.1", "S1903M"), Ending.TIME, by="Tess", why="late")
    return folder


@pytest.fixture
def desk(moot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Guest]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    with open_switcher(SEATS, "key", Time(), is_lan=True, folder=moot) as app:
        yield Guest(app, "key")


def test_an_edit_of_whose_rules_are_played_is_told_at_once(desk: Guest, moot: Path) -> None:
    file = moot / "event.toml"
    before = file.read_text("utf-8")
    assert desk.client.get("/api/day").json()["trouble"] == ""
    file.write_text(before.replace('"weaselmoot"', '"edc2023"'), "utf-8")
    told = desk.client.get("/api/day").json()["trouble"]
    assert told.startswith("event.toml now says another tournament, code, map or language")
    assert told in desk.client.get("/journal").text
    file.write_text(before, "utf-8")
    assert desk.client.get("/api/day").json()["trouble"] == ""


def test_the_settings_say_tournament_code_paper_and_language(desk: Guest) -> None:
    day = desk.client.get("/api/day").json()
    assert day["rules"] == {"tournament": "weaselmoot", "name": "Weasel Moot", "code": "MAPS", "language": "en"}
    assert (day["settings"]["paper"], "LETTER" in day["papers"]) == ("A4", True)
    desk.post("/api/day/setting", {"setting": "paper", "value": "LETTER"})
    assert desk.client.get("/api/day").json()["settings"]["paper"] == "LETTER"
    assert "expected one of A4" in desk.post("/api/day/setting", {"setting": "paper", "value": "B7"}, 422)["said"]


def test_other_rules_are_taken_after_it_was_shown_what_they_score_otherwise(desk: Guest, moot: Path) -> None:
    wanted = {"tournament": "edc2023", "language": "de"}
    with open_event(moot, clock) as event:
        before = event.facts.last_number()
    seen = desk.post("/api/events/rules/look", wanted)
    assert {each["player"] for each in seen["places"]} >= {"Bo", "Ada Lovelace"}
    assert ["rounds", "3", "4"] in seen["states"]
    assert desk.client.get("/api/day").json()["tournament"] == "weaselmoot", "nothing was changed"
    assert desk.post("/api/events/rules", wanted)["number"] == before + 1
    day = desk.client.get("/api/day").json()
    assert (day["rules"]["tournament"], day["rules"]["language"]) == ("edc2023", "de")
    same = desk.post("/api/events/rules/look", wanted)
    assert (same["states"], same["places"]) == ([], []), "only what changes is shown"


def test_the_code_changes_while_nothing_is_printed(desk: Guest) -> None:
    wanted = {"tournament": "weaselmoot", "language": "", "code": "kxw7"}
    assert not desk.client.get("/api/events/rules").json()["is_printed"]
    assert not desk.post("/api/events/rules/look", wanted)["places"]
    assert "I, O, 0 and 1 look alike" in desk.post("/api/events/rules", wanted | {"code": "I0I0"}, 422)["said"]
    number = desk.post("/api/events/rules", wanted)["number"]
    assert desk.client.get("/api/day").json()["rules"]["code"] == "KXW7"
    desk.post("/api/events/undo", {"number": number, "why": "no"})
    desk.post("/api/day/print", {"round": 1})
    assert desk.client.get("/api/events/rules").json()["is_printed"]
    told = "MAPS is printed on paper already, which would not be known by another code; it stays"
    assert told in desk.post("/api/events/rules", wanted, 422)["said"]
    assert desk.client.get("/api/day").json()["rules"]["code"] == "MAPS"


def test_rules_that_are_not_there_are_refused_and_the_event_stays_open(desk: Guest) -> None:
    for wanted in ({"tournament": "../x.toml"}, {"tournament": "edc2023", "language": "xx"}, {}):
        desk.post("/api/events/rules/look", wanted, 422)
        desk.post("/api/events/rules", wanted, 422)
    assert desk.client.get("/api/day").json()["tournament"] == "weaselmoot"


def test_a_change_that_is_taken_back_in_the_journal_holds_at_once(desk: Guest) -> None:
    number = desk.post("/api/events/rules", {"tournament": "edc2023", "language": ""})["number"]
    lines = desk.client.get("/api/journal").json()["lines"]
    assert [line["number"] for line in lines if line["anew"]] == [number]
    desk.post("/api/events/undo", {"number": number, "why": "no"})
    assert desk.client.get("/api/day").json()["tournament"] == "weaselmoot"
    desk.post("/api/day/setting", {"setting": "name", "value": "Owl Cup"})


def test_rules_that_were_changed_back_are_warned_of_no_more(moot: Path) -> None:
    with open_event(moot, clock) as event:
        change_rules(event, {"tournament": "edc2023"}, "Tess")
    with open_event(moot, clock) as event:
        assert [each.where for each in warn_of_changed_rules(event)] == ["event.toml event.tournament"]
        change_rules(event, {"tournament": "weaselmoot"}, "Tess")
    with open_event(moot, clock) as event:
        assert list(warn_of_changed_rules(event)) == []
