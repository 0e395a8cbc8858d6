"""A small event at the desk, its pages, and a browser at them: what is looked at, measured and driven in Chromium.

Two boards of people with long names: one has played a Spring and is in its Fall, one is asked about in its Spring.
"""

import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from web.driven import started

from pipeline.board import Power
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.games import find_game
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.people import Turn
from pipeline.desk.event.seating import seat_round
from pipeline.desk.players import tell_seats
from pipeline.desk.publish.public_record import start_clock
from pipeline.desk.publish.publish import publish
from pipeline.desk.results.notes import enter_note
from pipeline.desk.ruling.rulings import type_lines
from pipeline.desk.sheets.printing import print_round
from pipeline.draw.roster import Player
from pipeline.ledger.events import StandingsOpened
from pipeline.ledger.files import now

NAME = "The Ninth Great Southern Owl Moot of Lower Saxony"
FIRST = (
    "Ada",
    "Bo",
    "Cem",
    "Dag",
    "Eva",
    "Fay",
    "Gil",
    "Hal",
    "Ivy",
    "Jon",
    "Kai",
    "Lea",
    "Mia",
    "Maximiliane-Henriette",
)
NAMES = [f"{first} {last}" for first, last in zip(FIRST, ("von Hohenstaufen-Lindqvist", *"BCDEFGHJKLMNP"), strict=True)]
OPENINGS = {
    Power.AUSTRIA: ["A VIE - GAL", "A BUD - SER", "F TRI - ALB"],
    Power.ENGLAND: ["F LON - NTH", "F EDI - NWG", "A LVP - YOR"],
    Power.FRANCE: ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"],
    Power.GERMANY: ["F KIE - DEN", "A BER - KIE", "A MUN - BUR"],
    Power.ITALY: ["A VEN - TYR", "A ROM - VEN", "F NAP - ION"],
    Power.RUSSIA: ["A WAR - GAL", "A MOS - UKR", "F SEV - BLA", "F STP/SC - BOT"],
    Power.TURKEY: ["A CON - BUL", "A SMY - CON", "F ANK - BLA"],
}
DOUBTFUL = ["A VIE - B", "A BUD - SER", "F TRI - FIN"]
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome") or shutil.which("chrome")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
SETTLED_MS = 700  # a page has asked the server and painted what it said


def make_event(folder: Path) -> Path:
    """Make the event with its facts."""
    details = Details(name=NAME, code="WL26", tournament="weaselmoot", live_address="http://192.168.1.20:8040")
    make_event_folder(folder, details, [Player(name=name, club="Owls") for name in NAMES], now)
    with open_event(folder, now) as event:
        seats = {str(board): dict(zip(OPENINGS, NAMES[7 * board - 7 : 7 * board], strict=True)) for board in (1, 2)}
        seat_round(event, 1, seats, by="Tess")
        tell_seats(event, 1, "Tess")
        print_round(event, 1)
        for power, lines in OPENINGS.items():
            type_lines(event, turn_of(event, "1", power), lines, by="Tess")
        publish(event, "1.1", "Tess")
        type_lines(event, turn_of(event, "2", Power.AUSTRIA), DOUBTFUL, by="Tess")
        type_lines(event, turn_of(event, "2", Power.ENGLAND), OPENINGS[Power.ENGLAND], by="Tess")
        enter_note(
            event, "penalty", {"player": NAMES[2], "kind": "late", "points": "1"}, by="Tess", why="came after the draw"
        )
        event.facts.write(StandingsOpened(open=True), "Tess")
        start_clock(event, "Fall 1901", (("negotiation", 900), ("writing", 300)), 0.0, "Tess")
    return folder


def turn_of(event: Event, board: str, power: Power) -> Turn:
    """What a power writes on a board now."""
    game = find_game(event, board)
    return Turn(game.name, game.position.phase, power)


class BrowsedPage(Struct, frozen=True):
    """One page as somebody sees it."""

    name: str
    path: str
    then: Callable[[Any], None] = lambda page: None  # what he does there before he looks
    who: str = "Tess"  # nothing: a stranger, without a log-in


def keys(text: str) -> Callable[[Any], None]:
    """Press keys, a moment after the page was painted."""

    def press(page: Any) -> None:
        for key in text.split():
            page.wait_for_timeout(SETTLED_MS)
            page.keyboard.press(key)

    return press


def click(selector: str) -> Callable[[Any], None]:
    """Press the first of something."""
    return lambda page: page.locator(selector).first.click()


PAGES = (
    BrowsedPage("log-in", "/door", who=""),
    BrowsedPage("refused", "/nowhere"),
    BrowsedPage("events", "/events"),
    BrowsedPage("desk", "/desk"),
    BrowsedPage("desk-round-2", "/desk?round=2"),
    BrowsedPage("desk-player", "/desk", click("#roll summary, #roll .people button:last-of-type")),
    BrowsedPage("players", "/players"),
    BrowsedPage("more", "/players", click("header.nav summary")),
    BrowsedPage("review", "/"),
    BrowsedPage("review-typing", "/", keys("e")),
    BrowsedPage("review-boards", "/", keys("b")),
    BrowsedPage("review-sheet", "/", keys("k")),
    BrowsedPage("review-help", "/", keys("?")),
    BrowsedPage("tables", "/tables"),
    BrowsedPage("tables-end", "/tables", click("text=end it…")),
    BrowsedPage("tables-vote", "/tables/ask?board=1.1&power=FRANCE&moment=negotiation"),
    BrowsedPage("tables-position", "/tables/position?board=1.1"),
    BrowsedPage("notes", "/notes"),
    BrowsedPage("correct", "/correct"),
    BrowsedPage("journal", "/journal"),
    BrowsedPage("journal-undo", "/journal", click("text=take back… >> visible=true")),
    BrowsedPage("forms", "/forms"),
    BrowsedPage("clock", "/clock"),
    BrowsedPage("systems", "/systems"),
    BrowsedPage("upload", "/upload"),
    BrowsedPage("camera", "/capture"),
    BrowsedPage("room", "/room"),
    BrowsedPage("screen", "/screen"),
    BrowsedPage("screen-board", "/screen#1"),
    BrowsedPage("screen-standings", "/screen#2"),
    BrowsedPage("live", "/live", who=""),
    BrowsedPage("live-seat", "/live/seat?who=ada", who=""),
    BrowsedPage("live-nobody", "/live/seat?who=nobody+at+all", who=""),
    BrowsedPage("live-board", "/live/board/1.1", who=""),
    BrowsedPage("live-phase", "/live/board/1.1/S1901M", who=""),
    BrowsedPage("live-standings", "/live/standings", who=""),
    BrowsedPage("live-lost", "/live/board/9.9", who=""),
)


def served(folder: Path) -> AbstractContextManager[str]:
    """The desk of an event, as it is opened by the command; gives the director's link."""
    return started(folder.parent, "desk", str(folder), "--no-browser", "--port", "0", "--by", "Tess")


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser, or a plain word that there is none."""
    try:
        from playwright import sync_api  # noqa: PLC0415 - only who drives a browser needs it
    except ModuleNotFoundError:
        sys.exit("this needs the package playwright: pip install playwright")
    if CHROMIUM is None:
        sys.exit("this needs chromium on the path")
    with sync_api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


def log_in(browser: Any, link: str) -> tuple[Any, str]:
    """Come in by the link, which opens once; gives the director's cookies, and where the pages are."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(link)
    page.wait_for_timeout(SETTLED_MS)
    state, base = context.storage_state(), "/".join(page.url.split("/")[:3])
    context.close()
    return state, base


def visit(contexts: Mapping[bool, Any], base: str, wanted: BrowsedPage) -> Any:
    """A page, opened and settled, with what is done there: by the director, or by a stranger."""
    page = contexts[bool(wanted.who)].new_page()
    page.goto(f"{base}{wanted.path}")
    page.wait_for_timeout(SETTLED_MS)
    wanted.then(page)
    page.wait_for_timeout(SETTLED_MS)
    return page
