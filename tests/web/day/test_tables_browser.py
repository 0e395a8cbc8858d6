"""Ends and notes in a real browser, by keyboard: what is asked, refused, written, and taken back."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from desk.cup import clock
from desk.event.test_ends import cup_at
from desk.moot import drawn, play_on
from desk.results.test_notes import cup_of
from facts_as_kept import read_facts

from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game, games
from pipeline.desk.players import list_players
from pipeline.scoring.doubts import NotedFact, PlaceLevel, Want
from pipeline.scoring.results import Ending
from pipeline.scoring.stakes import Stake, WeighedDoubt
from pipeline.web.tables import _doubt_views
from web.driven import IN_CHROMIUM, desk, served, until

pytestmark = list(IN_CHROMIUM)
TIED = ("Ada", "P8")
LEVEL = PlaceLevel(place=1, players=TIED, want=Want("lot", NotedFact.LOT, TIED, TIED))


@contextmanager
def director(chromium: Any, folder: Path, path: str) -> Iterator[Any]:
    """A page of the director's."""
    with served(folder) as server, desk(chromium, server.page) as tess:
        tess.page.goto(f"http://127.0.0.1:{server.port}{path}")
        yield tess.page


def kinds(folder: Path) -> list[str]:
    with open_event(folder, clock) as event:
        return [fact.kind for fact in read_facts(event.facts)]


def test_end_it_asks_once_wants_a_reason_where_one_is_due_and_is_taken_back(chromium: Any, tmp_path: Path) -> None:
    cup = cup_at(tmp_path, "edc1996", "W1904A")
    before = kinds(cup)
    with director(chromium, cup, "/tables") as page:
        how = page.get_by_label("how it ended")
        how.wait_for()
        assert how.locator("option:not([disabled])").all_inner_texts() == [
            "Time was called",
            "The game was conceded",
            "The game was abandoned",
        ]
        assert "a solo takes 18 centres" in how.locator("option[value=solo]").get_attribute("title")
        page.get_by_role("button", name="end it…").press("Enter")
        page.locator("#asked").wait_for()
        said = page.locator("#asked").inner_text()
        assert "Its result would be the count after Fall 1904: Austria 3" in said
        assert "the game is played to the end of 1908; 1904 is the last that is over (§ EDC96 10)" in said
        overrule = page.get_by_role("button", name="I overrule that: end it so")
        page.keyboard.press("Enter")  # the focus is on no button: one Enter too many decides nothing
        overrule.press("Enter")  # without a reason
        assert kinds(cup) == before
        page.get_by_label("why").fill("the hall closes")
        overrule.press("Enter")
        page.get_by_text("· over: time was called").wait_for()
        assert kinds(cup)[-1] == "game ended"
        assert "Overruled: by the director's word" in page.inner_text("#games")
        page.get_by_text("it goes on after all…").press("Enter")
        page.get_by_role("button", name="take it back").press("Enter")
        page.get_by_label("how it ended").wait_for()
        assert kinds(cup)[-1] == "end undone"


def test_all_boards_are_ended_at_once_but_for_those_that_need_a_reason(chromium: Any, tmp_path: Path) -> None:
    cup = drawn(tmp_path / "moot", [f"{first}. {last}" for first in "ABC" for last in "KLMNOPQ"])
    with open_event(cup, clock) as event:
        play_on(event, "1.1", "S1902M")
        play_on(event, "1.2", "S1903M")
    with director(chromium, cup, "/tables") as page:
        page.get_by_label("how all ended").select_option("time")
        page.get_by_role("button", name="End them…").click()
        page.get_by_text("End 3 boards: time was called?").wait_for()
        told = page.inner_text("#asked")
        assert "Board 1.2: Its result would be the count after Fall 1902: Austria" in told
        assert "Board 1.3: ✗ no Fall has been played to its end, so there is no count" in told
        assert "game ended" not in kinds(cup)
        page.get_by_label("Board 1.3").uncheck()
        page.get_by_role("button", name="end them").click()
        page.get_by_text("· over: time was called").nth(1).wait_for()
        assert kinds(cup).count("game ended") == 2
        assert page.get_by_label("how it ended").count() == 1
        assert page.locator("#all").is_hidden(), "one board is no several"
    with director(chromium, cup, "/tables?board=1.3") as page:
        page.get_by_label("how it ended").wait_for()
        assert page.locator("#all").is_hidden()


def test_when_the_hall_closes_all_boards_end_with_one_reason_and_are_taken_back_together(
    chromium: Any, tmp_path: Path
) -> None:
    cup = drawn(tmp_path / "cup", [f"{first}. {last}" for first in "AB" for last in "KLMNOPQ"], tournament="edc1996")
    with open_event(cup, clock) as event:
        for board in ("1.1", "1.2"):
            play_on(event, board, "S1905M")
    with director(chromium, cup, "/tables") as page:
        page.get_by_label("how all ended").select_option("time")
        page.get_by_role("button", name="End them…").click()
        page.get_by_text("End 2 boards: time was called?").wait_for()
        assert page.inner_text("#asked").count("✗ the game is played to the end of 1908") == 2
        end = page.get_by_role("button", name="I overrule that: end them")
        end.click()
        page.locator("#asked .told-here").wait_for()
        assert "game ended" not in kinds(cup), "without a reason"
        page.get_by_label("why").fill("the hall closes")
        end.click()
        page.get_by_role("link", name="Take it back").click()
        assert kinds(cup)[-2:] == ["game ended"] * 2
        page.get_by_label("why these lines are taken back").fill("it stays open")
        page.get_by_role("button", name="take them back").click()
        page.get_by_text("are taken back, written down as").wait_for()
    with open_event(cup, clock) as event:
        assert [game.ending for game in games(event).values()] == [None, None]


def test_the_board_on_which_the_director_plays_keeps_no_other_from_being_ended(chromium: Any, tmp_path: Path) -> None:
    cup = drawn(tmp_path / "moot", ["Tess", *(f"{first}. {last}" for first in "ABC" for last in "KLMNOPQ")][:21])
    with open_event(cup, clock) as event:
        for board in ("1.1", "1.2", "1.3"):
            play_on(event, board, "S1902M")
        (own,) = (game.name for game in games(event).values() if "Tess" in game.seating.players.values())
    with director(chromium, cup, "/tables") as page:
        page.get_by_label("how all ended").select_option("time")
        page.get_by_role("button", name="End them…").click()
        page.get_by_text("End 2 boards: time was called?").wait_for()
        assert f"Board {own}: ✗ you play there; somebody else ends it" in page.inner_text("#asked")
        page.get_by_role("button", name="End them", exact=True).click()
        page.get_by_text("· over: time was called").nth(1).wait_for()
    assert kinds(cup).count("game ended") == 2


def test_a_vote_that_the_rules_forbid_asks_for_no_reason_and_one_that_they_leave_open_does(
    chromium: Any, tmp_path: Path
) -> None:
    """WM VIII.3.a: no votes before 1904, and no agreement to hold one is asked for."""
    for tournament, said, reasons in (("weaselmoot", "a vote cannot be held against them", 0), ("nzdc1999", "", 1)):
        cup = cup_at(tmp_path / tournament, tournament, "S1901M")
        with director(chromium, cup, "/tables") as page:
            page.locator("summary", has_text="a vote on a draw").click()
            agree = page.get_by_label("all agree to hold it")
            assert agree.count() == (tournament == "nzdc1999")
            if agree.count():
                agree.check()
            page.get_by_role("button", name="may it be held?").click()
            page.get_by_text(said or "your ruling").first.wait_for()
            assert page.get_by_placeholder("Why you rule so").count() == reasons


def test_a_note_is_entered_by_keys_alone_and_taken_back(chromium: Any, tmp_path: Path) -> None:
    cup = cup_of(tmp_path, "edc2023")
    with director(chromium, cup, "/notes") as page:
        page.get_by_label("What", exact=True).wait_for()
        page.get_by_label("What", exact=True).focus()
        for word in ("", "Ada", "absence", "", "", "", "did not come"):  # the first is the kind: a penalty
            if word:
                page.keyboard.type(word)
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.get_by_text("penalty entered: Ada").wait_for()
        with open_event(cup, clock) as event:
            fact = list(read_facts(event.facts, "penalty entered"))[-1]
            assert json.loads(json.dumps(fact.body)) == {
                "player": 1,
                "kind": "absence",
                "points": None,
                "times": 1,
                "round": None,
                "why": "did not come",
            }
            assert fact.by == "Tess"
        page.get_by_label("take back… number").press("Enter")
        page.locator("input[name=why]:focus").wait_for()
        page.keyboard.type("he did")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.get_by_text("nothing yet").wait_for()
        assert kinds(cup)[-1] == "taken back"


def test_distances_of_several_are_entered_in_one_form(chromium: Any, tmp_path: Path) -> None:
    cup = cup_of(tmp_path, "edc2023")
    before = len(kinds(cup))
    with director(chromium, cup, "/notes?what=distance&each=Ada&each=P8&each=P9") as page:
        page.get_by_label("kilometres of Ada").fill("120")
        page.get_by_label("kilometres of P9").fill("8")
        page.get_by_role("button", name="Enter them").click()
        page.get_by_text("✓ 2 entered").wait_for()
    with open_event(cup, clock) as event:
        distances = {each.player.name: each.player.distance_km for each in list_players(event)}
    assert (distances["Ada"], distances["P8"], distances["P9"]) == (120, None, 8)
    assert len(kinds(cup)) == before + 2


def test_a_lot_that_decides_a_place_is_settled_from_its_doubt(chromium: Any, tmp_path: Path) -> None:
    cup = cup_of(tmp_path, "edc2023")
    lot = _doubt_views([WeighedDoubt(doubt=LEVEL, stake=Stake.NOTHING, titles=())])[0]["settle"]
    with director(chromium, cup, lot) as page:
        page.get_by_label("What", exact=True).wait_for()
        assert page.get_by_label("Ada", exact=True).is_checked()
        assert page.get_by_label("P8", exact=True).is_checked()
        assert not page.get_by_label("P9", exact=True).is_checked()


def test_a_game_played_elsewhere_is_typed_in_on_the_page(chromium: Any, tmp_path: Path) -> None:
    cup = cup_of(tmp_path, "edc2023")
    with director(chromium, cup, "/notes") as page:
        page.get_by_label("What", exact=True).wait_for()
        page.get_by_label("What", exact=True).select_option("result")
        page.get_by_label("Board", exact=True).fill("1.1")
        page.get_by_label("how it ended").select_option("time")
        page.get_by_label("counts, a year a line").fill("1907 A5 E5 F5 G5 I4 R6 T3")
        page.get_by_role("button", name="enter it").press("Enter")
        page.get_by_text("1907 adds up to 33").wait_for()
        page.get_by_label("counts, a year a line").fill("1907 A5 E5 F5 G5 I4 R6 T4")
        page.get_by_role("button", name="enter it").press("Enter")
        page.get_by_text("result entered: board 1.1").wait_for()
        assert kinds(cup)[-1] == "result entered"


def test_what_is_wrong_is_said_at_its_field(chromium: Any, tmp_path: Path) -> None:
    with director(chromium, cup_at(tmp_path, "weaselmoot", "W1904A"), "/notes?what=substitute&board=1.1") as page:
        page.get_by_label("Power", exact=True).select_option("ITALY")
        page.get_by_label("Newcomer", exact=True).select_option("nobody")
        page.get_by_label("From", exact=True).fill("later")
        page.get_by_label("Why", exact=True).fill("ill")
        page.get_by_role("button", name="enter it").press("Enter")
        page.wait_for_selector(".field:has(#field-phase) + .told-here >> text=expected a season")
        page.goto(page.url.replace("/notes", "/tables"))
        page.get_by_text("set the position by hand").click()
        page.get_by_label("centres of Italy").fill("NAP ROM VEN XYZ")
        page.get_by_role("button", name="set the board so").click()
        page.wait_for_selector(".position:has([aria-label='centres of Italy']) + .told-here >> text=XYZ")
        page.get_by_label("centres of Italy").fill("NAP ROM VEN")
        page.get_by_label("Phase", exact=True).fill("soon")
        page.get_by_role("button", name="set the board so").click()
        page.wait_for_selector(".row:has(input) + .told-here >> text=soon")


def test_what_is_due_after_the_last_round_alone_is_folded_before(chromium: Any, tmp_path: Path) -> None:
    cup = cup_at(tmp_path, "weaselmoot", "W1904A")
    with director(chromium, cup, "/tables") as page:
        assert not page.get_by_role("button", name="Seal a seed").is_visible()
        page.get_by_text("The die of the last years").click()
        page.get_by_role("button", name="Seal a seed").wait_for()
        with open_event(cup, clock) as event:
            end_game(event, find_game(event, "1"), Ending.TIME, by="Tess", why="late")
        page.reload()
        page.get_by_text("Level so far").wait_for()
        assert page.get_by_text("Standings: nothing is to be decided yet").is_visible()
        assert not page.locator("#doubts").get_by_role("link").first.is_visible()
        page.get_by_text("interim until you publish them as final, here, when the last round is over").wait_for()
        assert not page.get_by_role("button", name="Publish the results as final").count()


def test_standings_that_are_level_so_far_are_in_doubt_neither_on_the_page_nor_on_the_wall(
    chromium: Any, tmp_path: Path
) -> None:
    cup = cup_at(tmp_path, "weaselmoot", "W1904A")
    with open_event(cup, clock) as event:
        end_game(event, find_game(event, "1"), Ending.TIME, by="Tess", why="late")
    with director(chromium, cup, "/tables") as page:
        page.get_by_text("Standings: nothing is to be decided yet").wait_for()
        page.get_by_text("the players do not see them on the screen").wait_for()
        page.goto(f"{page.url.split('/tables')[0]}/desk")
        page.locator("#standings > details > summary").click()
        page.get_by_text("what is to pin up has all places and scores").wait_for()


def test_the_files_of_the_standings_are_beside_them_and_the_round_is_one_press_away(
    chromium: Any, tmp_path: Path
) -> None:
    files = {"Workbook": b"PK", "To pin up (PDF)": b"%PDF", "List (CSV)": b'"Place"'}
    with director(chromium, cup_at(tmp_path, "weaselmoot", "W1904A"), "/desk") as page:
        base = page.url.split("/desk")[0]
        page.locator("#standings > details > summary").click()
        page.get_by_role("link", name="See them").click()
        page.locator("#standings table").wait_for()
        for name, begins in files.items():
            link = page.locator("#standings").get_by_role("link", name=name)
            assert (
                page.context.request.get(f"{base}{link.get_attribute('href')}")
                .body()
                .lstrip(b"\xef\xbb\xbf")
                .startswith(begins)
            )
        page.locator("#standings").get_by_role("link", name="Back to the round").click()
        page.locator("#steps li").first.wait_for()
        page.goto(f"{base}/desk#standings")
        page.reload()
        until(page, "document.querySelector('#standings').getBoundingClientRect().top < innerHeight")
        for name in files:
            page.get_by_role("link", name=name, exact=True).wait_for()
