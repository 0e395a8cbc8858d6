"""The page of the tables: an end is asked once, in words, and can be undone; it writes what the command writes."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from commands import run
from desk.cup import clock, seated
from desk.event.test_ends import cup_at
from facts_as_kept import read_facts

from pipeline.cli import group
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.results.final_results import publish_results
from pipeline.desk.results.notes import enter_note
from pipeline.web.logins import Guest, Role
from pipeline.web.server import Opened, open_office
from web.conftest import SEATS, Browser

RULES = {"edc1996": "W1904A", "nzdc1999": "F1903R", "weaselmoot": "S1906M"}


@pytest.fixture(params=sorted(RULES))
def doors(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Path, Browser]]:
    """The same board for the command, and before a browser."""
    tournament = str(request.param)
    page = cup_at(tmp_path / "page", tournament, RULES[tournament])
    with open_office(page, SEATS, is_lan=True) as office:
        yield cup_at(tmp_path / "command", tournament, RULES[tournament]), Browser(office, "Tess")


def post(browser: Browser, path: str, status: int = 200, **body: Any) -> dict[str, Any]:
    return browser.post(f"/api/tables/{path}", status, **{"board": "1.1", **body})


def may_end(browser: Browser, how: str) -> dict[str, Any]:
    """What the page says before a game is ended."""
    (board,) = browser.client.get("/api/tables/may-end", params={"board": "1.1", "how": how}).json()["boards"]
    return dict(board)


def game(browser: Browser) -> dict[str, Any]:
    found: dict[str, Any] = browser.client.get("/api/tables").json()["games"][0]
    return found


def of_opened(opened: Opened) -> list[tuple[str, str, str]]:
    facts = read_facts(opened.office.event.facts)
    return [(fact.kind, fact.by, json.dumps(fact.body, sort_keys=True)) for fact in facts]


def of_folder(cup: Path) -> list[tuple[str, str, str]]:
    with open_event(cup, clock) as event:
        return [(fact.kind, fact.by, json.dumps(fact.body, sort_keys=True)) for fact in read_facts(event.facts)]


def test_ending_and_undoing_write_the_same_facts_by_page_and_by_command(doors: tuple[Path, Browser]) -> None:
    cup, tess = doors
    post(tess, "end", how="time", why="the hall closes")
    run("end", cup, "--board", "1", "--how", "time", "--by", "Tess", "--why", "the hall closes")
    post(tess, "undo", what="end", why="it stays open")
    run("end", cup, "--board", "1", "--undo", "--by", "Tess", "--why", "it stays open")
    assert of_opened(tess.opened) == of_folder(cup)
    assert [kind for kind, _, _ in of_folder(cup)][-2:] == ["game ended", "end undone"]


def test_what_the_page_refuses_the_command_refuses_with_the_same_rule(doors: tuple[Path, Browser]) -> None:
    cup, tess = doors
    for how in ("solo", "last year", "dice", "vote", "stagnation", "conceded", "abandoned", "time"):
        shown = may_end(tess, how)
        option = how.replace(" ", "-")
        result = CliRunner().invoke(group, ["end", str(cup), "--board", "1", "--how", option])
        if not shown["against"]:
            assert result.exit_code == 0
            run("end", cup, "--board", "1", "--undo")
            continue
        said = post(tess, "end", status=422, how=how)["said"]
        assert said == "; ".join(problem.text for problem in result.exception.problems)  # type: ignore[union-attr]
        assert all(f"{bar['text']} ({bar['rule']})" in said for bar in shown["against"])
        firm = any(bar["firm"] for bar in shown["against"])
        assert result.exception.code == (2 if firm else 3)  # type: ignore[union-attr]


def test_ending_is_asked_once_in_words_with_the_count_that_will_be_the_result(doors: tuple[Path, Browser]) -> None:
    _, tess = doors
    words = " ".join(may_end(tess, "time")["words"])
    assert words.startswith("End board 1.1: time was called? Its result would be ")
    assert "Austria 3, England 3, France 3, Germany 3, Italy 3, Russia 4, Turkey 3." in words
    assert "that " in words.partition("Which count it is: ")[2]
    assert not list(read_facts(tess.opened.office.event.facts, "game ended"))  # nothing is written by asking


def test_who_plays_on_a_board_is_told_that_another_desk_ends_it(tmp_path: Path) -> None:
    with open_office(cup_at(tmp_path, "edc1996", "W1904A"), (Guest("Bo", Role.DIRECTOR, "666666"),)) as office:
        asked = Browser(office, "Bo").client.get("/api/tables/may-end", params={"how": "time"}).json()
    assert (asked["boards"], asked["own"]) == ([], ["1.1"])


@pytest.mark.parametrize(("phase", "goes_on"), [("S1905M", True), ("F1905R", True), ("W1905A", False)])
def test_of_a_phase_that_will_not_be_played_it_is_said(tmp_path: Path, phase: str, goes_on: bool) -> None:
    with open_office(cup_at(tmp_path, "edc1996", phase), SEATS, is_lan=True) as office:
        words = " ".join(may_end(Browser(office, "Tess"), "time")["words"])
    assert ("is not played; orders that came in for it do not count" in words) is goes_on


def test_what_was_overruled_stands_beside_the_game_on_the_page(tmp_path: Path) -> None:
    with open_office(cup_at(tmp_path, "edc1996", "W1904A"), SEATS, is_lan=True) as office:
        tess = Browser(office, "Tess")
        post(tess, "end", how="time", phase="W1904A", why="the hall closes")
        assert game(tess)["end"]["overruled"] == [
            "by the director's word, though the last year was not over (EDC96 10): the hall closes (Tess)"
        ]


def test_a_board_whose_last_year_is_over_is_to_be_ended_and_nothing_is_open_on_it(tmp_path: Path) -> None:
    with open_office(cup_at(tmp_path, "edc2023", "W1907A"), SEATS, is_lan=True) as office:
        tess = Browser(office, "Tess")
        assert game(tess)["over"] == "1907 was the last year (EDC23 B)"
        board = tess.look()["boards"][0]
        assert (board["over"], board["of"], board["ready"]) == ("1907 was the last year (EDC23 B)", 0, False)
        assert tess.shown["item"] is None
        offered = [each["how"] for each in game(tess)["endings"] if not each["refused"]]
        assert offered == ["last year", "time", "conceded", "abandoned"]


def test_a_veto_is_written_down_and_a_vote_is_taken_back_on_the_page(tmp_path: Path) -> None:
    with open_office(cup_at(tmp_path, "edc2023", "S1904M"), SEATS, is_lan=True) as office:
        tess = Browser(office, "Tess")
        post(tess, "veto", power="FRANCE", moment="negotiation")
        assert game(tess)["votes"] == ["S1904M: asked for by France, objected to openly"]
        post(tess, "undo", what="vote", why="it was board 2")
        assert game(tess)["votes"] == []
        powers = [power for power, _, _ in game(tess)["survivors"]]
        cast = dict.fromkeys(powers, "yes") | {"ITALY": "absent"}
        asked: dict[str, Any] = {"power": "FRANCE", "moment": "negotiation", "ballots": cast}
        assert "say it beside the ballots" in post(tess, "vote", status=422, **asked)["said"]
        assert post(tess, "vote", **asked, for_absent="yes")["carried"]
        assert find_game(office.office.event, "1").ending == "vote"


def test_what_an_end_carries_is_named_at_every_door_before_it_is_taken_back(tmp_path: Path) -> None:
    cup = cup_at(tmp_path, "weaselmoot", "S1906M")
    run("end", cup, "--board", "1", "--how", "time")
    with open_event(cup, clock) as event:
        end = event.facts.last_number()
        early = enter_note(event, "early-end", {}, by="Tess", why="storm").number
        final = publish_results(event, by="Tess", why="agreed").number
    told = [f"an early end of the event was entered since (number {early})"]
    told.append(f"the results were published as final since (number {final})")
    said = [run("end", cup, "--board", "1", "--undo", code=3), run("undo", cup, str(end), code=3)]
    with open_office(cup, SEATS, is_lan=True) as office:
        tess = Browser(office, "Tess")
        said += [" ".join(game(tess)["end"]["rests"]), post(tess, "undo", 422, what="end")["said"]]
        (line,) = (line for line in tess.client.get("/api/journal").json()["lines"] if line["number"] == end)
        said.append(" ".join(rest["words"] for rest in line["rests"]))
        said.append(tess.post("/api/journal/undo", 422, number=end)["said"])
        assert [words for words in said for each in told if each not in words] == []
        post(tess, "undo", what="end", why="the hall is open again")


def test_an_early_end_since_which_results_are_final_wants_a_reason_to_be_taken_back(tmp_path: Path) -> None:
    cup = cup_at(tmp_path, "weaselmoot", "S1906M")
    run("end", cup, "--board", "1", "--how", "time")
    with open_event(cup, clock) as event:
        early = enter_note(event, "early-end", {}, by="Tess", why="storm").number
        final = publish_results(event, by="Tess", why="agreed").number
    told = f"the results were published as final since (number {final})"
    said = [run("enter", cup, "undo", str(early), code=3), run("undo", cup, str(early), code=3)]
    with open_office(cup, SEATS, is_lan=True) as office:
        tess = Browser(office, "Tess")
        (line,) = (line for line in tess.client.get("/api/journal").json()["lines"] if line["number"] == early)
        said.append(" ".join(rest["words"] for rest in line["rests"]))
        said.append(tess.post("/api/notes/undo", 422, number=early)["said"])
        assert [words for words in said if told not in words] == []
        tess.post("/api/notes/undo", number=early, why="the hall is open again")


def test_a_result_that_carries_the_end_of_the_event_wants_a_reason_to_be_taken_back(tmp_path: Path) -> None:
    cup = seated(tmp_path / "cup")
    with open_event(cup, clock) as event:
        values = {"board": "1.1", "ended": "time", "years": "1907 A10 E7 F6 G4 I4 R2 T1"}
        result = enter_note(event, "result", values, by="Tess", why="upstairs").number
        early = enter_note(event, "early-end", {}, by="Tess", why="storm").number
    told = f"an early end of the event was entered since (number {early})"
    assert told in run("enter", cup, "undo", str(result), code=3)
    with open_office(cup, SEATS, is_lan=True) as office:
        tess = Browser(office, "Tess")
        assert told in tess.post("/api/notes/undo", 422, number=result)["said"]
        tess.post("/api/notes/undo", number=result, why="another board")
