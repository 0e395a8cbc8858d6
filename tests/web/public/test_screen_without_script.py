"""The public screen on a television whose browser is old: each slide is in the page itself, and the page turns."""

import re
from pathlib import Path
from typing import Any

import pytest
from desk.cup import clock, seated
from desk.moot import drawn, play_on, played

from pipeline.board import Phase, Position, Power
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.publish.public_record import start_clock, stop_clock
from pipeline.ledger.events import StandingsOpened
from pipeline.web.app import HERE
from pipeline.web.public_pages import what_is_next
from pipeline.web.server import open_office
from pipeline.words.speech import Speech
from web.conftest import SEATS, Browser, Time
from web.driven import CHROMIUM, desk, served


@pytest.fixture
def pages(tmp_path: Path) -> list[str]:
    """Three slides, then the first again, as the television asks for them."""
    with open_event(drawn(tmp_path / "moot"), clock) as event:
        play_on(event, "1.1", "F1902M")
        event.facts.write(StandingsOpened(open=True), "Tess")
    with open_office(tmp_path / "moot", SEATS, is_lan=True, clock=Time()) as opened:
        beamer = Browser(opened, "beamer").client
        return [beamer.get(f"/screen?slide={number}").text for number in (0, 1, 2, 3, "x")]


def test_each_board_stands_in_the_page_and_the_page_goes_on_by_itself(pages: list[str]) -> None:
    assert "/live/map/1.1/S1902M" in pages[0]
    assert "<small>Spring 1902 Fall 1902</small>" in pages[0]
    assert re.search(r'<span class="sign">.</span><b>[AF] ', pages[0])
    assert "/live/map/1.2/now" in pages[1]
    assert "Hana Brandt" in pages[1]
    for number, page in enumerate(pages[:2]):
        assert f'<noscript><meta http-equiv="refresh" content="12; url=/screen?slide={number + 1}"></noscript>' in page
        assert f'data-next="{number + 1}"' in page
    assert "<small>If time were called now: not the final result</small>" in pages[2]
    assert "<b>Hana Brandt</b>" not in pages[2], "board 1.2 has no count yet"
    assert "/live/map/1.1/S1902M" in pages[3], "after the last comes the first"
    assert "/live/map/1.1/S1902M" in pages[4]


@pytest.mark.parametrize("is_open", [True, False])
def test_standings_that_are_open_are_the_last_slide(is_open: bool, tmp_path: Path) -> None:
    with open_event(played(tmp_path / "moot"), clock) as event:
        event.facts.write(StandingsOpened(open=is_open), "Tess")
    with open_office(tmp_path / "moot", SEATS, is_lan=True, clock=Time()) as opened:
        shown = [Browser(opened, "beamer").client.get(f"/screen?slide={number}").text for number in range(3)]
    titles = [re.findall(r'<h1 id="title">([^<]*)<', page)[0] for page in shown]
    assert titles == ["Board 1.1", "Board 1.2", "Standings" if is_open else "Board 1.1"]


def test_the_clock_stands_in_the_page_itself(tmp_path: Path) -> None:
    with open_event(drawn(tmp_path / "moot"), clock) as event:
        start_clock(event, "Fall 1901", (("orders", 900),), 300.0, "Tess")
        with open_office(tmp_path / "moot", SEATS, is_lan=True, clock=Time()) as opened:
            beamer = Browser(opened, "beamer").client
            running = beamer.get("/screen").text
            stop_clock(event, 300.0, "Tess")
            stopped = beamer.get("/screen").text
    assert re.search(r'<div id="part">Fall 1901 · orders until \d\d:\d\d</div>', running)
    assert '<div id="part">Fall 1901, stopped · orders 10:00 left</div>' in stopped


# what televisions of 2019 (Chrome 76) lack, where all is drawn, and older ones, where the page itself turns
LACKS = {
    "76": "delete Element.prototype.replaceChildren; delete Array.prototype.findLast",
    "68": "delete Array.prototype.flatMap",
}


@pytest.mark.parametrize("chrome", LACKS)
@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")
def test_on_a_television_that_knows_but_some_of_the_script_the_page_turns_and_the_clock_goes(
    chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chrome: str
) -> None:
    monkeypatch.setattr("pipeline.web.screen.SLIDE_S", 1)
    with open_event(drawn(tmp_path / "moot"), clock) as event:
        play_on(event, "1.1", "F1902M")
        start_clock(event, "Fall 1902", (("orders", 9000),), 0.0, "Tess")
    with served(tmp_path / "moot") as server, desk(chromium, server.page) as seat:
        seat.page.add_init_script(LACKS[chrome])
        seat.page.goto(f"http://127.0.0.1:{server.port}/screen")
        if chrome == "68":
            seat.page.wait_for_url("**/screen?slide=*", timeout=20_000)
        else:
            seat.page.wait_for_selector("#big:not(:empty)")


NEWER = r"\?\.[A-Za-z(\[]|\?\?|\|\|=|&&=|\.(?:at|findLast|replaceAll|hasOwn|randomUUID)\(|structuredClone|\bthis\.#"


@pytest.mark.parametrize("name", ["capture.js", "clock.js", "common.js", "kept.js", "live.js", "screen.js"])
def test_what_televisions_and_telephones_of_2019_run_has_nothing_newer(name: str) -> None:
    code = re.sub(r"(?<!:)//.*", "", (HERE / "static" / name).read_text("utf-8"))
    assert not re.findall(NEWER, code)


def test_what_is_next_names_powers_as_headings_do(tmp_path: Path) -> None:
    with open_event(seated(tmp_path / "cup"), clock) as event:
        owned = {Power.TURKEY: ("ANK",)}
        winter = Position(phase=Phase.read("W1901A"), units={}, centres=owned)
        assert what_is_next(find_game(event, "1.1"), winter, Speech("fr")) == ("Turquie construit 1",)


def test_before_seats_are_public_the_screen_says_so(tmp_path: Path) -> None:
    with open_office(seated(tmp_path / "cup"), SEATS, is_lan=True, clock=Time()) as opened:
        page = Browser(opened, "beamer").client.get("/screen").text
    assert "No seats are public yet. They appear here as soon as the director publishes them." in page


def test_what_turns_the_page_is_known_to_every_browser() -> None:
    script = (HERE / "static" / "old.js").read_text("utf-8")
    code = re.sub(r"//.*", "", script)
    for new in ("=>", "`", "?.", "??", "const ", "let ", "async"):
        assert new not in code
