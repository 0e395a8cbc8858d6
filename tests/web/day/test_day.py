"""The whole event from one page: each act writes the facts of its command, and only the director's log-in does it."""

import base64
import json
import os
import shutil
import time as real_time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from commands import run
from desk.beginnings import copied
from desk.cup import clock, seated
from facts_as_kept import read_facts

from pipeline.board import Power
from pipeline.cli import group
from pipeline.desk.draw_request import Request
from pipeline.desk.drawing import draw_round
from pipeline.desk.drawn_again import seat_drawn
from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import open_event
from pipeline.desk.event.event_file import Details, read_event_file
from pipeline.desk.event.games import find_game, games, seatings
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.forms.votes import Asking, objections_to_vote
from pipeline.desk.intake.ingest import receive
from pipeline.desk.players import read_roll_call
from pipeline.draw.field import RoundDecisions
from pipeline.draw.roster import Player
from pipeline.ledger.claims import Claims
from pipeline.ledger.events import Seated
from pipeline.ledger.files import keep_name, kept_name, recent_events
from pipeline.paper.lettering import _font_for
from pipeline.problems import ExitCode, Problem, Stopped, Weight
from pipeline.reading.recogniser import NoRecogniser
from pipeline.rules.game_end import Moment
from pipeline.rules.load import tournament_ids
from pipeline.scoring.results import Ending
from pipeline.web.logins import SESSION_S
from pipeline.web.server import Opened, open_office
from pipeline.web.start_page import SwitchingApp, open_switcher
from web.conftest import PICTURE, SEATS, Browser, Time, guest, make_event, stranger

NAMES = ["Ada Lov", "Bo Ek", "Cem Oz", "Dag Ny", "Eva Li", "Fay Wu", "Gil Bo", "Hal Ra"]


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """Eight players, nobody seated: one too many."""
    return copied(enter_eight, tmp_path / "cup")


def enter_eight(folder: Path) -> None:
    details = Details(name="Test Cup", code="TEST", tournament="edc2023")
    make_event_folder(folder, details, [Player(name=name) for name in NAMES], clock)


def by_page(folder: Path, path: str, body: Mapping[str, Any]) -> Any:
    with open_office(folder, SEATS, is_lan=True, clock=Time()) as opened:
        return post(Browser(opened, "Tess"), path, body)


def post(browser: Browser, path: str, body: Mapping[str, Any], status: int = 200) -> Any:
    """Ask as the page does; a draw says that it is seated exactly if that was written down."""
    facts = browser.opened.office.event.facts
    before = facts.newest(Seated)
    answer = browser.client.post(path, json=dict(body), headers={"X-Token": browser.token})
    assert answer.status_code == status, answer.text
    if path == "/api/day/draw" and status == 200:
        assert answer.json()["seated"] is (facts.newest(Seated) != before)
    return answer.json()


def by_command(folder: Path, name: str, *arguments: str) -> None:
    done = CliRunner().invoke(group, [name, str(folder), *arguments])
    if isinstance(done.exception, Stopped):
        assert done.exception.code is ExitCode.RULE_FIRST, done.exception
    else:
        assert done.exit_code == 0, (done.output, done.exception)


def facts(folder: Path) -> list[tuple[str, Mapping[str, Any]]]:
    with open_event(folder, clock) as event:
        return [(fact.kind, without_tokens(fact.body)) for fact in read_facts(event.facts)]


def without_tokens(body: Mapping[str, Any]) -> dict[str, Any]:
    """A fact without what is drawn at random for each sheet."""
    return {
        key: [{name: value for name, value in sheet.items() if name != "token"} for sheet in said]
        if key == "sheets"
        else said
        for key, said in body.items()
        if key != "token"
    }


ALIKE: Mapping[str, tuple[tuple[str, Mapping[str, Any], tuple[str, ...]], ...]] = {
    "who is here": (
        (
            "/api/day/roll",
            {"round": 1, "here": ["ada", "Bo Ek"], "later": ["hal"]},
            ("roll", "--round", "1", "--here", "ada", "--here", "bo", "--later", "Hal Ra"),
        ),
        ("/api/day/roll", {"round": 1, "others": "here"}, ("roll", "--round", "1", "--others", "here")),
    ),
    "somebody came": (
        (
            "/api/day/player",
            {"what": "add", "name": "Ian Oz", "club": "Owls"},
            ("players", "--add", "Ian Oz", "--club", "Owls"),
        ),
    ),
    "somebody went home and came back": (
        ("/api/day/player", {"what": "left", "name": "fay"}, ("players", "--left", "Fay Wu")),
        ("/api/day/player", {"what": "back", "name": "Fay Wu"}, ("players", "--back", "fay")),
    ),
    "somebody is called otherwise": (
        (
            "/api/day/player",
            {"what": "rename", "name": "fay", "new": "Faye Wu", "why": "a slip"},
            ("players", "--rename", "fay", "Faye Wu", "--why", "a slip"),
        ),
    ),
    "somebody is of another club": (
        ("/api/day/player", {"what": "club", "name": "fay", "new": "Owls"}, ("enter", "club", "fay", "Owls")),
        ("/api/day/player", {"what": "club", "name": "fay", "new": "none"}, ("enter", "club", "fay", "none")),
    ),
    "the draw with somebody who stands down": (
        (
            "/api/day/draw",
            {"round": 1, "seed": "7", "aside": ["hal"]},
            ("draw", "--round", "1", "--seed", "7", "--aside", "Hal Ra"),
        ),
    ),
    "the draw by the offer of the rules": (
        ("/api/day/player", {"what": "left", "name": "hal"}, ("players", "--left", "hal")),
        (
            "/api/day/draw",
            {"round": 1, "seed": "7", "like": "weaselmoot"},
            ("draw", "--round", "1", "--seed", "7", "--like", "weaselmoot"),
        ),
    ),
    "the sheets": (
        (
            "/api/day/draw",
            {"round": 1, "seed": "7", "aside": ["hal"]},
            ("draw", "--round", "1", "--seed", "7", "--aside", "hal"),
        ),
        ("/api/day/print", {"round": 1}, ("sheets", "--round", "1", "-o", "x.pdf")),
        (
            "/api/day/print",
            {"round": 1, "board": "1.1", "design": "line", "spare": 1},
            ("sheets", "--round", "1", "--board", "1.1", "--design", "line", "--spare", "1", "-o", "x.pdf"),
        ),
        ("/api/day/print", {"round": 1, "pads": "2"}, ("sheets", "--round", "1", "--pads", "2", "-o", "x.pdf")),
    ),
}


def test_a_setting_is_changed_on_the_page_signed_and_seen_at_once(cup: Path) -> None:
    with open_office(cup, SEATS, is_lan=True, clock=Time()) as opened:
        tess = Browser(opened, "Tess")
        assert stranger(opened).get("/live", headers={"host": "cup.example.org"}).status_code >= 400
        post(tess, "/api/day/setting", {"setting": "name", "value": "Owl Cup"})
        post(tess, "/api/day/setting", {"setting": "live_address", "value": "https://cup.example.org"})
        shown = tess.client.get("/api/day").json()["settings"]
        assert shown == {"name": "Owl Cup", "live_address": "https://cup.example.org"} | dict.fromkeys(
            ("backup", "notice", "schedule"), ""
        ) | {"paper": "A4"}
        public = stranger(opened).get("/live", headers={"host": "cup.example.org"})
        assert public.status_code == 200
        assert "Owl Cup" in public.text
        (newest, *_) = tess.client.get("/api/journal").json()["lines"]
        assert (newest["by"], newest["code"]) == ("Tess", "SETTINGS_CHANGED")
        post(tess, "/api/journal/undo", {"numbers": [newest["number"], newest["number"] - 1]})
        assert tess.client.get("/api/day").json()["settings"]["name"] == "Test Cup"
        assert "Test Cup" in stranger(opened).get("/live").text
        for setting, value in (("code", "ABCD"), ("name", " "), ("live_address", "owl")):
            assert post(tess, "/api/day/setting", {"setting": setting, "value": value}, 422)["said"]


@pytest.mark.parametrize("what", ALIKE)
def test_the_page_and_the_command_write_the_same_facts(
    what: str, cup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    other = tmp_path / "other" / "cup"
    shutil.copytree(cup, other)
    before = facts(cup)
    for path, body, command in ALIKE[what]:
        by_page(cup, path, body)
        by_command(other, *command)
    assert facts(cup) == facts(other)
    assert len(facts(cup)) == len(before) + len(ALIKE[what])


DRAWN = {"board": "1.1", "ended": "vote", "years": "1907 A6 E5 F5 G5 I5 R4 T4"}


@pytest.mark.parametrize("tournament", tournament_ids())
def test_a_voted_draw_that_is_entered_is_asked_for_the_stalemate_where_a_vote_is(
    tournament: str, tmp_path: Path
) -> None:
    """The position must be a stalemate (EDC96 10): the page and the command ask it as the vote at the board does."""
    folder = seated(tmp_path / "cup", tournament=tournament)
    before, wants_it = facts(folder), tournament == "edc1996"
    words = ["enter", str(folder), "result", "1.1", "vote", "--year", "1907 A6 E5 F5 G5 I5 R4 T4", "--why", "upstairs"]
    with open_event(folder, clock) as event:
        asking = Asking(power=Power.FRANCE, moment=Moment.NEGOTIATION, all_agree=True)
        found = objections_to_vote(event, find_game(event, "1"), asking)
    assert any("stalemate" in each.text for each in found) == wants_it
    if wants_it:
        with open_office(folder, SEATS, is_lan=True, clock=Time()) as opened:
            body = {"what": "result", "values": DRAWN, "why": "upstairs"}
            said = post(Browser(opened, "Tess"), "/api/notes/enter", body, status=422)["said"]
        stopped = CliRunner().invoke(group, words).exception
        assert isinstance(stopped, Stopped)
        assert [problem.text for problem in stopped.problems] == [
            "a draw is voted in a stalemate only; if the position is one, say so (stalemate) (EDC96 10)"
        ]
        assert stopped.problems[0].text in said
        assert facts(folder) == before
    run(*words, *(["--stalemate"] if wants_it else []))


def test_a_substitute_is_the_same_fact_by_the_roll_call_and_by_the_command(tmp_path: Path) -> None:
    folder, other = seated(tmp_path / "cup"), tmp_path / "other" / "cup"
    by_command(folder, "players", "--add", "Ian Oz")
    shutil.copytree(folder, other)
    values = {"board": "1.1", "power": "ITALY", "player": "ian", "phase": "S1901M"}
    by_page(folder, "/api/notes/enter", {"what": "substitute", "values": values, "why": "ill"})
    by_command(other, "enter", "substitute", "1.1", "ITALY", "ian", "S1901M", "--why", "ill")
    assert facts(folder) == facts(other)


def test_a_lot_is_sealed_shown_called_for_and_drawn_on_the_page_as_by_the_command(cup: Path, tmp_path: Path) -> None:
    for name in NAMES:
        by_command(cup, "enter", "distance", name, "10")
    with open_office(cup, SEATS, is_lan=True, clock=Time()) as opened:
        tess = Browser(opened, "Tess")
        offered = post(tess, "/api/day/draw", {"round": 1})["choice"]["offers"]
        way = next(offer["way"] for offer in offered if offer["lot"])
        asked = {"round": 1, "take": [way], "seed": "3", "like": "weaselmoot"}
        assert post(tess, "/api/day/draw", asked)["seated"] is False
        (lot,) = tess.client.get("/api/day").json()["lots"]
        assert set(lot["names"]) <= set(NAMES)
        assert next(s for s in tess.client.get("/api/day").json()["steps"] if s["step"] == "draw")["state"] == "now"
        assert post(tess, "/api/day/draw", {**asked, "word": "apple"})["seated"] is True
        assert tess.client.get("/api/day").json()["lots"] == []
    kinds = [kind for kind, _ in facts(cup)]
    assert [kinds.count(kind) for kind in ("lot sealed", "lot drawn", "seated")] == [1, 1, 1]


def test_all_that_the_rules_leave_open_is_asked_beside_who_stands_down(tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    details = Details(name="Test Cup", code="TEST", tournament="wdc2008")
    make_event_folder(folder, details, [Player(name=f"{name} {n}") for n in "AB" for name in NAMES], clock)
    with open_event(folder, clock) as event:
        here = RoundDecisions(absent=("Ada Lov A", "Bo Ek A"))
        seat_drawn(event, draw_round(event, Request(round=1, seed=1, decisions=here)), by="Tess")
    answer = by_page(folder, "/api/day/draw", {"round": 2, "in_play": True})
    assert answer["choice"]["people"] == 16
    wished = {"draw.same_power_once", "draw.new_opponents", "draw.meetings_most", "draw.trios_apart"}
    assert {each["where"] for each in answer["asks"]} == wished


def test_a_draw_while_boards_run_and_nobody_was_called_is_asked_for_once_more(tmp_path: Path) -> None:
    folder, other = seated(tmp_path / "cup"), tmp_path / "other" / "cup"
    shutil.copytree(folder, other)
    before = facts(folder)
    asked = {"round": 2, "seed": "7"}
    with open_office(folder, SEATS, is_lan=True, clock=Time()) as opened:
        tess = Browser(opened, "Tess")
        assert tess.client.get("/api/day?round=2").json()["in_play"] == ["1.1"]
        assert post(tess, "/api/day/draw", asked)["in_play"] == ["1.1"]
        assert facts(folder) == before
        assert post(tess, "/api/day/draw", {**asked, "in_play": True})["seated"] is True
        late = post(tess, "/api/day/draw", {**asked, "seed": "8", "in_play": True}, 422)
        assert "is drawn already" in late["said"], "another window's page has not shown it yet"
    drawn = ("draw", str(other), "--round", "2", "--seed", "7")
    assert CliRunner().invoke(group, drawn).exit_code == 0, "a command that is typed is meant"
    assert facts(other) == facts(folder)


def test_a_draw_is_not_asked_for_twice_once_somebody_was_called(tmp_path: Path) -> None:
    folder = seated(tmp_path / "cup")
    by_command(folder, "roll", "--round", "2", "--others", "here")
    assert CliRunner().invoke(group, ["draw", str(folder), "--round", "2", "--seed", "7"]).exit_code == 0
    assert CliRunner().invoke(group, ["draw", str(folder), "--round", "2", "--seed", "8"]).exit_code == 0


def test_seats_are_the_directors_until_he_tells_them_and_then_everybodys(tmp_path: Path) -> None:
    with open_office(seated(tmp_path / "cup"), SEATS, is_lan=True, clock=Time()) as opened:
        tess, nobody = Browser(opened, "Tess"), stranger(opened)

        def told() -> tuple[str, bool]:
            word = next(each["word"] for each in tess.client.get("/api/day").json()["steps"] if each["step"] == "seats")
            return word, "Italy" in nobody.get("/live/seat?who=Eva").text

        assert told() == ("not public yet", False)
        post(tess, "/api/tables/tell", {"round": 1})
        assert told() == ("public", True)


def test_a_print_out_is_a_pdf_that_is_opened_as_often_as_it_is_wanted_with_the_same_serials(tmp_path: Path) -> None:
    folder = seated(tmp_path / "cup")
    with open_office(folder, SEATS, clock=Time()) as opened:
        tess = Browser(opened, "Tess")
        url = post(tess, "/api/day/print", {"round": 1})["url"]
        first, again = (tess.client.get(url) for _ in range(2))
        assert first.headers["content-type"] == "application/pdf"
        assert first.content == again.content
        assert first.content.startswith(b"%PDF")
        assert {tess.client.get(f"/print/sheets/{none}.pdf").status_code for none in ("1", "0", "x")} == {422}
        assert tess.client.get("/api/day").json()["prints"][0]["phases"] == ["Spring 1901"]
    number = url.split("/")[-1].split(".")[0]
    by_command(folder, "sheets", "--reprint", number, "-o", str(tmp_path / "again.pdf"))
    assert (tmp_path / "again.pdf").read_bytes() == first.content
    assert [kind for kind, _ in facts(folder)].count("sheets printed") == 1


def test_what_cannot_be_is_refused_and_nothing_is_written(cup: Path) -> None:
    before = facts(cup)
    with open_office(cup, SEATS, clock=Time()) as opened:
        tess = Browser(opened, "Tess")
        for path, body in (
            ("/api/day/roll", {"round": 9, "here": ["ada"]}),
            ("/api/day/roll", {"round": 1, "here": "ada"}),
            ("/api/day/roll", {"round": 1, "here": ["Zed"]}),
            ("/api/day/roll", {"round": 1, "others": "gone"}),
            ("/api/day/player", {"what": "left", "name": "Zed"}),
            ("/api/day/player", {"what": "shot", "name": "ada"}),
            ("/api/day/player", {"what": "add", "name": "Ada Lov"}),
            ("/api/day/watch", {"folder": "/no/such/folder"}),
            ("/api/day/draw", {"round": 1, "take": ["coin"]}),
            ("/api/day/draw", {"round": 1, "wish": ["luck=must"]}),
            ("/api/day/draw", {"round": 1, "like": "weaselmoot", "seed": "1O23"}),
            ("/api/day/draw", {"round": 1, "like": "weaselmoot", "six": "two"}),
            ("/api/day/print", {"round": 1}),
            ("/api/day/print", {"round": 1, "spare": "many"}),
            ("/api/day/print", {"round": 1, "design": "crayon"}),
        ):
            post(tess, path, body, 422)
    assert facts(cup) == before


def test_the_steps_say_what_is_to_be_done_now(cup: Path) -> None:
    with open_office(cup, SEATS, clock=Time()) as opened:
        tess = Browser(opened, "Tess")

        def now() -> list[str]:
            return [s["step"] for s in tess.client.get("/api/day?round=1").json()["steps"] if s["state"] == "now"]

        assert now() == ["roll", "draw"]
        post(tess, "/api/day/roll", {"round": 1, "away": ["hal"], "others": "here"})
        assert now() == ["draw"]
        post(tess, "/api/day/draw", {"round": 1, "like": "weaselmoot"})
        assert now() == ["seats", "print"]
        post(tess, "/api/tables/tell", {"round": 1})
        assert now() == ["print"]
        post(tess, "/api/day/print", {"round": 1})
        assert now() == ["scan"]
    with open_event(cup, clock) as event:
        assert "Hal Ra" not in seatings(event)["1.1"].everybody
        assert read_roll_call(event, 1).is_begun


def test_a_round_that_is_over_is_said_where_the_next_one_begins(tmp_path: Path) -> None:
    folder = seated(tmp_path / "cup")
    with open_event(folder, clock) as event:
        for board in games(event):
            end_game(event, find_game(event, board), Ending.TIME, by="Tess", why="the hall closes")
    with open_office(folder, SEATS, clock=Time()) as opened:
        tess = Browser(opened, "Tess")
        told = tess.client.get("/api/day").json()
        assert (told["round"], told["round_over"]) == (2, 1)
        assert tess.client.get("/api/day?round=1").json()["round_over"] == 0
        assert tess.client.get("/api/notes").json()["follows"]["early-end"]["may"]
        tess.post("/api/notes/enter", what="early-end", why="storm")  # as its page does: this note has no fields
        follows = tess.client.get("/api/notes").json()["follows"]["early-end"]
        assert (follows["may"], follows["lines"][0][:31]) == (False, "the event ended after round 1 (")
        told = tess.client.get("/api/day").json()
        assert (told["round"], told["round_over"], told["rounds"]) == (1, 1, 1), "no further round is opened"
        assert [each["step"] for each in told["steps"] if each["state"] == "now"] == ["standings"]


def test_that_nothing_is_in_doubt_is_said_after_a_scan_only_in_every_season(tmp_path: Path) -> None:
    make_event(tmp_path / "cup")
    with open_office(tmp_path / "cup", SEATS, clock=Time()) as opened:
        tess = Browser(opened, "Tess")

        def word(step: str) -> str:
            return str(next(s["word"] for s in tess.client.get("/api/day").json()["steps"] if s["step"] == step))

        assert (word("scan"), word("roll")) == ("7 of 7 in", "nobody was called")
        assert word("doubts").endswith("to settle")
        tess.look()
        while tess.item["kind"] in ("row", "check", "sheet"):
            tess.press("right" if tess.item["kind"] == "check" else "nothing")
        assert word("doubts") == "none"
        tess.press("publish")
        assert (word("scan"), word("doubts")) == ("0 of 7 in", "after a scan")


def test_a_watched_folder_is_taken_in_and_told_where_it_is_gone(cup: Path, tmp_path: Path) -> None:
    folder = tmp_path / "scanner"
    folder.mkdir()
    with open_office(cup, SEATS, clock=Time(), engine=NoRecogniser) as opened:
        tess = Browser(opened, "Tess")

        def scan(key: str, wanted: object) -> None:
            for _ in range(300):
                found = tess.client.get("/api/day").json()["scan"]
                if found[key] == wanted:
                    return
                real_time.sleep(0.1)
            raise AssertionError(found)

        post(tess, "/api/day/watch", {"folder": str(folder)})
        scan("watching", str(folder))
        (folder / "scan.png").write_bytes(PICTURE)
        os.utime(folder / "scan.png", (1_000_000_000, 1_000_000_000))
        scan("came", 1)
        scan("unread", 0)
        (told,) = tess.client.get("/api/day").json()["scan"]["told"]
        assert (told["page"].split()[0], bool(told["state"]), bool(told["text"])) == ("scan.png", True, True)
        shutil.rmtree(folder)
        scan("gone", "No such file or directory")
        post(tess, "/api/day/watch", {"folder": ""})
        scan("watching", "")
    assert [kind for kind, _ in facts(cup)][-2:] == ["page read", "scan read"]


def test_a_file_that_waits_is_passed_over_from_the_page(cup: Path, tmp_path: Path) -> None:
    (tmp_path / "long.png").write_bytes(PICTURE)
    with open_event(cup, clock) as event:
        receive(event, tmp_path / "long.png")
    with open_office(cup, SEATS, clock=Time(), engine=NoRecogniser) as opened:
        tess = Browser(opened, "Tess")
        shown = tess.client.get("/api/day").json()["scan"]
        if shown["waiting"]:  # the reader may have been quicker
            assert shown["waiting"] == ["long.png"]
            tess.client.post("/api/day/pass-over", json={"file": "long.png"}, headers={"X-Token": tess.token})  # or now
        answer = tess.client.post("/api/day/pass-over", json={"file": "none.png"}, headers={"X-Token": tess.token})
        assert (answer.status_code, "no file of this name waits" in answer.text) == (422, True)
        assert tess.client.get("/api/day").json()["scan"]["waiting"] == []


# ---- before there is an event


class Guest:
    """The director's browser at the page of events, with its token."""

    def __init__(self, app: SwitchingApp, key: str) -> None:
        self.client = guest(app)
        self.app = app
        assert self.client.get(f"/door?key={key}").status_code == 303

    def post(self, path: str, body: Mapping[str, Any], status: int = 200) -> Any:
        """Send a decision."""
        logins = self.app.switcher.logins
        login = logins.claims.login(self.client.cookies["ordersheets"], now=logins.clock(), seconds=SESSION_S)
        assert login is not None
        answer = self.client.post(path, json=dict(body), headers={"X-Token": login.csrf})
        assert answer.status_code == status, answer.text
        return answer.json()


@pytest.fixture
def switcher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Guest]:
    """The page of events in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    with open_switcher(SEATS, "key", Time(), is_lan=True) as app:
        yield Guest(app, "key")


ROSTER = "Name\tE-mail\n" + "".join(f"{name}\tx@y\n" for name in NAMES)


def test_an_event_is_made_as_the_command_makes_it(switcher: Guest, tmp_path: Path) -> None:
    (tmp_path / "players.tsv").write_text(ROSTER)
    made = {"tournament": "weaselmoot", "name": "The Owl Cup", "code": "pw22"}
    answer = switcher.post("/api/events/new", {**made, "folder": str(tmp_path / "page"), "text": ROSTER})
    assert "'E-mail' is kept" in answer["notes"][0]
    by_command(
        tmp_path / "typed",
        "new",
        "--tournament",
        "weaselmoot",
        "--roster",
        str(tmp_path / "players.tsv"),
        "--name",
        "The Owl Cup",
        "--code",
        "PW22",
    )
    assert facts(tmp_path / "page") == facts(tmp_path / "typed")
    files = [read_event_file(tmp_path / each / "event.toml") for each in ("page", "typed")]
    assert files[0] == files[1]
    assert files[0][1][0].more == (("E-mail", "x@y"),)
    assert switcher.client.get("/api/day").json()["tournament"] == "weaselmoot", "the director stays logged in"
    assert switcher.client.get("/home").headers["location"] == "/desk"
    assert (tmp_path / "page").resolve() in recent_events()


@pytest.mark.parametrize("wrong", [{"paper": "B9"}, {"language": "xx"}, {"code": "IOIO"}])
def test_an_event_that_could_not_be_opened_is_not_made(switcher: Guest, tmp_path: Path, wrong: dict[str, str]) -> None:
    wanted = {"tournament": "weaselmoot", "name": "The Owl Cup", "text": ROSTER, "folder": str(tmp_path / "x")}
    assert next(iter(wrong.values())) in switcher.post("/api/events/new", wanted | wrong, 422)["said"]
    assert not (tmp_path / "x").exists()


def test_the_language_of_what_players_see_is_chosen_with_the_event(switcher: Guest, tmp_path: Path) -> None:
    wanted = {"tournament": "weaselmoot", "name": "Eulenpokal", "text": ROSTER, "folder": str(tmp_path / "x")}
    switcher.post("/api/events/new", wanted | {"language": "de"})
    with open_event(tmp_path / "x", clock) as event:
        assert event.speech.says("Board {board}", board="1") == "Brett 1"


def test_a_list_is_looked_through_with_all_its_faults_before_anything_is_made(switcher: Guest, tmp_path: Path) -> None:
    wrong = {"text": "name,distance_km\nAna,far\nana,1\n"}
    found = switcher.post("/api/events/roster", wrong)
    assert [len(found["faults"]), found["players"]] == [2, []]
    assert [line.split(":")[0] for line in found["faults"]] == ["the list row 2", "the list row 3"]
    switcher.post("/api/events/new", {**wrong, "folder": str(tmp_path / "x"), "tournament": "wdc2008"}, 422)
    assert not (tmp_path / "x").exists()
    file = base64.b64encode(b"Ana\nBo\n").decode()
    assert switcher.post("/api/events/roster", {"file": file, "file_name": "a.csv"})["players"] == ["Ana", "Bo"]
    for broken in ("%", "²"):
        answer = switcher.post("/api/events/roster", {"file": broken, "file_name": "a"})
        assert "arrived incomplete" in answer["faults"][0]


def test_a_list_is_shown_with_what_its_columns_are_taken_for_and_followed_as_the_director_says(switcher: Guest) -> None:
    text = "Who,Verein\nSean O'Brien,Owls\nSean O’Brien,\n"
    asked = switcher.post("/api/events/roster", {"text": text})
    assert [(column["heading"], column["meaning"]) for column in asked["columns"]] == [("Who", ""), ("Verein", "club")]

    asked = switcher.post("/api/events/roster", {"text": text, "columns": {"Who": "name"}})
    assert [(column["heading"], column["meaning"]) for column in asked["columns"]] == [
        ("Who", "name"),
        ("Verein", "club"),
    ]
    assert (asked["players"], asked["alike"]) == ([], ["Sean O’Brien"])

    said = {"text": text, "columns": {"Who": "name"}, "merged": ["Sean O’Brien"]}
    assert switcher.post("/api/events/roster", said)["players"] == ["Sean O'Brien (Owls)"]


def test_rows_that_may_be_no_players_are_asked_about_before_an_event_is_made(switcher: Guest, tmp_path: Path) -> None:
    list_of = {"text": "name;club\nAda Lund;X\nTotal players;1\n"}
    asked = switcher.post("/api/events/roster", list_of)
    assert (asked["players"], asked["asks"], asked["faults"]) == (["Ada Lund (X)"], True, [])
    assert [(each["line"], each["text"], each["is_likely"]) for each in asked["doubtful"]] == [
        (3, "Total players · 1", False)
    ]
    event = {"folder": str(tmp_path / "new"), "tournament": "weaselmoot", "name": "New"}
    assert "may be no player" in switcher.post("/api/events/new", {**list_of, **event}, 422)["said"]

    decided = {**list_of, "rows": {"3": ""}}
    answer = switcher.post("/api/events/roster", decided)
    assert (answer["players"], answer["asks"]) == (["Ada Lund (X)"], False)
    assert "the list row 3: left out: Total players · 1" in answer["notes"]
    assert switcher.post("/api/events/new", {**decided, **event})["home"] == "/desk"
    assert "what was decided" in switcher.post("/api/events/roster", {**list_of, "rows": ["3"]})["faults"][0]


def test_another_event_is_opened_and_the_first_one_is_closed(switcher: Guest, tmp_path: Path) -> None:
    first, second = seated(tmp_path / "a", code="AAAA"), seated(tmp_path / "b", code="BBBB")
    folders = switcher.client.get("/api/events/folders", params={"folder": str(tmp_path)}).json()["folders"]
    assert {each["name"]: each["is_event"] for each in folders} == {"a": True, "b": True}
    for folder, code in ((first, "AAAA"), (second, "BBBB")):
        switcher.post("/api/events/open", {"folder": str(folder)})
        opened = switcher.app.switcher.opened
        assert isinstance(opened, Opened)
        assert opened.office.event.details.code == code
    assert switcher.client.get("/api/events").json()["open"] == str(second)
    assert "no event here" in switcher.post("/api/events/open", {"folder": str(tmp_path)}, 422)["said"]
    assert switcher.client.get("/api/day").status_code == 200, "what was open stays open"


def test_a_folder_without_an_event_is_left_as_it_is_and_what_is_no_text_names_none(
    switcher: Guest, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    assert "no event here" in switcher.post("/api/events/open", {"folder": str(tmp_path / "empty")}, 422)["said"]
    assert list((tmp_path / "empty").iterdir()) == []
    for value in (["a"], {"a": 1}, None, 1, True):
        assert switcher.post("/api/events/open", {"folder": value}, 422)["said"] == "expected a text"
        assert switcher.post("/api/events/new", {"folder": value, "text": ROSTER}, 422)["said"] == "expected a text"
        assert switcher.post("/api/events/me", {"name": value}, 422)["said"] == "expected a text"
    assert [path.name for path in tmp_path.iterdir() if path.name not in ("empty", "own")] == []


@pytest.mark.parametrize("is_open", [False, True])
def test_a_page_that_there_is_knows_which_methods_it_takes(switcher: Guest, tmp_path: Path, is_open: bool) -> None:
    if is_open:
        switcher.post("/api/events/open", {"folder": str(seated(tmp_path / "cup"))})
    for method, path in (("POST", "/api/events"), ("GET", "/api/events/open"), ("PUT", "/events"), ("GET", "/leave")):
        assert switcher.client.request(method, path).status_code == 405, path
    assert switcher.client.get("/api/events/nothing").status_code == 404
    assert switcher.client.get("/api/nothing").status_code == (404 if is_open else 410)


def test_a_page_of_the_event_before_decides_nothing_in_the_one_that_is_open_now(
    switcher: Guest, tmp_path: Path
) -> None:
    """Two tabs: the other event is opened in one; what the other still shows has boards of the same names."""
    first, second = seated(tmp_path / "a", code="AAAA"), seated(tmp_path / "b", code="BBBB")
    switcher.post("/api/events/open", {"folder": str(first)})
    page = switcher.client.get("/desk").text.split('name="token" content="')[1].split('"')[0]
    before = facts(second)
    switcher.post("/api/events/open", {"folder": str(second)})
    body = {"round": 1, "others": "here"}
    answer = switcher.client.post("/api/day/roll", json=body, headers={"X-Token": page})
    assert (answer.status_code, "load this page again" in answer.text) == (403, True)
    seen = switcher.client.get("/api/day", headers={"X-Token": page})
    assert (seen.status_code, "another event was opened here" in seen.text) == (403, True)
    assert facts(second) == before
    switcher.post("/api/day/roll", body)
    assert len(facts(second)) == len(before) + 1


def test_the_directors_name_is_asked_for_once_and_stands_under_what_is_decided(switcher: Guest, tmp_path: Path) -> None:
    for refused in (" ", "x" * 61, "T\u202ess"):  # as in the form to log in
        switcher.post("/api/events/me", {"name": refused}, 422)
    switcher.post("/api/events/me", {"name": "x" * 60})
    assert kept_name() == "x" * 60
    assert {guest.name for guest in switcher.app.switcher.logins.guests} == {
        *(seat.name for seat in SEATS[1:]),
        "x" * 60,
    }
    switcher.post("/api/events/me", {"name": "Tessa  Day"})
    assert kept_name() == "Tessa Day"
    shown = switcher.client.get("/api/events").json()["shown"]
    keep_name("Somebody Else")  # as another desk on this machine does; this one still signs what is decided here
    answer = switcher.post("/api/events/me", {"name": "Tess", "shown": shown}, 409)
    assert ("Somebody Else" in str(answer), kept_name()) == (True, "Somebody Else")
    assert switcher.client.get("/api/events").json()["name"] == "Tessa Day"
    seated(tmp_path / "a")
    switcher.post("/api/events/open", {"folder": str(tmp_path / "a")})
    switcher.post("/api/day/roll", {"round": 1, "here": ["ada"]})
    with open_event(tmp_path / "a", clock) as event:
        assert [fact.by for fact in read_facts(event.facts, "roll called")] == ["Tessa Day"]


def test_nobody_without_the_directors_log_in_sees_or_opens_an_event(switcher: Guest, tmp_path: Path) -> None:
    other = guest(switcher.app, "192.168.1.9")
    for path in ("/events", "/", "/desk", "/api/events", "/api/events/folders"):
        assert other.get(path).status_code in (303, 401)
    for path in ("/api/events/open", "/api/events/new", "/api/events/roster", "/api/events/me"):
        assert other.post(path, json={}).status_code == 401
        assert switcher.client.post(path, json={}).status_code == 403, "without the token of the page"
    assert other.post("/door", data={"name": "phone", "pin": "444444"}).status_code == 303
    assert other.get("/api/events").status_code == 403
    assert json.loads(other.get("/api/events/folders").text)["said"]


def test_rules_of_ones_own_are_those_of_the_command(switcher: Guest, tmp_path: Path) -> None:
    answers = {each["key"]: each["otherwise"] for each in switcher.client.get("/api/events").json()["questions"]}
    answers |= {"short": "OC", "system": "tribute", "rounds": "2", "round_weights": "1, 1/2", "second_title": "alpha"}
    folder = tmp_path / "page"
    switcher.post(
        "/api/events/new",
        {"folder": str(folder), "name": "Own Cup", "answers": {**answers, "rounds": "no"}, "text": "Ana"},
        422,
    )
    switcher.post("/api/events/new", {"folder": str(folder), "name": "Own Cup", "answers": answers, "text": "Ana\n"})
    run(
        "rules",
        "--new",
        str(tmp_path / "own.toml"),
        "--yes",
        "--name",
        "Own Cup",
        "--short",
        "OC",
        "--system",
        "tribute",
        "--rounds",
        "2",
        "--rare",
        "yes",
        "--round-weights",
        "1, 1/2",
        "--second-title",
        "alpha",
    )
    assert (folder / "rules" / "own.toml").read_text() == (tmp_path / "own.toml").read_text()
    assert 'title = "alpha"' in (folder / "rules" / "own.toml").read_text()
    assert switcher.client.get("/events/systems/tribute.svg").headers["content-type"].startswith("image/svg")
    assert switcher.client.get("/events/systems/..%2Fx.svg").status_code in (404, 422)


def test_two_desks_on_one_machine_have_a_cookie_each(cup: Path) -> None:
    with open_office(cup, SEATS, clock=Time()) as opened:
        names = []
        for port in (8040, 8041):
            opened.logins.port = port
            browser = stranger(opened)
            assert browser.post("/door", data={"name": "Tess", "pin": "111111"}).status_code == 303
            names += list(browser.cookies)
            assert browser.get("/desk").status_code == 200
    assert len(set(names)) == 2


def test_a_tab_of_before_a_crash_is_led_to_the_events(switcher: Guest) -> None:
    seen = {"accept": "text/html"}
    for path in ("/desk", "/tables", "/notes", "/", "/map/board/1.1", "/print/seats/1.pdf", "/live/board/1.1"):
        assert switcher.client.get(path, headers=seen).headers["location"] == "/events"
    answer = switcher.client.get("/api/day")
    assert (answer.status_code, "open the event" in answer.json()["said"]) == (410, True)
    assert guest(switcher.app).get("/api/day").status_code == 401


def test_a_disk_that_cannot_be_written_is_told_in_a_page(cup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_office(cup, SEATS, clock=Time()) as opened:
        tess = Browser(opened, "Tess")

        def refuse(*_: Any, **__: Any) -> None:
            raise Stopped((Problem(Weight.STOPS, "the stick is read-only", "claims.db"),), ExitCode.MACHINE_LACKS)

        monkeypatch.setattr(type(opened.logins.claims), "login", refuse)
        page = tess.client.get("/desk", headers={"accept": "text/html"})
        assert (page.status_code, page.headers["content-type"].split(";")[0]) == (507, "text/html")
        assert "the stick is read-only" in page.text
        assert tess.client.get("/api/day").json()["said"] == "the stick is read-only"


def test_the_sample_event_is_made_with_one_press_and_again_beside_it(switcher: Guest, tmp_path: Path) -> None:
    for number in (1, 2):
        assert switcher.post("/api/events/sample", {})["home"] == "/desk"
        assert (tmp_path / f"sample-event-{number}" / "event.toml").is_file()
    assert len(switcher.client.get("/api/day").json()["roll"]["players"]) == 15
    with open_event(tmp_path / "sample-event-2", clock) as event:
        assert (event.details.name, event.details.tournament) == ("Sample event", "weaselmoot")
        assert (len(event.details.code), event.details.map_name) == (4, "standard")


def test_a_name_that_nobody_has_is_refused_with_those_that_may_be_meant(tess: Browser) -> None:
    told = post(tess, "/api/day/player", {"what": "left", "name": "Adda"}, 422)
    assert told["instead"] == [["Adda", ["Ada"]]]


def test_letters_that_no_font_here_has_are_told_before_anything_is_printed(
    switcher: Guest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.paper.lettering._fonts_here", lambda: ())
    monkeypatch.setattr("pipeline.paper.lettering._font_for", _font_for.__wrapped__)
    told = "no font on this machine shows 山: a box is printed for each"
    listed = "\n".join([*NAMES[:5], "Li 山", "Ned Oey"])
    assert told in switcher.post("/api/events/roster", {"text": listed})["notes"][0]
    switcher.post("/api/events/new", {"folder": str(tmp_path / "owls"), "tournament": "weaselmoot", "text": listed})
    assert switcher.post("/api/day/player", {"what": "rename", "name": "Ned Oey", "new": "Ned Coe"})["told"] == []
    assert told in switcher.post("/api/day/player", {"what": "rename", "name": "Ada Lov", "new": "Ada 山"})["told"][0]
    assert told in switcher.post("/api/day/player", {"what": "add", "name": "Mo 山"})["told"][0]
    switcher.post("/api/day/draw", {"round": 1, "sent": ["Mo 山"], "why": "too many"})
    notes = switcher.post("/api/day/print", {"round": 1})["notes"]
    assert {note.split(":")[0] for note in notes if told in note} == {"Ada 山", "Li 山"}


def test_what_a_draw_offers_is_told_without_the_columns_of_a_roster(switcher: Guest, tmp_path: Path) -> None:
    text = "\n".join([*NAMES, "Ian Oz", "Jon Yi"])
    switcher.post("/api/events/new", {"folder": str(tmp_path / "owls"), "tournament": "weaselmoot", "text": text})
    choice = switcher.post("/api/day/draw", {"round": 1})["choice"]
    told = [offer["words"] for offer in choice["offers"]] + [each["why"] for each in choice["cannot"]]
    assert len(told) == 4
    assert "nobody on the list of players has said so; ask" in told[0]
    assert [words for words in told if "column" in words] == []


def test_a_file_of_log_ins_that_is_damaged_is_told_as_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "claims.db").write_bytes(b"no database" * 100)
    with pytest.raises(Stopped, match=r"the log-ins cannot be opened: .* rename the file"):
        Claims(tmp_path / "claims.db")


def test_players_are_listed_where_people_look_for_them(switcher: Guest, tmp_path: Path) -> None:
    text = "\n".join(["Zoe Yi", "Łukasz Ny", "Ola Bo", "Änne Li", "Adam Oz", "lina Ek", "Max Fu"])
    switcher.post("/api/events/new", {"folder": str(tmp_path / "owls"), "tournament": "weaselmoot", "text": text})
    switcher.post("/api/day/player", {"what": "add", "name": "Bea Ro"})
    wanted = ["Adam Oz", "Änne Li", "Bea Ro", "lina Ek", "Łukasz Ny", "Max Fu", "Ola Bo", "Zoe Yi"]
    assert [each["name"] for each in switcher.client.get("/api/day").json()["roll"]["players"]] == wanted
    assert switcher.client.get("/api/notes").json()["players"] == wanted
    assert switcher.client.get("/api/forms").json()["players"] == wanted


@pytest.mark.parametrize(
    ("tournament", "apart", "said"),
    [
        ("weaselmoot", 0, "nobody is kept apart (WM III.3)"),
        ("edc1996", 0, "nobody is kept apart ("),
        ("weaselmoot", 1,
         "1 player is marked in the list as kept apart from somebody (broken as seldom as can be, and"),
        ("edc1996", 2, "2 players are marked in the list as kept apart from somebody (the draw asks you)"),
    ],
)  # fmt: skip
def test_the_draw_says_what_becomes_of_clubs_before_it_is_made(
    tmp_path: Path, time: Time, tournament: str, apart: int, said: str
) -> None:
    names = "ABCDEFGHIJ"
    players = [Player(name=name, keep_apart=("J",) if at < apart else ()) for at, name in enumerate(names)]
    make_event_folder(tmp_path / "cup", Details(name="Test Cup", code="TEST", tournament=tournament), players, clock)
    with open_office(tmp_path / "cup", SEATS, clock=time) as opened:
        told = Browser(opened, "Tess").client.get("/api/day").json()["apart"]
    assert told.startswith(f"Members of one club may meet; {said}")
