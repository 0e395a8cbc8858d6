"""The live pages send the same bytes with a secret and without one: what is not published is in none of them."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from desk.cup import NAMES, clock, hand_in, inked, seated, spring

from pipeline.board.map import Power
from pipeline.desk.event.event import open_event
from pipeline.desk.event.seating import seat
from pipeline.desk.print.printing import print_round
from pipeline.web.server import open_office
from web.conftest import PICTURE, SEATS, Browser, Time, stranger

WATCHED = ("/screen", "/api/clock", "/map/board/1.1", "/map/board/1.1?now=1", "/door", "/home", "/upload", "/api/next",
           "/picture/ffffffffffffffff-p1-r1.png", "/out/1.1-S1901M-card.pdf", "/api/tables", "/api/forms", "/api/notes",
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
    with open_event(seated(folder), clock) as event:
        print_round(event, 1, None, None, 0)
        hand_in(event, spring(Power.AUSTRIA), [inked(row, text) for row, text in enumerate(lines, 1)], sha256="f" * 64)
        (event.out / "crops").mkdir(parents=True, exist_ok=True)
        (event.out / "crops" / "ffffffffffffffff-p1-r1.png").write_bytes(PICTURE)
    return folder


def sent(folder: Path, name: str) -> Iterator[tuple[str, int, bytes]]:
    """All that a screen or a telephone is sent, but for the time of day and the tokens of its session."""
    with open_office(folder, SEATS, is_lan=True, clock=Time()) as opened:
        yield from asked(stranger(opened, "192.168.1.44"), b"nobody has a token", OPEN)
        if name != "nobody":
            browser = Browser(opened, name)
            yield from asked(browser.client, browser.token.encode(), (*WATCHED, *OPEN))


def asked(client: Any, token: bytes, paths: tuple[str, ...]) -> Iterator[tuple[str, int, bytes]]:
    """What each of these paths sends."""
    for path in paths:
        answer = client.get(path)
        body = answer.content.replace(token, b"TOKEN")
        yield path, answer.status_code, re.sub(rb"\d{4}-\d\d-\d\dT[\d:.+Z]+", b"NOW", body)


@pytest.mark.parametrize("name", ["beamer", "phone", "nobody"])
def test_the_live_pages_send_the_same_whatever_is_written_and_not_published(name: str, tmp_path: Path) -> None:
    found = {
        secret: list(sent(event_with(tmp_path / str(number) / "cup", lines), name))
        for number, (secret, lines) in enumerate(SECRETS.items())
    }
    first, *others = found.values()
    for other in others:
        assert other == first
    assert ("/screen", 200) in [answer[:2] for answer in first] or name != "beamer"
    assert ("/live", 200) in [answer[:2] for answer in first]


@pytest.mark.parametrize("name", ["beamer", "phone", "nobody"])
def test_no_name_of_a_player_is_in_what_they_send(name: str, tmp_path: Path) -> None:
    folder = event_with(tmp_path / "cup", SECRETS["orders"])
    bodies = (body for path, _, body in sent(folder, name) if path != "/door" and "who=" not in path)
    assert not re.search(r"\b(Ada|Cem|Dag|Eva|Gil)\b|VIE - GAL", b"".join(bodies).decode("utf-8", "replace"))


def test_whether_and_how_a_round_is_drawn_is_seen_by_nobody_before_it_is_told(tmp_path: Path) -> None:
    """The same event without a second round, with one draw of it, with another, and with its sheets printed."""
    names = list(NAMES.values())
    folders = [event_with(tmp_path / str(number) / "cup", SECRETS["orders"]) for number in range(4)]
    for number, folder in enumerate(folders[1:], start=1):
        with open_event(folder, clock) as event:
            turned = names[number % 2 :] + names[: number % 2]
            seat(event, 2, {"1": dict(zip(Power, turned, strict=True))}, by="Tess")
            if number == 3:
                print_round(event, 2, None, None, 0)
    first, *others = [list(sent(folder, "nobody")) for folder in folders]
    for other in others:
        assert other == first


def test_a_draw_and_a_sheet_that_comes_in_change_nothing_while_people_look(tmp_path: Path) -> None:
    folder = event_with(tmp_path / "cup", SECRETS["orders"])
    with open_office(folder, SEATS, is_lan=True, clock=Time()) as opened, open_event(folder, clock) as event:
        nobody = stranger(opened, "192.168.1.44")
        before = list(asked(nobody, b"nobody has a token", OPEN))
        seat(event, 2, {"1": NAMES}, by="Tess")
        print_round(event, 2, None, None, 0)
        hand_in(event, spring(Power.FRANCE), [inked(1, "A PAR - BUR")], sha256="a" * 64)
        assert list(asked(nobody, b"nobody has a token", OPEN)) == before
