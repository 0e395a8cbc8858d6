"""A whole event of 17 players in a real browser, from an empty folder to the standings, without one command."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pipeline.desk.draw.roll_call import Called, roll_call
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import games
from pipeline.desk.publish.check import check_event
from pipeline.ledger.clock import now
from web.driven import IN_CHROMIUM, Desk, desk, facts

pytestmark = list(IN_CHROMIUM)

FIRST = "Ada Bo Cem Dag Eva Fay Gil Hal Ivy Jon Kai Lea Mia Ned Oda Pat Quinn"
NAMES = [f"{first} {'ABCDEFGHJKLMNOPQR'[at]}ey" for at, first in enumerate(FIRST.split())]


@contextmanager
def started(folder: Path) -> Iterator[str]:
    """The program as it is started without words, in an empty folder; gives the link that it shows."""
    here = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    own = here | {"XDG_CONFIG_HOME": str(folder / "own")}
    command = [sys.executable, "-u", "-m", "pipeline"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, cwd=folder, env=own
    )
    assert process.stdout is not None
    said = ""
    try:
        for line in process.stdout:
            said += line
            if "Ctrl-C" in line:
                break
        yield re.findall(r"http\S+", said)[0]
    finally:
        process.terminate()
        process.wait(20)
        process.stdout.close()


def step(page: Any, name: str) -> str:
    """A step's state in a word, as it stands on the page."""
    return str(page.inner_text(f"#steps [data-step={name}] small"))


def to_desk(page: Any) -> None:
    page.goto(f"{page.url.split('/', 3)[0]}//{page.url.split('/', 3)[2]}/desk")
    page.wait_for_selector("#steps li")


def make(page: Any) -> None:
    """A new event by pasting a roster that has a column of its own."""
    page.get_by_label("your name").fill("Tess Day")
    page.get_by_role("button", name="that is me").click()
    page.wait_for_selector("text=signed Tess Day")
    page.get_by_label("name of the event").fill("The Owl Cup")
    page.locator("[data-tournament=weaselmoot]").click()
    wrong = "\n".join(f"{name}\tx@owl.org" for name in [*NAMES, "ada aey"])
    page.get_by_label("the players").fill(f"Name\tE-mail\n{wrong}")
    page.get_by_role("button", name="make the event").click()
    page.wait_for_selector(".faults li")
    assert "row 19: 'ada aey' stands twice" in page.inner_text(".faults")
    page.get_by_label("the players").fill("Name\tE-mail\n" + "\n".join(f"{name}\tx@owl.org" for name in NAMES))
    page.get_by_role("button", name="look at the list").click()
    page.wait_for_selector(".kept li")
    assert "'E-mail' is kept" in page.inner_text(".kept")
    page.get_by_role("button", name="make the event").click()
    page.wait_for_url("**/desk")
    page.wait_for_selector("#steps li")


def call(page: Any) -> None:
    """Quinn comes later, Pat has gone home, all others are here."""
    page.get_by_label("Quinn Rey: comes later").click()
    page.wait_for_selector("[aria-label='Quinn Rey: comes later'][aria-pressed=true]")
    page.get_by_label("Pat Qey: more").click()
    page.get_by_role("button", name="has gone home").click()
    page.wait_for_selector("[data-name='Pat Qey'] >> text=has gone home")
    page.locator("#roll .row").get_by_role("button", name="✓ here").click()
    page.wait_for_selector("#steps [data-step=roll] >> text=15 here, 1 later")


def draw(page: Any) -> None:
    """One too many: the rules offer that somebody stands down, and Oda does; her first name is enough."""
    page.get_by_role("button", name="draw round 1").click()
    page.locator("[data-way=volunteers] input").fill("oda")
    assert "1 too many, or 6 too few" in page.inner_text("#asked")
    page.locator("[data-way=volunteers]").get_by_role("button", name="these").click()
    page.wait_for_selector("#steps [data-step=draw] >> text=2 boards drawn")
    seats = page.inner_text("#seats")
    assert all(name in seats for name in NAMES[:14])
    assert not [name for name in NAMES[14:] if name in seats]


def print_sheets(page: Any) -> None:
    """The sheets are a PDF in another tab, the seats too."""
    with page.context.expect_page() as opened:
        page.get_by_role("button", name="print what round 1 needs now").click()
    page.wait_for_selector("#steps [data-step=print] >> text=printed")
    for address in (opened.value.url, page.get_by_role("link", name="print them").get_attribute("href")):
        url = address if address.startswith("http") else f"{page.url.rsplit('/', 1)[0]}{address}"
        answer = page.context.request.get(url)
        assert answer.headers["content-type"] == "application/pdf"
        assert answer.body().startswith(b"%PDF")
    opened.value.close()


def type_all(page: Any, review: Desk) -> None:
    """Every unit of every power holds, typed; then each board is looked at and published."""
    for left in range(14, 0, -1):
        to_desk(page)
        assert step(page, "scan") == f"{14 - left} of 14 in"
        page.get_by_role("link", name="type orders").first.click()
        page.wait_for_selector(".keying input")
        for line in page.locator(".keying input").all()[:-1]:
            line.fill(f"{line.input_value()} H")
        page.locator(".keying input").first.press("Control+Enter")
        page.wait_for_selector("#said.good")
    for board in ("1.1", "1.2"):
        to_desk(page)
        page.locator(f"[data-board='{board}']").get_by_role("link", name="look at it and publish").click()
        page.wait_for_selector(".gate")
        page.wait_for_timeout(800)  # it takes no G so soon after it was painted
        page.keyboard.press("g")
        page.wait_for_selector("#published:not([hidden])")


def end_all(page: Any) -> None:
    """Time is called at both boards."""
    for left in (2, 1):
        to_desk(page)
        page.locator("#games").get_by_role("link", name="vote or end").first.click()
        game = page.locator("#games section", has=page.locator("fieldset")).first
        game.get_by_label("how it ended").select_option("time")
        game.get_by_role("button", name="end it…").click()
        game.locator(".asked input").fill("the hall closes")
        game.locator(".asked button.main").click()
        page.locator("#games h2", has_text="over: time was called").nth(2 - left).wait_for()


def test_seventeen_players_from_an_empty_folder_to_the_standings_without_a_command(
    chromium: Any, tmp_path: Path
) -> None:
    with started(tmp_path) as link, desk(chromium, link) as tess:
        page = tess.page
        page.wait_for_selector("#new button.main")
        make(page)
        call(page)
        draw(page)
        print_sheets(page)
        type_all(page, tess)
        end_all(page)
        to_desk(page)
        assert page.get_attribute("body", "data-round") == "2", "the next round is offered"
        page.get_by_role("button", name="round 1").first.click()
        page.wait_for_selector("body[data-round='1']")
        assert step(page, "end") == "all games are over"
        page.get_by_role("link", name="show them", exact=True).click()
        page.get_by_role("button", name="show them here").click()
        places = page.inner_text("#standings table")
        assert sum(name in places for name in NAMES) >= 14
        book = page.context.request.get(f"{link.split('/door')[0]}/print/standings.xlsx")
        assert book.body().startswith(b"PK")
    folder = tmp_path / "the-owl-cup"
    with open_event(folder, now) as event:
        assert [game.ended for game in games(event).values()] == ["time", "time"]
        assert roll_call(event, 1).those(Called.LATER, Called.GONE) == ("Pat Qey", "Quinn Rey")
        assert event.players[0].more == (("E-mail", "x@owl.org"),)
        assert not list(check_event(event))
        signed = {fact.by for fact in event.facts.read() if fact.kind in ("roll called", "seated", "published")}
        assert signed == {"Tess Day"}
    assert len(facts(folder, "lines typed")) == 14


def test_a_lot_is_drawn_openly_after_a_reload_and_a_seat_is_taken_over(chromium: Any, tmp_path: Path) -> None:
    with started(tmp_path) as link, desk(chromium, link) as tess:
        page = tess.page
        page.wait_for_selector("#new button.main")
        page.get_by_label("name of the event").fill("Lot Cup")
        page.locator("[data-tournament=edc2023]").click()
        page.get_by_label("the players").fill("name,distance_km\n" + "\n".join(f"{name},10" for name in NAMES[:9]))
        page.get_by_role("button", name="make the event").click()
        page.wait_for_url("**/desk")
        page.get_by_role("button", name="draw round 1").click()
        page.locator("[data-way=leave-out]").get_by_role("button", name="take this").click()
        page.wait_for_selector("#drawing .hash")
        sealed = page.inner_text("#drawing .hash")
        page.reload()
        page.wait_for_selector(f"#drawing .hash >> text={sealed}")
        page.get_by_label("the word that was called").fill("apple")
        page.get_by_role("button", name="draw the lot").click()
        page.wait_for_selector("#steps [data-step=draw] >> text=1 board drawn")
        seats = page.inner_text("#seats")
        gone, comes = (next(name for name in NAMES[:9] if (name in seats) is sits) for sits in (True, False))
        page.locator("#roll summary").click()
        page.get_by_label(f"{gone}: more").click()
        row = page.locator(f"[data-name='{gone}']")
        row.locator("input[list]").fill(comes.split()[0])
        row.get_by_label("why").fill("ill")
        row.get_by_role("button", name="take the seat").click()
        page.wait_for_selector(f"#seats >> text={comes}")
        assert gone not in page.inner_text("#seats")
    assert len(facts(tmp_path / "lot-cup", "lot drawn")) == 1
    assert len(facts(tmp_path / "lot-cup", "player replaced")) == 1
