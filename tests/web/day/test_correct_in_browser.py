"""An order of last season is corrected in the browser, without a terminal."""

from pathlib import Path
from typing import Any

from desk.cup import clock, hand_in_all, printed

from pipeline.board import Power
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.publish.publish import publish
from pipeline.desk.sheets.printing import print_round
from pipeline.ledger.events import PhasePublished
from web.driven import IN_CHROMIUM, correct_vienna, desk, served

pytestmark = list(IN_CHROMIUM)


def test_an_order_of_last_season_is_corrected_and_the_correction_taken_back(chromium: Any, tmp_path: Path) -> None:
    folder = printed(tmp_path / "cup")
    with open_event(folder, clock) as event:
        hand_in_all(event)
        publish(event, "1", "Tess")
        print_round(event, 1, None, None, 0)
    with served(folder) as server, desk(chromium, server.page) as seat:
        page = seat.page
        correct_vienna(page, f"http://127.0.0.1:{server.port}")
        page.get_by_role("link", name="take it back").click()
        page.get_by_label("why these lines are taken back").fill("it was right")
        page.get_by_role("button", name="take them back").click()
        page.get_by_text("are taken back, written down as").wait_for()
    with open_event(folder, clock) as event:
        assert len(list(event.facts.select(PhasePublished))) == 2
        rows = find_game(event, "1").played[0].fact.said.rows[Power.AUSTRIA]
        assert "A VIE H" not in [row.order for row in rows]


def test_the_page_asks_again_where_no_answer_came(chromium: Any, tmp_path: Path) -> None:
    folder = printed(tmp_path / "cup")
    with open_event(folder, clock) as event:
        hand_in_all(event)
        publish(event, "1", "Tess")
    with served(folder) as server, desk(chromium, server.page) as seat:
        page = seat.page
        page.route("**/api/correct?*", lambda route: route.abort(), times=1)
        page.goto(f"http://127.0.0.1:{server.port}/correct?board=1.1")
        page.get_by_text("No answer from the desk").wait_for()
        page.get_by_label("Phase", exact=True).select_option("S1901M")
        page.get_by_text("Spring 1901 of board 1.1").first.wait_for()
        assert page.locator("#said").is_hidden()
