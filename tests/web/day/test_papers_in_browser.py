"""Papers beside the sheets: each is a link on the page of the round, and opens."""

from pathlib import Path
from typing import Any

from desk.cup import clock
from desk.moot import drawn, play_on

from pipeline.desk.event.event import open_event
from pipeline.ledger.events import StandingsOpened
from web.driven import IN_CHROMIUM, desk, section, started

pytestmark = list(IN_CHROMIUM)


def read(page: Any, base: str, link: Any) -> bytes:
    """What a link leads to."""
    answer = page.context.request.get(base + link.get_attribute("href"))
    assert answer.status == 200, answer.text()
    content: bytes = answer.body()
    return content


def test_place_cards_badges_and_a_text_are_printed_on_the_page(chromium: Any, tmp_path: Path) -> None:
    folder = drawn(tmp_path / "moot")
    with open_event(folder, clock) as event:
        play_on(event, "1.1", "F1902M")
        event.facts.write(StandingsOpened(open=True), "Tess")
    with started(tmp_path, "desk", str(folder)) as link, desk(chromium, link) as seat:
        page, base = seat.page, "/".join(link.split("/")[:3])
        page.goto(f"{base}/desk")
        settings = section(page, "settings")
        settings.get_by_label("a text on the screen, and to hang up").fill("Lunch at 12:30")
        settings.get_by_label("a text on the screen, and to hang up").press("Enter")
        page.get_by_text("is changed in event.toml").wait_for()
        assert page.evaluate("scrollY") > 0
        assert page.locator("#said").bounding_box()["y"] >= 0, "what became of a press is in sight"
        papers = section(page, "print")
        papers.get_by_text("Place cards, badges, a text to hang up").click()
        for words in ("Place cards", "Badges for everybody", "The text on the screen, as large as a page"):
            assert read(page, base, papers.get_by_role("link", name=words, exact=True)).startswith(b"%PDF"), words
        standings = section(page, "standings")
        standings.get_by_text("If time were called now; a list with decimal commas").click()
        for words, begins in (
            ("Workbook, if time were called now", b"PK"),
            ("To pin up, if time were called now", b"%PDF"),
        ):
            assert read(page, base, standings.get_by_role("link", name=words)).startswith(begins), words
        listed = read(page, base, standings.get_by_role("link", name="List with semicolons and decimal commas"))
        assert ";" in listed.decode("utf-8-sig").splitlines()[0]
