"""The public screen on projectors of every size: one slide, no order in two lines, map and orders side by side."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from desk.cup import clock
from desk.moot import PEOPLE, draw, drawn, play_on

from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import open_event
from pipeline.desk.players import tell_seats
from pipeline.desk.publish.public_record import start_clock
from pipeline.ledger.events import StandingsOpened
from pipeline.scoring.results import Ending
from pipeline.web.server import open_office
from web.conftest import SEATS, Browser, Time
from web.driven import IN_CHROMIUM, Served, desk, served, slide_of

pytestmark = list(IN_CHROMIUM)

SIZES = ((1280, 720), (1920, 1080), (3840, 2160))
LEAST_SHARE = (
    0.012  # of the picture's height: capitals of 13 mm in a picture of 1.1 m, 4.6 minutes of arc at ten metres
)
MEASURE = """() => {
  const box = (node) => { const b = node.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; };
  const all = (what) => [...document.querySelectorAll(what)], page = document.documentElement;
  const letters = (node) => parseFloat(getComputedStyle(node).fontSize);
  return {
    page: [page.scrollWidth, page.scrollHeight],
    title: document.getElementById("title").textContent,
    orders: all(".orders p:not(.next)").map((p) => [p.getClientRects().length, p.offsetHeight / letters(p), ...box(p)]),
    letters: all(".fit p, .fit h2").map(letters),
    beside: all(".orders p:not(.next)").map((p) => p.scrollWidth - p.clientWidth),
    over: all(".fit").map((n) => [n.scrollWidth - n.clientWidth, n.scrollHeight - n.clientHeight]),
    map: all(".map").map(box)[0] ?? null, text: document.body.innerText,
    paper: getComputedStyle(document.body).backgroundColor,
  };
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One board in its sixth year, seats of the next round told, the standings open."""
    folder = drawn(tmp_path_factory.mktemp("screen") / "moot")
    with open_event(folder, clock) as event:
        play_on(event, "1.1", "F1906M")
        end_game(event, play_on(event, "1.2", "S1903M"), Ending.TIME, by="Tess", why="time")
        event.facts.write(StandingsOpened(open=True), "Tess")
        start_clock(event, "Fall 1906", (("negotiation", 900),), 0, "Tess")
    with served(folder) as found:
        yield found


@pytest.fixture(scope="module")
def screen(chromium: Any, server: Served) -> Iterator[Any]:
    """A page of somebody who may show them."""
    with desk(chromium, server.page) as found:
        yield found.page


@pytest.fixture(autouse=True)
def untold(server: Served) -> None:
    """Each test finds a second round that is drawn and told to nobody, also after a test that failed."""
    with open_event(server.folder, clock) as event:
        draw(event, 2, PEOPLE)


def shown(screen: Any, size: tuple[int, int], slide: int, scheme: str = "light") -> dict[str, Any]:
    """One slide in a picture of some size."""
    screen.set_viewport_size({"width": size[0], "height": size[1]})
    screen.emulate_media(color_scheme=scheme)
    slide_of(screen, slide)
    found: dict[str, Any] = screen.evaluate(MEASURE)
    return found


@pytest.mark.parametrize(("size", "scheme"), [*((size, "light") for size in SIZES), (SIZES[1], "dark")])
def test_a_board_fills_the_picture_and_no_order_breaks(screen: Any, size: tuple[int, int], scheme: str) -> None:
    found = shown(screen, size, 0, scheme)
    assert found["title"].startswith("Board 1.1")
    assert len(found["orders"]) >= 15
    assert all(rects == 1 and lines < 1.6 for rects, lines, *_ in found["orders"])
    assert max(found["beside"]) <= 1, "no order runs into the column beside it"
    assert found["page"] == list(size)
    assert all(right <= size[0] and bottom <= size[1] for *_, right, bottom in found["orders"])
    assert all(across <= 1 and down <= 1 for across, down in found["over"])
    assert all(left >= found["map"][2] for _, _, left, *_ in found["orders"]), "the map is beside the orders"
    assert found["map"][2] > 0.3 * size[0], "and has come"
    assert found["map"][3] <= size[1]
    assert min(found["letters"]) * 0.73 >= LEAST_SHARE * size[1]  # a capital's height of the font's size
    assert all(name in found["text"] for name in PEOPLE[:7])
    dark = sum(int(part) for part in found["paper"][4:-1].split(",")) < 150
    assert dark is (scheme == "dark")


@pytest.mark.parametrize("size", SIZES)
def test_standings_and_the_seats_of_a_new_round_have_their_turn(
    screen: Any, server: Served, size: tuple[int, int]
) -> None:
    with open_event(server.folder, clock) as event:
        draw(event, 2, PEOPLE[::-1])
        before = shown(screen, size, 2)
        tell_seats(event, 2, "Tess")
    seats = shown(screen, size, 0)
    assert before["title"].startswith("Standings")
    assert "2.1" not in before["text"]
    assert seats["title"].startswith("Seats of round 2")
    assert all(name in seats["text"] for name in PEOPLE)
    places = shown(screen, size, 1)
    assert places["title"].startswith("Standings")
    for found in (seats, places):
        assert found["page"] == list(size)
        assert all(across <= 1 and down <= 1 for across, down in found["over"])
        assert min(found["letters"], default=size[1]) * 0.73 >= LEAST_SHARE * size[1]


def test_all_boards_at_a_glance_show_how_their_centres_and_their_scores_went(screen: Any) -> None:
    assert "If time were called now" in shown(screen, SIZES[1], 3)["title"]
    found = shown(screen, SIZES[1], 4)
    assert found["title"] == "Boards"
    charts = screen.evaluate("[...document.querySelectorAll('.overview .chart')].map((each) => [each.src, each.width])")
    asked = [source.split("/live/")[1].split("?")[0] for source, _ in charts]
    assert asked == ["chart/1.1", "scores/1.1", "chart/1.2", "scores/1.2"]
    assert all(width > 100 for _, width in charts)
    shares = screen.evaluate("last.standings.map((row) => row.share)")
    assert shares[0] == 1
    assert shares == sorted(shares, reverse=True)


def test_seats_that_were_hidden_and_are_told_again_are_shown_again(screen: Any) -> None:
    shown(screen, SIZES[0], 0)
    empty = "{...last, boards: [], standings: null, projected: [], dice: [], lots: []}"
    slides, footer = screen.evaluate(
        f"() => {{ const told = last, found = []; for (const each of [{empty}, told]) {{ show(each);"
        " found.push([document.querySelectorAll('.slide').length, document.getElementById('turns').textContent]); }"
        " return found; }"
    )
    assert slides == [0, ""]
    assert footer[0] == 1
    assert "1.1" in footer[1]


def test_a_text_of_ones_own_can_be_read_across_the_room_and_is_not_cut(screen: Any) -> None:
    shown(screen, SIZES[1], 0)
    words = "Lunch at 12:30 in the hall; round 2 begins at 14:00, and who comes later says so at the desk before. " * 2
    letters, right, page = screen.evaluate(
        """(notice) => { show({...last, notice}); const line = document.querySelector("#turns b"), end = new Range();
        end.selectNodeContents(line);
        return [parseFloat(getComputedStyle(line).fontSize), end.getBoundingClientRect().right,
          [document.documentElement.scrollWidth, document.documentElement.scrollHeight]]; }""",
        words,
    )
    assert letters * 0.73 >= LEAST_SHARE * SIZES[1][1]
    assert right <= SIZES[1][0]
    assert page == list(SIZES[1])


def test_the_turns_of_many_boards_are_not_cut(screen: Any) -> None:
    shown(screen, SIZES[0], 0)
    places = screen.evaluate(
        """() => { show({...last, boards: Array(14).fill(last.boards[0])});
        return [...document.querySelectorAll("#turns span")].map((each) => each.getBoundingClientRect())
          .map(({right, bottom}) => [right, bottom]); }"""
    )
    assert len(places) == 14
    assert all(right <= SIZES[0][0] and bottom <= SIZES[0][1] for right, bottom in places)


def test_on_a_telephone_nothing_is_cut(screen: Any) -> None:
    found = shown(screen, (390, 844), 0)
    assert found["page"][0] == 390
    assert all(right <= 390 for *_, right, _ in found["orders"])


def test_a_screen_is_told_no_plan_of_a_clock_and_no_round_that_is_not_told(tmp_path: Path) -> None:
    folder = drawn(tmp_path / "moot")
    with open_office(folder, SEATS, is_lan=True, clock=Time()) as opened:
        beamer, tess = Browser(opened, "beamer").client, Browser(opened, "Tess").client
        told = beamer.get("/api/clock").json()
        assert (told["boards"], told["plans"]) == ([], [])
        assert tess.get("/api/clock").json()["plans"]
        with open_event(folder, clock) as event:
            tell_seats(event, 1, "Tess")
        assert [board["board"] for board in beamer.get("/api/clock").json()["boards"]] == ["1.1", "1.2"]


def test_bright_or_dark_is_chosen_by_a_button_and_kept(screen: Any) -> None:
    """The map is as the page is; the button has its room in the picture."""
    bright = shown(screen, SIZES[1], 0)["paper"]
    screen.get_by_role("button", name="bright or dark").click()
    dark = screen.evaluate(MEASURE)
    assert dark["paper"] != bright
    assert dark["page"] == list(SIZES[1])
    assert shown(screen, SIZES[1], 0)["paper"] == dark["paper"], "also after the page was loaded anew"
    screen.get_by_role("button", name="bright or dark").click()
    assert screen.evaluate(MEASURE)["paper"] == bright
    screen.evaluate("localStorage.removeItem('look')")
