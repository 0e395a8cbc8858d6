"""The live pages send the same bytes with a secret and without one: what is not published is in none of them."""

import json
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from desk.beginnings import copied
from desk.cup import NAMES, clock, hand_in, hand_in_all, inked, seated, spring
from starlette.routing import Route

from pipeline.board import Phase, Power
from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.event.seating import seat_round
from pipeline.desk.players import tell_seats
from pipeline.desk.publish.publish import publish
from pipeline.desk.results.results import scored_event
from pipeline.desk.ruling.rulings import rule_sheet
from pipeline.desk.sheets.printing import print_round
from pipeline.ledger.events import StandingsOpened
from pipeline.ledger.parts import SheetDecision
from pipeline.scoring.results import Ending
from pipeline.web.server import Opened, open_office
from web.conftest import PICTURE, SEATS, Browser, Time, stranger

WATCHED = ("/screen", "/api/clock", "/map/board/1.1", "/map/board/1.1?now=1", "/door", "/home", "/upload", "/api/next",
           "/picture/ffffffffffffffff-p1-r1.png", "/out/1.1-S1901M-card.pdf", "/api/tables", "/api/forms", "/api/notes",
           "/journal", "/api/journal",
           "/map/row?turn=1.1 S1901M AUSTRIA&line=1", "/api/legal?turn=1.1 S1901M AUSTRIA")  # fmt: skip
OPEN = ("/live", "/live/board/1.1", "/live/board/1.1/S1901M", "/live/map/1.1/S1901M", "/live/map/1.1/now",
        "/live/standings", "/live/newest", "/live/seat?who=Ada", "/live/seat?who=a", "/live/seat?who=TEST-0001-S",
        "/LIVE/TEST-0001-S", "/live/board/2.1", "/live/map/2.1/now", "/live/seat?who=Gil", "/live/qr.svg",
        "/live/where")  # fmt: skip
SECRETS = {
    "orders": ("A VIE - GAL", "A BUD - SER"),
    "other orders": ("A VIE - TRI", "A BUD - RUM"),
    "what is no order": ("zyzzyva", "qwertz"),
}


def event_with(folder: Path, lines: tuple[str, ...]) -> Path:
    """An event in which Austria's sheet says this, and nothing is published."""
    return copied(written, folder, lines)


def written(folder: Path, lines: tuple[str, ...]) -> None:
    with open_event(seated(folder), clock) as event:
        print_round(event, 1)
        hand_in(event, spring(Power.AUSTRIA), [inked(row, text) for row, text in enumerate(lines, 1)], sha256="f" * 64)
        (event.out / "crops").mkdir(parents=True, exist_ok=True)
        (event.out / "crops" / "ffffffffffffffff-p1-r1.png").write_bytes(PICTURE)


def test_whether_and_how_a_round_is_drawn_is_seen_by_nobody_before_it_is_told(tmp_path: Path) -> None:
    """The same event without a second round, with one draw of it, with another, and with its sheets printed."""
    names, found = list(NAMES.values()), []
    for number in range(4):
        folder = event_with(tmp_path / str(number) / "cup", SECRETS["orders"])
        with open_event(folder, clock) as event:
            turned = names[number % 2 :] + names[: number % 2]
            if number:
                seat_round(event, 2, {"1": dict(zip(Power, turned, strict=True))}, by="Tess")
            if number == 3:
                print_round(event, 2)
        with open_office(folder, SEATS, is_lan=True, clock=Time()) as opened:
            found.append([told(stranger(opened), path, "") for path in OPEN])
    assert found[1:] == found[:1] * 3


def test_a_draw_and_a_sheet_that_comes_in_change_nothing_while_people_look(tmp_path: Path) -> None:
    folder = event_with(tmp_path / "cup", SECRETS["orders"])
    with open_office(folder, SEATS, is_lan=True, clock=Time()) as opened, open_event(folder, clock) as event:
        nobody = stranger(opened, "192.168.1.44")
        before = [told(nobody, path, "") for path in OPEN]
        seat_round(event, 2, {"1": NAMES}, by="Tess")
        print_round(event, 2)
        hand_in(event, spring(Power.FRANCE), [inked(1, "A PAR - BUR")], sha256="a" * 64)
        assert [told(nobody, path, "") for path in OPEN] == before


Visitor = tuple[str, Any, str]  # who, a client of his, and the token of his pages
FALL = Turn("1.1", Phase.read("F1901M"), Power.AUSTRIA)


def event_going_on(folder: Path, lines: tuple[str, ...]) -> Path:
    """An event in which spring is published, and Austria's sheet for fall says this."""
    return copied(gone_on, folder, lines)


def gone_on(folder: Path, lines: tuple[str, ...]) -> None:
    with open_event(seated(folder), clock) as event:
        print_round(event, 1)
        hand_in_all(event)
        publish(event, "1", "Tess")
        print_round(event, 1)
        hand_in(event, FALL, [inked(row, text) for row, text in enumerate(lines, 1)], sha256="f" * 64)
        (event.out / "crops").mkdir(parents=True, exist_ok=True)
        (event.out / "crops" / "ffffffffffffffff-p1-r1.png").write_bytes(PICTURE)


def every_door(opened: Opened) -> list[str]:
    """The address of every page that can be asked for, with what stands in this event in its places."""
    places = {"name": "ffffffffffffffff-p1-r1.png", "board": "1.1", "turn": "1.1 F1901M AUSTRIA", "form": "1"}
    found = []
    for route in opened.app.routes:
        if isinstance(route, Route):
            found.append(re.sub(r"{(\w+)(:\w+)?}", lambda each: places.get(each[1], "1"), route.path))
    turn = "turn=1.1 F1901M AUSTRIA&line=1&token=1.1 F1901M AUSTRIA&of=" + "f" * 64
    return sorted(
        {*found, *(f"{path}?{turn}" for path in found), *WATCHED, *OPEN, "/out/1.1-F1901M-card.pdf", "/scans/", "/out/"}
    )


def told(browser: Any, path: str, token: str) -> tuple[str, int, str, bytes]:
    """One answer, but for the time of day, the tokens of a session, and what a clock counts."""
    answer = browser.get(path)
    body = answer.content.replace(token.encode(), b"TOKEN") if token else answer.content
    body = re.sub(rb"\d{4}-\d\d-\d\dT[\d:.+Z]+", b"NOW", body)
    return path, answer.status_code, answer.headers.get("location", ""), body


def visitors(opened: Opened) -> list[Visitor]:
    """Who may not know: strangers, a screen, a telephone."""
    known = [(name, Browser(opened, name)) for name in ("beamer", "phone")]
    return [("nobody", stranger(opened), ""), *((name, each.client, each.token) for name, each in known)]


def all_told(opened: Opened) -> dict[str, list[tuple[str, int, str, bytes]]]:
    """Everything that they are told, one after the other."""
    return {
        name: [told(client, path, token) for path in every_door(opened)] for name, client, token in visitors(opened)
    }


@pytest.mark.parametrize("make", [event_with, event_going_on])
def test_no_door_tells_anything_of_the_phase_that_is_open(make: Callable[..., Path], tmp_path: Path) -> None:
    """Nor is a player named, where nobody asks for one."""
    found = []
    for number, lines in enumerate(SECRETS.values()):
        folder = make(tmp_path / str(number) / "cup", lines)
        with open_office(folder, SEATS, is_lan=True, clock=Time()) as opened:
            found.append(all_told(opened))
    first, *others = found
    for other in others:
        assert other == first
    published = {path: (code, body) for path, code, _, body in first["beamer"]}
    is_shown = b"A VIE - GAL" in published["/api/clock"][1]
    assert is_shown == (make is event_going_on), "what is published is shown"
    named = re.compile(rb"\b(Ada|Cem|Dag|Eva|Gil)\b")
    free = [each for answers in first.values() for each in answers if each[0] != "/door" and "who=" not in each[0]]
    assert any(named.search(body) for *_, body in free) == is_shown
    pages = ("/door", "/home", "/static", "/live", "/LIVE")
    assert all(code in (303, 401, 404, 405) for path, code, _, _ in first["nobody"] if not path.startswith(pages))


def test_no_door_tells_that_a_sheet_was_late_before_its_phase_is_published(tmp_path: Path) -> None:
    """EDC23 D4: it costs a point of the standings, which are open here; the director sees it at once."""
    found, points = [], []
    for is_late in (False, True):
        folder = tmp_path / str(is_late) / "cup"
        with open_event(seated(folder, tournament="edc2023"), clock) as event:
            event.facts.write(StandingsOpened(open=True), "Tess")
            end_game(event, find_game(event, "1.1"), Ending.TIME, by="Tess", why="noon")
            seat_round(event, 2, {"1": NAMES}, by="Tess")
            tell_seats(event, 2, "Tess")
            if is_late:
                rule_sheet(event, Turn("2.1", Phase.read("S1901M"), Power.ITALY), SheetDecision.LATE, by="Tess")
            points.append([penalty.points for penalty in scored_event(event).event.penalties])
        with open_office(folder, SEATS, is_lan=True, clock=Time()) as opened:
            found.append(all_told(opened))
    assert points == [[], [1]]
    assert found[0] == found[1]


@pytest.mark.slow
def test_no_door_tells_more_while_many_ask_at_once_and_the_director_rules(tmp_path: Path) -> None:
    secret = ("zyzzyva", "qwertz")
    with open_office(event_going_on(tmp_path / "cup", secret), SEATS, is_lan=True, clock=Time()) as opened:
        alone = all_told(opened)
        tess = Browser(opened, "Tess")
        asked = [(name, client, token, path) for name, client, token in visitors(opened) for path in every_door(opened)]

        def ask(each: tuple[str, Any, str, str]) -> tuple[str, tuple[str, int, str, bytes]]:
            name, _, token, path = each
            fresh = stranger(opened)
            fresh.cookies.update(each[1].cookies)
            return name, told(fresh, path, token)

        with ThreadPoolExecutor(6) as many:
            answers = [many.submit(ask, each) for each in asked]
            looks = [tess.look(first=str(FALL)) for _ in range(10)]
            heard = [answer.result() for answer in answers]
    assert any(b"zyzzyva" in json.dumps(look).encode() for look in looks), "the director sees it"
    expected = {(name, each[0]): each for name, answers_alone in alone.items() for each in answers_alone}
    assert [each for name, each in heard if each != expected[name, each[0]]] == []
    assert not [each for _, each in heard if b"zyzzyva" in each[3]]
