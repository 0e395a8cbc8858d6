"""What *Round* and *Review* say of the boards, and where the button of a board leads."""

from pathlib import Path
from typing import Any

from desk.cup import clock, hand_in_all, printed, seated

from pipeline.desk.event.event import open_event
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
