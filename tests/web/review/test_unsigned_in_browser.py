"""A sheet that is not signed, at the desk: what that may mean is offered first, and no key decides what is folded."""

from pathlib import Path
from typing import Any

from desk.cup import clock, hand_in, inked, printed, spring

from pipeline.board import Power
from pipeline.desk.event.event import open_event
from web.driven import GUARD_MS, IN_CHROMIUM, desk, facts, served

pytestmark = list(IN_CHROMIUM)


def test_what_a_missing_signature_may_mean_stands_first_and_the_rest_is_folded(chromium: Any, tmp_path: Path) -> None:
    folder = printed(tmp_path / "cup")
    with open_event(folder, clock) as event:
        hand_in(event, spring(Power.FRANCE), [inked(1, "A PAR - BUR")], sha256="c" * 64, signed=False)
    with served(folder) as server, desk(chromium, server.page) as seat:
        page = seat.page
        page.goto(f"http://127.0.0.1:{server.port}/")
        page.wait_for_selector("body[data-kind=sheet]")
        assert page.locator("#choices .choice:visible kbd").all_inner_texts() == ["A", "W", "R", "K"]
        page.get_by_role("heading", name="France: the sheet is not signed").wait_for()
        page.wait_for_timeout(GUARD_MS + 200)
        page.keyboard.press("l")
        assert facts(folder, "sheet ruling") == []
        page.locator("#choices summary", has_text="Late").click()
        assert page.locator("#choices .choice:visible").count() == 10
        page.locator("#choices summary", has_text="Late").click()
        page.keyboard.press("w")
        page.get_by_text("Every sheet without a signature is accepted").wait_for()
