"""The live pages send the same bytes with a secret and without one: what is not published is in none of them."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from desk.cup import clock, hand_in, inked, seated, spring

from pipeline.board.map import Power
from pipeline.desk.event.event import open_event
from pipeline.desk.print.printing import print_round
from pipeline.web.server import open_office
from web.conftest import PICTURE, SEATS, Browser, Time

WATCHED = ("/screen", "/api/clock", "/map/board/1.1", "/map/board/1.1?now=1", "/door", "/home", "/upload", "/api/next",
           "/picture/ffffffffffffffff-p1-r1.png", "/out/1.1-S1901M-card.pdf", "/api/tables", "/api/forms", "/api/notes",
           "/map/row?turn=1.1 S1901M AUSTRIA&line=1", "/api/legal?turn=1.1 S1901M AUSTRIA")  # fmt: skip
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
        browser = Browser(opened, name)
        for path in WATCHED:
            answer = browser.client.get(path)
            body = answer.content.replace(browser.token.encode(), b"TOKEN")
            yield path, answer.status_code, re.sub(rb"\d{4}-\d\d-\d\dT[\d:.+Z]+", b"NOW", body)


@pytest.mark.parametrize("name", ["beamer", "phone"])
def test_the_live_pages_send_the_same_whatever_is_written_and_not_published(name: str, tmp_path: Path) -> None:
    found = {
        secret: list(sent(event_with(tmp_path / str(number) / "cup", lines), name))
        for number, (secret, lines) in enumerate(SECRETS.items())
    }
    first, *others = found.values()
    for other in others:
        assert other == first
    assert ("/screen", 200) in [answer[:2] for answer in first] or name == "phone"


@pytest.mark.parametrize("name", ["beamer", "phone"])
def test_no_name_of_a_player_is_in_what_they_send(name: str, tmp_path: Path) -> None:
    folder = event_with(tmp_path / "cup", SECRETS["orders"])
    text = b"".join(body for path, _, body in sent(folder, name) if path != "/door").decode("utf-8", "replace")
    assert not re.search(r"\b(Ada|Cem|Dag|Eva|Gil)\b|VIE - GAL", text)
