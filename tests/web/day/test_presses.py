"""A press counts once, a long word stays on the page, and no page asks for what is not there."""

import time
from pathlib import Path
from typing import Any

import pytest
from desk.cup import clock, seated

from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.players import Called, add_player, call_roll
from pipeline.desk.results.notes import enter_note
from pipeline.scoring.results import Ending
from web.driven import IN_CHROMIUM, desk, facts, served

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
        call_roll(event, 2, {Called.HERE: ("Ada",)}, by="Tess")
        enter_note(event, "award", {"award": "Best", "player": "Ada"}, by="Tess")
        end_game(event, find_game(event, "1.1"), Ending.ABANDONED, by="Tess", why="all went home")
    with served(folder) as server, desk(chromium, server.page) as tess:
        page, here = tess.page, f"http://127.0.0.1:{server.port}"
        page.goto(f"{here}/desk?round=1")
        page.locator("#games summary").first.click()
        page.click("[data-board='1.1'] >> text=votes and ends")
        page.get_by_role("button", name="it goes on after all…").click()
        sent = late(page, "/api/tables/undo")
        page.locator(".asked").get_by_role("button", name="take it back").dblclick()
        page.wait_for_selector("text=End the game")
        assert len(sent) == 1

        page.goto(f"{here}/notes")
        page.get_by_role("button", name="take back… number").click()
        sent = late(page, "/api/notes/undo")
        page.get_by_role("button", name="take it back").dblclick()
        page.wait_for_selector("#list >> text=nothing yet")
        assert len(sent) == 1

        page.goto(f"{here}/journal")
        page.locator("#lines li", has_text="roll call of round 2").get_by_role("button", name="take back…").click()
        sent = late(page, "/api/journal/undo")
        page.get_by_role("button", name="take it back").dblclick()
        page.wait_for_selector("#said >> text=is taken back")
        assert len(sent) == 1


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
