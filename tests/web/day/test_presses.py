"""A press counts once, a long word stays on the page, and no page asks for what is not there."""

import re
import time
from pathlib import Path
from typing import Any

import pytest
from desk.cup import clock, seated

from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.players import Called, add_player, enter_roll_call
from pipeline.desk.results.notes import enter_note
from pipeline.scoring.results import Ending
from web.driven import IN_CHROMIUM, desk, facts, served, stopped_clock

pytestmark = list(IN_CHROMIUM)


def late(page: Any, path: str) -> list[str]:
    """Answers to a path come late; gives the requests for it, as they are sent."""
    sent: list[str] = []

    def answer(route: Any) -> None:
        sent.append(route.request.url)
        time.sleep(0.3)
        route.continue_()

    page.route(f"**{path}", answer)
    return sent


def test_a_second_press_while_the_first_is_on_its_way_is_none(chromium: Any, tmp_path: Path) -> None:
    folder = seated(tmp_path / "cup")
    with open_event(folder, clock) as event:
        enter_roll_call(event, 2, {Called.HERE: ("Ada",)}, by="Tess")
        enter_note(event, "award", {"award": "Best", "player": "Ada"}, by="Tess")
        end_game(event, find_game(event, "1.1"), Ending.ABANDONED, by="Tess", why="all went home")
    with served(folder) as server, desk(chromium, server.page) as tess:
        page, here = tess.page, f"http://127.0.0.1:{server.port}"
        page.goto(f"{here}/desk?round=1")
        page.locator("#games summary").first.click()
        page.click("[data-board='1.1'] >> text=votes and ends")
        page.get_by_text("it goes on after all…").click()
        sent = late(page, "/api/tables/undo")
        page.locator(".asked").get_by_role("button", name="take it back").dblclick()
        page.wait_for_selector("text=End the game")
        assert len(sent) == 1

        page.goto(f"{here}/notes")
        page.get_by_label("take back… number").click()
        sent = late(page, "/api/notes/undo")
        page.get_by_role("button", name="take it back").dblclick()
        page.wait_for_selector("#list >> text=nothing yet")
        assert len(sent) == 1

        page.goto(f"{here}/journal")
        page.locator("#lines li", has_text="roll call of round 2").get_by_label("take back…").click()
        sent = late(page, "/api/journal/undo")
        page.get_by_role("button", name="take it back").dblclick()
        page.wait_for_selector("#said >> text=is taken back")
        assert len(sent) == 1


def press_twice(page: Any, words: str, *, keys: bool = False) -> None:
    """Two clicks on one spot, or two presses of Enter: whatever has the place or the focus by then gets the second."""
    button = (
        page.get_by_role("button", name=re.compile(f"^{re.escape(words)}$", re.I)).and_(page.locator(":visible")).first
    )
    button.scroll_into_view_if_needed()
    at = button.bounding_box()
    page.mouse.move(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
    with stopped_clock(page):  # the second one comes soon after the first, however busy the machine is
        for count in (1, 2):
            if keys and count == 1:
                button.press("Enter")
            elif keys:
                page.keyboard.press("Enter")
            else:
                page.mouse.down(click_count=count)
                page.mouse.up(click_count=count)
            page.wait_for_timeout(120)


def unfold(page: Any, section: str) -> None:
    """Open a section of the desk, unless it is open."""
    page.wait_for_selector("body[data-number]")
    if not page.locator(f"#{section} details").first.evaluate("each => each.open"):
        page.click(f"#{section} summary >> nth=0")


def ready_to_count(page: Any, here: str) -> None:
    """Fill in a vote that was counted by hand, up to its last press."""
    page.goto(f"{here}/tables?board=1.1")
    board = page.locator("#games section").first
    board.locator("summary", has_text="a vote on a draw").click()
    board.get_by_label("all agree to hold it").check()
    board.get_by_role("button", name="may it be held?").click()
    page.get_by_placeholder("why you rule so").fill("all want it")
    page.locator("summary", has_text="counted by hand").click()
    page.get_by_label("for the draw").fill("6")
    page.get_by_role("spinbutton", name="against it").fill("1")


@pytest.mark.parametrize("keys", [False, True])
def test_whatever_is_pressed_twice_is_done_once(chromium: Any, tmp_path: Path, *, keys: bool) -> None:
    folder = seated(tmp_path / "cup", tournament="nzdc1999")
    with served(folder) as server, desk(chromium, server.page) as tess:
        page, here = tess.page, f"http://127.0.0.1:{server.port}"
        page.set_default_timeout(6000)

        def done(kind: str, times: int = 1) -> int:
            for _ in range(100):  # the desk may be slow to answer, and a second answer would follow
                if len(facts(folder, kind)) < times:
                    page.wait_for_timeout(100)
            page.wait_for_timeout(300)
            return len(facts(folder, kind))

        page.goto(f"{here}/desk?round=2")
        unfold(page, "draw")
        press_twice(page, "draw round 2", keys=keys)
        press_twice(page, "draw it all the same", keys=keys)
        assert done("seated", 2) == 2
        unfold(page, "roll")
        page.get_by_label("name of who came").fill("Lund, Ada")
        press_twice(page, "add", keys=keys)
        assert done("player added") == 1
        page.wait_for_selector("[data-name='Ada Lund']")
        unfold(page, "seats")
        press_twice(page, "tell everybody", keys=keys)
        assert done("seats told") == 1

        page.goto(f"{here}/notes?what=penalty&kind=late&points=1")
        page.select_option("#field-player", "Ada")
        page.fill("#field-why", "came late")
        press_twice(page, "enter it", keys=keys)
        assert done("penalty entered") == 1

        other = page.context.new_page()
        for tab in (page, other):
            ready_to_count(tab, here)
        press_twice(page, "write the count down", keys=keys)
        assert done("vote held") == 1
        other.bring_to_front()
        other.get_by_role("button", name="write the count down").click()
        other.wait_for_selector("text=this has changed since it was shown; nothing was decided")
        assert "vote, number" in other.inner_text(".changed td >> nth=1")
        page.bring_to_front()
        page.goto(f"{here}/tables?board=1.1")
        page.get_by_text("take the last vote back…").first.click()
        press_twice(page, "take it back", keys=keys)
        assert done("vote undone") == 1

        page.get_by_label("how it ended").first.select_option("abandoned")
        page.get_by_role("button", name="end it…").first.click()
        page.locator("#asked").get_by_label("why").fill("all went home")
        press_twice(page, "I overrule that: end it so", keys=keys)
        assert done("game ended") == 1


def test_enter_before_the_drawn_round_is_shown_draws_no_other(chromium: Any, tmp_path: Path) -> None:
    folder = seated(tmp_path / "cup", tournament="nzdc1999")
    with served(folder) as server, desk(chromium, server.page) as tess:
        page = tess.page
        page.goto(f"http://127.0.0.1:{server.port}/desk?round=2")
        unfold(page, "draw")
        page.get_by_role("button", name="draw round 2").click()
        held: list[Any] = []
        page.wait_for_selector("text=draw it all the same")
        page.route("**/api/day?*", lambda answer: held.append(answer))  # noqa: PLW0108 - it marks its function
        page.get_by_role("button", name="draw it all the same").press("Enter")
        while not held:
            page.wait_for_timeout(50)
        page.keyboard.press("Enter")
        page.wait_for_timeout(300)
        for answer in held:
            answer.continue_()
        page.unroute("**/api/day?*")
        page.wait_for_selector("text=round 2 is drawn")
    assert len(facts(folder, "seated")) == 2


def test_enter_behind_a_name_adds_the_player(chromium: Any, tmp_path: Path) -> None:
    with served(seated(tmp_path / "cup")) as server, desk(chromium, server.page) as tess:
        page = tess.page
        page.goto(f"http://127.0.0.1:{server.port}/desk?round=2")
        page.get_by_label("name of who came").fill("Ian Oz")
        page.get_by_label("name of who came").press("Enter")
        page.wait_for_selector("[data-name='Ian Oz']")
        page.get_by_label("name of who came").fill("Oz, Ian")
        page.get_by_label("name of who came").press("Enter")
        page.wait_for_selector(".told-here >> text=is that Ian Oz, who is on the list?")
    assert len(facts(server.folder, "player added")) == 1


@pytest.mark.parametrize("width", [390, 1366])
def test_a_long_reason_and_a_long_name_stay_on_the_page(chromium: Any, tmp_path: Path, width: int) -> None:
    folder = seated(tmp_path / "cup")
    with open_event(folder, clock) as event:
        add_player(event, "N" * 88, {}, by="Tess")
        enter_note(event, "award", {"award": "Best", "player": "N" * 88}, by="Tess", why="w" * 400)
        values = {"board": "1.1", "power": "ITALY", "player": "N" * 88, "phase": "S1901"}
        enter_note(event, "substitute", values, by="Tess", why="w" * 400)
        end_game(event, find_game(event, "1.1"), Ending.ABANDONED, by="Tess", why="y" * 400)
    with served(folder) as server, desk(chromium, server.page) as tess:
        page, wide = tess.page, {}
        page.set_viewport_size({"width": width, "height": 800})
        for path in ("/desk", "/desk?round=2", "/tables", "/notes?what=board", "/journal", "/forms", "/upload"):
            page.goto(f"http://127.0.0.1:{server.port}{path}")
            page.wait_for_load_state("networkidle")
            page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
            wide[path] = page.evaluate("document.documentElement.scrollWidth")
        assert wide == dict.fromkeys(wide, width)


def test_no_page_asks_for_what_is_not_there(chromium: Any, tmp_path: Path) -> None:
    missing: list[str] = []
    with served(seated(tmp_path / "cup")) as server, desk(chromium, server.page) as tess:
        page = tess.page
        page.on("response", lambda answer: missing.append(answer.url) if answer.status >= 400 else None)
        for path in ("/desk", "/room", "/screen", "/tables"):
            page.goto(f"http://127.0.0.1:{server.port}{path}")
            page.wait_for_load_state("networkidle")
    assert missing == []
