"""The journal in the browser: the same facts as by the command, what would follow, and nothing of it for others."""

import shutil
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from commands import run
from desk.cup import clock, hand_in_all, seated, spring
from facts_as_kept import read_facts

from pipeline.board import Power
from pipeline.cli import group
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.seating import seat_round
from pipeline.desk.publish.publish import publish
from pipeline.desk.ruling.rulings import type_lines
from pipeline.desk.sheets.printing import print_round
from pipeline.journal.lines import journal
from pipeline.journal.undo_codes import UndoState
from pipeline.web.journal_page import _act_of
from pipeline.web.logins import Guest, Role
from pipeline.web.on_pages import say_on_page
from pipeline.web.server import open_office
from web.conftest import SEATS, Browser, Time
from web.driven import IN_CHROMIUM, Served, served

ITALY = ["A VEN H", "A ROM H", "F NAP H"]
DIRECTOR_PLAYS = (Guest("Tess", Role.DIRECTOR, "111111"), Guest("Bo", Role.DIRECTOR, "333333"))  # he plays England


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """Italy's lines were typed, and Spring 1901 is published."""
    folder = tmp_path / "cup"
    with open_event(seated(folder), clock) as event:
        print_round(event, 1)
        hand_in_all(event)
        type_lines(event, spring(Power.ITALY), ITALY, by="Tess")
        publish(event, "1", "Tess")
    return folder


def newest(folder: Path) -> int:
    with open_event(folder, clock) as event:
        return event.facts.last_number()


def facts(folder: Path) -> list[tuple[str, str, Mapping[str, Any]]]:
    with open_event(folder, clock) as event:
        return [(fact.kind, fact.by, fact.body) for fact in read_facts(event.facts)]


def post(browser: Browser, body: Mapping[str, Any], status: int = 200) -> dict[str, Any]:
    return browser.post("/api/journal/undo", status, **body)


def test_the_page_and_the_command_write_the_same_facts_and_show_the_same_lines(cup: Path, tmp_path: Path) -> None:
    other, number = tmp_path / "other" / "cup", newest(cup)
    shutil.copytree(cup, other)
    with open_office(cup, SEATS, is_lan=True, clock=Time()) as opened:
        tess = Browser(opened, "Tess")
        post(tess, {"number": number, "why": "too early"})
        shown = tess.client.get("/api/journal").json()
    arguments = ["undo", str(other), str(number), "--by", "Tess", "--why", "too early"]
    run(*arguments)
    assert facts(cup) == facts(other)
    with open_event(cup, clock) as event:
        # nothing is published any more, and nothing opens the event anew
        lines = [line.as_json() | {"correct": "", "anew": False} for line in reversed(journal(event))]
        for told in (told for line in lines for told in line["rests"]):
            told["words"] = say_on_page(told["words"])
        of_the_page = ("act", "is_paper", "against", "is_held")
        assert [{name: line[name] for name in line if name not in of_the_page} for line in shown["lines"]] == lines
        assert str(find_game(event, "1").position.phase) == "S1901M"


def test_several_lines_go_together_by_the_page_too_and_what_is_no_number_is_refused(cup: Path) -> None:
    number, before = newest(cup), facts(cup)
    with open_office(cup, SEATS, is_lan=True, clock=Time()) as opened:
        tess = Browser(opened, "Tess")
        for numbers in ([], ["1"], [True], "12", [number, 1]):
            post(tess, {"numbers": numbers, "why": "x"}, status=422)
        assert facts(cup) == before
        assert len(post(tess, {"numbers": [number - 1, number], "why": "x"})["numbers"]) == 2


def test_what_rests_on_a_line_is_told_by_both_and_nothing_is_written(cup: Path) -> None:
    typed, before = newest(cup) - 1, facts(cup)
    with open_office(cup, SEATS, is_lan=True, clock=Time()) as opened:
        tess = Browser(opened, "Tess")
        said = post(tess, {"number": typed}, status=422)["said"]
        (line,) = (each for each in tess.client.get("/api/journal").json()["lines"] if each["number"] == typed)
    assert (line["standing"], line["rests"][0]["number"]) == ("asks", newest(cup))
    assert line["rests"][0]["words"] in said
    stopped = CliRunner().invoke(group, ["undo", str(cup), str(typed), "--by", "Tess"]).exception
    assert said == say_on_page(stopped.problems[0].text)  # type: ignore[union-attr]
    assert facts(cup) == before


def test_the_commands_list_is_for_scripts_and_for_people(cup: Path) -> None:
    done = CliRunner().invoke(group, ["journal", str(cup), "--since", str(newest(cup) - 2)])
    assert [line.split()[0] for line in done.output.splitlines() if not line.startswith(" " * 9)] == [
        str(newest(cup) - 1),
        str(newest(cup)),
    ]
    assert f"number {newest(cup)}" in done.output


def test_a_director_who_plays_sees_no_lines_of_his_board_and_takes_nothing_back_there(cup: Path) -> None:
    number = newest(cup)
    with open_office(cup, DIRECTOR_PLAYS, is_lan=True, clock=Time()) as opened:
        bo = Browser(opened, "Bo")
        lines = bo.client.get("/api/journal").json()["lines"]
        assert number in {line["number"] for line in lines}
        assert not {"LINES_TYPED", "ROW_RULED"} & {line["code"] for line in lines}
        assert "A ROM H" not in bo.client.get("/api/journal").text
        assert "you play on this board" in post(bo, {"number": number}, status=422)["said"]
        post(Browser(opened, "Tess"), {"number": number, "why": "misread"})


@pytest.mark.parametrize(
    "body", [{}, {"number": "12"}, {"number": 9999}, {"number": -1}, {"numbers": [1, "2"]}, {"numbers": [1, True]}]
)
def test_a_number_that_is_none_is_told(cup: Path, body: Mapping[str, Any]) -> None:
    before = facts(cup)
    with open_office(cup, SEATS, is_lan=True, clock=Time()) as opened:
        assert post(Browser(opened, "Tess"), body, status=422)["said"]
    assert facts(cup) == before


def test_lines_are_asked_for_by_board_by_person_and_before_a_number(cup: Path) -> None:
    with open_office(cup, SEATS, is_lan=True, clock=Time()) as opened:
        client = Browser(opened, "Tess").client
        asked = [
            client.get("/api/journal", params=each).json()["lines"] for each in ({"board": "1.1"}, {"who": "tess"})
        ]
        earlier = client.get("/api/journal", params={"before": "3"}).json()["lines"]
    assert all(line["boards"] == ["1.1"] for line in asked[0])
    assert {line["by"] for line in asked[1]} == {"Tess"}
    assert [line["number"] for line in earlier] == [2, 1]


@pytest.fixture
def server(cup: Path) -> Iterator[Served]:
    with served(cup) as found:
        yield found


@pytest.fixture
def page(chromium: Any, server: Served) -> Iterator[Any]:
    """The director's browser, logged in."""
    page = chromium.new_context(viewport={"width": 390, "height": 844}).new_page()
    page.goto(server.page)
    page.wait_for_load_state("networkidle")
    yield page
    page.context.close()


@pytest.mark.slow
@IN_CHROMIUM[1]
def test_what_would_follow_is_said_before_anything_is_taken_back(page: Any, cup: Path, server: Served) -> None:
    number = newest(cup)
    page.goto(f"http://127.0.0.1:{server.port}/journal")
    drawn = page.locator("#n-2")
    drawn.get_by_label("take back… number 2", exact=True).click()
    assert drawn.get_by_role("button", name="take it back").count() == 0
    assert "number 3" in drawn.locator("details").inner_text()
    line = page.locator(f"#n-{number}")
    line.get_by_label(f"take back… number {number}", exact=True).click()
    assert "Spring 1901" in line.locator("details").inner_text()
    assert newest(cup) == number
    line.get_by_role("textbox").fill("too early")
    line.get_by_role("button", name="take it back").click()
    page.wait_for_selector(f"#n-{number + 1}")
    assert f"Taken back: {number + 1}" in page.locator(f"#n-{number}").inner_text()
    with open_event(cup, clock) as event:
        assert find_game(event, "1").played == ()


@pytest.mark.slow
@IN_CHROMIUM[1]
def test_a_line_that_another_page_leads_to_stands_alone_and_the_rest_behind_a_button(
    page: Any, cup: Path, server: Served
) -> None:
    page.goto(f"http://127.0.0.1:{server.port}/journal?tick={newest(cup)}#together")
    page.get_by_text("Taken back together or not at all").wait_for()
    assert page.locator("#lines > li").count() == 1
    page.get_by_role("link", name="Show the whole journal").click()
    page.locator("#n-2").wait_for()
    page.goto(f"http://127.0.0.1:{server.port}/journal?tick=2")
    page.get_by_label("take back… number 2", exact=True).click()
    assert page.locator("#n-3").count() == 0
    page.get_by_role("link", name="See 3").click()
    page.locator("#n-3").wait_for()


@pytest.mark.slow
@IN_CHROMIUM[1]
def test_ticked_lines_are_taken_back_together_or_not_at_all(page: Any, cup: Path, server: Served) -> None:
    number = newest(cup)
    page.goto(f"http://127.0.0.1:{server.port}/journal")
    assert page.locator("#n-3 input").count() == 0, "what is printed has no box"
    for line in (2, number - 1, number):
        page.get_by_label(f"number {line}, together with others").check()
    page.get_by_role("button", name="Take the ticked lines back…").click()
    together = page.locator("#together")
    assert together.get_by_role("checkbox").count() == 3
    assert together.get_by_label("2: it cannot be taken back now").is_disabled()
    together.get_by_text("✗ paper is printed for board 1.1 with these seats").wait_for()
    together.get_by_role("button", name="take them back").click()
    page.wait_for_selector("#together .told-here >> text=nothing is taken back")
    assert newest(cup) == number
    together.get_by_role("textbox").fill("the wrong board")
    together.get_by_role("button", name="take them back").click()
    page.wait_for_selector(f"#said >> text={number - 1}, {number} are taken back")
    with open_event(cup, clock) as event:
        assert find_game(event, "1").played == ()
        assert [fact.kind for fact in read_facts(event.facts, after=number)] == ["taken back", "ruling undone"]


def test_what_another_desk_has_drawn_since_is_not_taken_back_unseen(tmp_path: Path) -> None:
    folder = seated(tmp_path / "cup")
    with open_office(folder, SEATS, is_lan=True, clock=Time()) as opened:
        tess = Browser(opened, "Tess")
        assert tess.client.get("/api/journal").json()["lines"][0]["standing"] == "open"
        with open_event(folder, clock) as other:
            players = find_game(other, "1").seating.players
            seat_round(other, 1, {"1": dict(zip(players, reversed(list(players.values())), strict=True))}, by="Ann")
        assert "number 3" in post(tess, {"number": 2}, status=422)["said"]


def test_lines_of_a_correction_go_together_if_all_are_shown_and_are_held_if_one_is() -> None:
    """Of three lines the first two are of one correction; each rests on itself, the other and a fourth."""
    for shown_numbers, held, rests in product(((1, 3), (1, 2, 3)), ((), (1,), (2,)), ((1, 2), (4,), ())):
        shown = [
            {"number": number, "would": "", "anew": False, "back": False, "rests": [{"number": n} for n in rests],
             "standing": UndoState.HELD if number in held else UndoState.ASKS}
            for number in shown_numbers
        ]  # fmt: skip
        together = (1, 2) if 2 in shown_numbers else (1,)
        told = [n for n in rests if len(together) == 1 or n not in together]
        act = _act_of(shown[0], (1, 2), shown)
        assert act is not None
        assert [line["number"] for line in act["lines"]] == [*together]
        assert [each["number"] for each in act["rests"]] == told * len(together)
        assert act["held"] == (bool(told) and not set(held).isdisjoint(together))
