"""A stranger tries the sample event: he plays a year without printer and pen, by the buttons of its pages alone."""

from pathlib import Path
from typing import Any

from desk.cup import clock

from pipeline.board import Step
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import games
from pipeline.desk.sheets.printed import printed_sheets
from web.driven import IN_CHROMIUM, Desk, desk, started

pytestmark = list(IN_CHROMIUM)

READING_MS = 240_000  # for all sheets of a board


def make_sample(page: Any, link: str) -> None:
    """Begin the sample event on the page of events, after a folder that holds none was typed, with Enter."""
    page.goto(f"{'/'.join(link.split('/')[:3])}/events")
    page.get_by_text("An event in another folder").click()
    page.get_by_label("folder", exact=True).press("Enter")
    page.get_by_text("No event here").wait_for()
    page.get_by_role("button", name="Try the sample event").click()
    page.wait_for_selector("#steps li")


def draw(page: Any) -> None:
    """Draw the round: the rules offer what becomes of the fifteenth player."""
    page.get_by_role("button", name="Draw round 1").click()
    page.get_by_role("button", name="Take this").first.click()
    page.wait_for_selector("#steps [data-step=draw] >> text=2 boards drawn")
    page.get_by_role("button", name="Tell everybody").click()


def play(seat: Desk, board: str) -> str:
    """Play what a board plays next: print, fill in, scan, settle, publish; the name of the phase."""
    page = seat.page
    card = page.locator(f"[data-board='{board}']")
    card.locator("h3").wait_for()
    phase: str = card.locator("h3").inner_text().split("·")[1].split("\n")[0].strip()
    with page.expect_popup():
        card.get_by_role("button", name="Print").click()
    card.get_by_role("button", name="Fill in the sheets").click()
    card.get_by_role("button", name="Scan what they wrote").click(timeout=READING_MS)
    card.get_by_role("link", name="Settle").or_(card.get_by_role("link", name="Publish")).click(timeout=READING_MS)
    while seat.shown() is not None and seat.kind() in ("row", "check", "sheet", "nothing"):
        if seat.kind() == "nothing":  # nobody is asked for a sheet while files are being read
            page.wait_for_selector("body:not([data-kind=nothing])", timeout=READING_MS)
        else:
            settle(seat)
    assert seat.kind() == "ready", seat.page.inner_text("main")
    page.wait_for_timeout(1500)  # the page takes no G so soon after it was painted
    seat.press("g")
    page.get_by_text(f"✓ Board {board} {phase} is published").wait_for(timeout=READING_MS)
    page.get_by_role("link", name="Round", exact=True).click()
    page.wait_for_selector("#steps li")
    return phase


def settle(seat: Desk) -> None:
    """Decide as a stranger does who presses what is offered first."""
    offered = seat.page.locator("#choices .choice kbd").all_inner_texts()
    seat.press("Enter" if "Enter" in offered or seat.kind() == "check" else offered[0])


def test_a_year_is_played_in_the_browser_without_printer_and_pen(chromium: Any, tmp_path: Path) -> None:
    with started(tmp_path, "desk", "--no-browser", "--port", "0", "--by", "Tess") as link, desk(chromium, link) as seat:
        page = seat.page
        page.set_default_timeout(30_000)
        make_sample(page, link)
        assert "The players are invented" in page.inner_text("#practice")
        draw(page)
        assert play(seat, "1.1") == "Spring 1901"
        while "1901" in page.locator("[data-board='1.1'] h3").inner_text():
            play(seat, "1.1")
        page.goto(f"{'/'.join(page.url.split('/')[:3])}/tables?board=1.1")
        page.get_by_role("button", name="End it…").first.click()
        page.locator("#asked").get_by_label("why").fill("practised enough")
        page.get_by_role("button", name="end it so").first.click()
        page.wait_for_selector("#games h2:has-text('over: time')")
    with open_event(tmp_path / "sample-event-1", clock) as event:
        game = games(event)["1.1"]
        assert game.ending
        assert len(game.played[0].fact.said.rows) == 7
        halves = {sheet.request.phase.step for sheet in printed_sheets(event).values() if sheet.template.name == "A5"}
        assert halves == {played.phase.step for played in game.played} - {Step.MOVEMENT}
