"""What *Round* and *Review* say of the boards, and where the button of a board leads."""

import re
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from desk.cup import clock, hand_in_all, hand_in_sheet, inked, printed, seated, sheets_of, spring
from desk.moot import drawn

from pipeline.board import Power
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.publish.dutchmen import set_position
from pipeline.desk.publish.publish import publish
from pipeline.desk.ruling.rulings import rule_sheet
from pipeline.desk.sheets.printing import print_round
from pipeline.ledger.parts import SheetDecision
from pipeline.orders import read_position
from web.driven import IN_CHROMIUM, desk, section, served

pytestmark = list(IN_CHROMIUM)


def test_spot_checks_come_before_a_board_is_published_also_where_nothing_was_doubtful(
    chromium: Any, tmp_path: Path
) -> None:
    with open_event(printed(tmp_path / "cup"), clock) as event:
        hand_in_all(event)
    with served(tmp_path / "cup") as server, desk(chromium, server.page) as tess:
        page = tess.page
        page.goto(f"{server.page.split('/door')[0]}/desk")
        page.get_by_role("link", name="Spot-check 1 row").wait_for()
        page.get_by_role("link", name="Look at Spring 1901 and publish").click()
        tess.shown()
        assert tess.kind() == "check"
        tess.press("Enter")
        assert tess.kind() == "ready"


@pytest.mark.parametrize(
    ("now", "state", "buttons", "leads_to"),
    [
        ("unprinted", "", ["Settle 1", "Print Fall 1901"], ""),
        ("winter", "", ["Settle 1", "Enter the builds and disbands", "Print the sheets"], "entry"),
        ("ready", "Everything of Fall 1901 is in and settled", ["Look at Fall 1901 and publish", "Settle 1"], "ready"),
    ],
)
def test_while_a_late_sheet_waits_what_is_due_has_a_button_beside_it(
    chromium: Any, tmp_path: Path, now: str, state: str, buttons: list[str], leads_to: str
) -> None:
    with open_event(printed(tmp_path / "cup"), clock) as event:
        hand_in_all(event)
        print_round(event, 1)
        publish(event, "1", "Tess")
        late = sheets_of(event, spring(Power.AUSTRIA))[1]
        hand_in_sheet(event, late, [inked(1, "A VIE H")], "e" * 64)
        fall = find_game(event, "1.1").position.phase
        for power in Power if now != "unprinted" else ():
            rule_sheet(event, Turn("1.1", fall, power), SheetDecision.NO_ORDERS, by="Tess")
        if now == "winter":
            publish(event, "1", "Tess")
    with served(tmp_path / "cup") as server, desk(chromium, server.page) as tess:
        page, round_page = tess.page, f"{server.page.split('/door')[0]}/desk"
        page.goto(round_page)
        board = section(page, "games").locator("[data-board='1.1']")
        acts = board.locator(".next-act > *")
        acts.first.wait_for()
        assert acts.all_inner_texts() == buttons
        assert state in board.inner_text()
        board.get_by_role("link", name="Settle 1").click()
        tess.shown()
        assert tess.kind() == "page", "the late sheet"
        page.goto(round_page)
        section(page, "games")
        if leads_to:
            board.get_by_role("link", name=re.compile("^(Enter|Look)")).click()
            tess.shown()
            assert tess.kind() == leads_to
            return
        with page.expect_popup():
            board.get_by_role("button", name="Print Fall 1901").click()
        board.get_by_role("button", name="Print Fall 1901").wait_for(state="detached")


def test_a_sheet_is_missing_only_where_one_was_printed(chromium: Any, tmp_path: Path) -> None:
    seated(tmp_path / "cup")
    with served(tmp_path / "cup") as server, desk(chromium, server.page) as tess:
        page, base = tess.page, server.page.split("/door")[0]
        page.goto(f"{base}/desk")
        section(page, "games")
        words = page.locator("#games summary .word")
        assert words.inner_text() == "1 board"
        page.goto(f"{base}/")
        tess.shown()
        assert page.inner_text("#left") == "0 to settle"
        page.goto(f"{base}/desk")
        section(page, "games")
        with page.expect_popup():
            page.get_by_role("button", name="Print Spring 1901").click()
        page.locator("#games summary .word", has_text="7 sheets missing · 1 board").wait_for()
        page.goto(f"{base}/")
        tess.shown()
        assert page.inner_text("#left") == "0 to settle · 7 sheets missing"


def test_a_winter_of_one_build_is_printed_on_half_a_page_beside_the_sheets_of_another_board(
    chromium: Any, tmp_path: Path
) -> None:
    with open_event(drawn(tmp_path / "cup"), clock) as event:
        game = find_game(event, "1.2")
        winter = {"phase": "W1901A", "units": {"ITALY": ["F NAP"]}, "centers": {"ITALY": ["NAP", "ROM"]}}
        set_position(event, game, read_position(winter, game.map), "Tess", "a test")
    with served(tmp_path / "cup") as server, desk(chromium, server.page) as tess:
        page, base = tess.page, server.page.split("/door")[0]
        page.goto(f"{base}/desk")
        winter_board = section(page, "games").locator("[data-board='1.2']")
        winter_board.get_by_role("link", name="Enter the builds and disbands").wait_for()
        winter_board.get_by_role("button", name="Print the sheets").wait_for()
        with page.expect_popup():
            page.get_by_role("button", name="Print what 2 boards need now: 8 sheets").click()
        page.get_by_text("✓ 8 sheets; 1 on half a page: cut them apart").wait_for()
        pdf = page.context.request.get(base + page.get_by_role("link", name="Open the sheets").get_attribute("href"))
        with pypdfium2.PdfDocument(pdf.body()) as document:
            widths = [round(leaf.get_width() / 72 * 25.4) for leaf in document]
        assert widths == [210] * 7 + [296], "an A4 page lies across for two halves"
        winter_board.get_by_role("button", name="Scan").wait_for()
        assert not winter_board.get_by_role("link", name="Enter the builds").count(), "what is printed comes on paper"
        printed = section(page, "print").locator("li")
        assert [text.split(" · ")[0] for text in printed.all_inner_texts()] == [
            "7 sheets for board 1.1, Spring 1901",
            "1 sheet for board 1.2, Winter 1901 adjustments",
        ]
        section(page, "print").get_by_text("Another design, one board").click()
        assert page.get_by_label("Retreats and winters on half a page").is_checked()
        page.get_by_label("Retreats and winters on half a page").uncheck()
        page.get_by_label("board", exact=True).select_option("1.2")
        with page.expect_popup():
            page.get_by_role("button", name="Print these").click()
        page.get_by_text("✓ 1 sheet; it is").wait_for()
