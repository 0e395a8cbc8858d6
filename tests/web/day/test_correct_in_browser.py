"""An order of last season is corrected in the browser, without a terminal."""

from pathlib import Path
from typing import Any

import pytest
from desk.cup import clock, hand_in_all, printed, seated, spring
from desk.publish.test_correct import play, weasel_winter

from pipeline.board import Phase, Power
from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.publish.publish import publish
from pipeline.desk.ruling.rulings import RowDecision, rule_row
from pipeline.desk.sheets.printing import print_round
from pipeline.ledger.events import PhasePublished, SheetsPrinted
from pipeline.scoring.results import Ending
from web.driven import IN_CHROMIUM, correct_vienna, desk, served

pytestmark = list(IN_CHROMIUM)


def test_an_order_of_last_season_is_corrected_and_the_correction_taken_back(chromium: Any, tmp_path: Path) -> None:
    folder = printed(tmp_path / "cup")
    with open_event(folder, clock) as event:
        hand_in_all(event)
        publish(event, "1", "Tess")
        print_round(event, 1)
    with served(folder) as server, desk(chromium, server.page) as seat:
        page = seat.page
        base = f"http://127.0.0.1:{server.port}"
        correct_vienna(page, base)
        back = page.get_by_role("link", name="take it back").get_attribute("href")
        assert page.locator("#said").get_by_role("link", name="its card").count() == 1
        page.get_by_role("link", name="To the round", exact=True).click()
        page.get_by_text("Spring 1901 was published anew: collect what hangs").wait_for()
        page.get_by_text("since the sheets were printed: collect and print anew for Russia").wait_for()
        for name in ("its card", "its map", "Card"):
            url = page.get_by_role("link", name=name, exact=True).get_attribute("href")
            assert page.context.request.get(f"{base}{url}").headers["content-type"] == "application/pdf"
        page.goto(f"{base}{back}")
        page.get_by_label("why these lines are taken back").fill("it was right")
        page.get_by_role("button", name="take them back").click()
        page.get_by_text("are taken back, written down as").wait_for()
        page.goto(f"{base}/desk")
        page.get_by_text("Spring 1901 counts as it was before: collect what hangs").wait_for()
        assert page.get_by_text("collect and print anew").count() == 0, "the units stand as on the sheets again"
    with open_event(folder, clock) as event:
        assert len(list(event.facts.select(PhasePublished))) == 2
        rows = find_game(event, "1").played[0].fact.said.rows[Power.AUSTRIA]
        assert "A VIE H" not in [row.order for row in rows]


def test_what_is_opened_while_another_phase_is_fetched_is_not_lost(chromium: Any, tmp_path: Path) -> None:
    folder = printed(tmp_path / "cup")
    with open_event(folder, clock) as event:
        hand_in_all(event)
        publish(event, "1", "Tess")
    with served(folder) as server, desk(chromium, server.page) as seat:
        page = seat.page
        page.goto(f"http://127.0.0.1:{server.port}/correct")
        page.locator("details[data-power=AUSTRIA] summary").click()

        def late(route: Any) -> None:
            page.wait_for_timeout(700)
            route.continue_()

        page.route("**/api/correct/look", late)
        page.get_by_label("Phase", exact=True).select_option("S1901M")
        page.locator("[data-power=AUSTRIA] li[data-line='1']").get_by_role("button", name="Why?").click()
        page.wait_for_timeout(1500)
        assert page.locator("[data-power=AUSTRIA] dl").is_visible()


@pytest.mark.parametrize("is_on_round", [False, True], ids=["correct", "round"])
def test_after_a_correction_the_sheet_of_one_power_is_printed_alone(
    chromium: Any, tmp_path: Path, is_on_round: bool
) -> None:
    folder = printed(tmp_path / "cup")
    with open_event(folder, clock) as event:
        hand_in_all(event)
        publish(event, "1", "Tess")
        print_round(event, 1)
    with served(folder) as server, desk(chromium, server.page) as seat:
        page = seat.page
        correct_vienna(page, f"http://127.0.0.1:{server.port}")
        if is_on_round:
            page.get_by_role("link", name="To the round", exact=True).click()
        with page.expect_popup():
            page.get_by_role("button", name="Print Russia anew", exact=True).click()
        if is_on_round:
            page.get_by_text("1 sheet; it is open in another tab").wait_for()
        else:
            page.get_by_role("link", name="Open the sheet").wait_for()
        page.goto(f"http://127.0.0.1:{server.port}/desk")
        page.wait_for_selector("#steps li")
        assert page.get_by_text("collect and print anew").count() == 0
    with open_event(folder, clock) as event:
        *_, newest = event.facts.select(SheetsPrinted)
        assert [(sheet.power, str(sheet.phase)) for sheet in newest.said.sheets] == [(Power.RUSSIA, "F1901M")]


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
        page.get_by_text("Spring 1901 of board 1.1").first.wait_for()
        assert page.locator("#phase").input_value() == "S1901M", "what was published last"
        page.locator("#said").wait_for(state="hidden")


def test_of_a_board_that_is_over_no_next_phase_is_said(chromium: Any, tmp_path: Path) -> None:
    folder = printed(tmp_path / "cup")
    with open_event(folder, clock) as event:
        hand_in_all(event)
        publish(event, "1", "Tess")
        end_game(event, find_game(event, "1"), Ending.TIME, by="Tess", why="late")
    with served(folder) as server, desk(chromium, server.page) as seat:
        page = seat.page
        page.goto(f"http://127.0.0.1:{server.port}/correct?board=1.1&phase=S1901M&power=AUSTRIA")
        page.get_by_role("button", name="change line 1 of Austria").click()
        page.get_by_label("the order that line 1 of Austria gives").select_option("A VIE H")
        page.get_by_role("button", name="take this").click()
        page.get_by_text("RUSSIA units after it: loses A WAR; gains A GAL; keeps").wait_for()
        assert page.locator("#found input:checked").count() == 0
        assert page.get_by_role("button", name="Say first when the error was found").is_disabled()
        assert page.get_by_text("The board is in").count() == 0


def test_rules_that_let_an_error_stand_are_said_not_to_correct_it(chromium: Any, tmp_path: Path) -> None:
    folder = seated(tmp_path / "cup", tournament="edc2023")
    with open_event(folder, clock) as event:
        weasel_winter(event)
    with served(folder) as server, desk(chromium, server.page) as seat:
        seat.page.goto(f"http://127.0.0.1:{server.port}/correct?board=1.1&phase=F1902M&power=ITALY")
        seat.page.get_by_text("Your rules would not correct it: it stands (EDC23 R13)").wait_for()
        assert seat.page.get_by_role("button", name="Correct it").is_visible(), "the director may overrule them"


def test_where_a_later_phase_is_published_nothing_is_corrected_before_it_is_said_when_it_was_found(
    chromium: Any, tmp_path: Path
) -> None:
    folder = seated(tmp_path / "cup")
    with open_event(folder, clock) as event:
        weasel_winter(event)
    with served(folder) as server, desk(chromium, server.page) as seat:
        page = seat.page
        page.goto(f"http://127.0.0.1:{server.port}/correct?board=1.1&phase=F1902M&power=ITALY")
        page.get_by_text("Say below when the error was found").wait_for()
        assert page.locator("#powers > details[open]").evaluate_all("all => all.map((each) => each.dataset.power)") == [
            "ITALY"
        ]
        before, after = page.get_by_label("Before the next deadline"), page.get_by_label("After the next deadline")
        does = page.get_by_role("button", name="Correct it")
        page.get_by_label("Reason, kept in the journal").fill("misread")
        assert not before.is_checked()
        assert not after.is_checked()
        assert does.count() == 0
        after.check()
        page.get_by_text("Your rules leave it to you").wait_for()
        before.check()
        page.get_by_text("Your rules correct it").wait_for()
        does.click()
        page.get_by_role("link", name="take it back").wait_for()


def test_sheets_of_a_later_phase_that_are_read_again_are_to_be_looked_at_before_it_is_corrected(
    chromium: Any, tmp_path: Path
) -> None:
    folder = printed(tmp_path / "cup")
    with open_event(folder, clock) as event:
        hand_in_all(event)
        rule_row(event, spring(Power.AUSTRIA), 1, RowDecision(order="A VIE H"), "Tess")
        publish(event, "1", "Tess")
        play(event, AUSTRIA=("A VIE - TYR",))
        fall = Turn("1.1", Phase.read("F1901M"), Power.AUSTRIA)
        rule_row(event, fall, 1, RowDecision(text="Boh - Gal"), "Tess")
        rule_row(event, spring(Power.AUSTRIA), 1, RowDecision(order="A VIE - BOH", why="misheard"), "Tess")
    with served(folder) as server, desk(chromium, server.page) as seat:
        page = seat.page
        page.goto(f"http://127.0.0.1:{server.port}/correct?board=1.1&phase=S1901M")
        page.get_by_text("Sheet of Austria: line 1").wait_for()
        page.fill("#why", "misheard")
        page.get_by_role("button", name="Correct it").click()
        assert page.locator("#looked input:invalid").count() == 1, "nothing is corrected before it is ticked"
        page.get_by_label("I have looked at the sheets").check()
        page.get_by_role("button", name="Correct it").click()
        page.get_by_text("written down as number").wait_for()
    with open_event(folder, clock) as event:
        assert len(list(event.facts.select(PhasePublished))) == 4
