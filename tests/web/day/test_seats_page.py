"""Seats by hand in a real browser: a seat is taken, two change places, a board is added, and all is taken back."""

import json
from pathlib import Path
from typing import Any

from commands import run
from desk.cup import clock
from desk.results.test_seats import LATE, cup_of
from facts_as_kept import read_facts

from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import seatings
from web.day.test_tables_browser import director
from web.driven import IN_CHROMIUM

pytestmark = list(IN_CHROMIUM)


def fill(page: Any, **values: str) -> None:
    """Fill the form and send it."""
    for name, value in values.items():
        field = page.locator(f"#field-{name}")
        if field.evaluate("each => each.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    page.get_by_role("button", name="enter it").click()


def bodies(folder: Path) -> list[tuple[str, str]]:
    with open_event(folder, clock) as event:
        return [(fact.kind, json.dumps(fact.body, sort_keys=True)) for fact in read_facts(event.facts)]


def test_seats_are_changed_on_the_page_as_by_command_and_taken_back(chromium: Any, tmp_path: Path) -> None:
    ours, theirs = cup_of(tmp_path / "a", "wdc2008"), cup_of(tmp_path / "b", "wdc2008")
    with open_event(ours, clock) as event:
        before = seatings(event)
    acts: list[list[str]] = [
        ["substitute", "1.1", "ITALY", "S1", "S1901"],
        ["swap", "Ada", "P9"],
        ["board", "1.3", *(word for line in LATE for word in ("--player", line)), "--ruled"],
    ]
    for words in acts:
        run("enter", ours, *words, "--why", "because", "--by", "Tess")
    with director(chromium, theirs, "/notes?what=substitute") as page:
        page.locator("#field-player").wait_for()
        fill(page, board="1.1", power="ITALY", player="S1", phase="S1901", why="because")
        page.wait_for_selector("#said >> text=in the journal")
        page.locator("#what").select_option("swap")
        page.locator("#field-other").wait_for()
        fill(page, player="Ada", other="P9", why="because")
        page.wait_for_selector("#list >> text=1.1 AUSTRIA P9 instead of Ada")
        page.locator("#what").select_option("board")
        fill(page, board="1.3", players="\n".join(LATE), why="because")
        page.wait_for_selector(".told-here >> text=S1 plays on 1.1 in this round, too")
        assert page.locator("#said").is_hidden(), "what was entered before is no news beside a refusal"
        fill(page, ruled="yes")
        page.wait_for_selector("#said.good >> text=✓")
        assert bodies(theirs) == bodies(ours)
        page.goto(page.url.split("/notes")[0] + "/journal")
        for _ in acts:
            page.wait_for_selector("#lines .number")
            line = page.locator("#lines > li:not(.back)").filter(has=page.get_by_label("take back…")).first
            line.get_by_label("take back…").click()
            line.locator("details input").fill("not so")
            line.get_by_role("button", name="take it back").click()
            page.wait_for_selector("#said >> text=is taken back")
            page.reload()
    with open_event(theirs, clock) as event:
        assert seatings(event) == before


def test_a_lot_is_entered_by_ticking_names_in_their_order(chromium: Any, tmp_path: Path) -> None:
    folder = cup_of(tmp_path / "a", "wdc2008")
    with director(chromium, folder, "/notes?what=lot&players=P9") as page:
        page.wait_for_selector(".names >> text=P9")
        page.get_by_label("Ada", exact=True).check()
        assert page.locator(".names legend span").inner_text().strip() == "P9, Ada"
        page.get_by_role("button", name="enter it").click()
        page.wait_for_selector("#said.good >> text=✓")
    with open_event(folder, clock) as event:
        names = {player.number: player.name for player in event.players}
        (lot,) = read_facts(event.facts, "lots drawn")
        assert [names[number] for number in lot.body["players"]] == ["P9", "Ada"]
