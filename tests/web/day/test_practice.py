"""Practice is served in an event that was made for it, and in no other, whatever its file says later."""

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from pipeline.board import Power
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.seating import seat_round
from pipeline.desk.sheets.printing import print_round
from pipeline.draw.roster import Player
from pipeline.ledger.claims import Claims
from pipeline.ledger.events import ScanReceived
from pipeline.ledger.files import now
from pipeline.web.logins import Logins
from pipeline.web.server import SessionHandover, open_office
from web.conftest import SEATS, Browser, Time

NAMES = ("Ada", "Bo", "Cem", "Dag", "Eva", "Fay", "Gil")


def pen(event: Event, board: str, folder: Path) -> tuple[Path, ...]:
    """A pen that needs no time: a file that is no picture."""
    folder.mkdir(parents=True)
    (folder / "sheet.png").write_bytes(b"ink")
    return (folder / "sheet.png",)


def make(folder: Path, *, practice: bool) -> Path:
    """An event with one board whose sheets are printed."""
    details = Details(name="Cup", code="TEST", tournament="weaselmoot", practice=practice)
    make_event_folder(folder, details, [Player(name=name) for name in NAMES], now)
    with open_event(folder, now) as event:
        seat_round(event, 1, {"1": dict(zip(Power, NAMES, strict=True))}, by="Tess")
        print_round(event, 1)
    return folder


def tried(folder: Path) -> tuple[object, list[int]]:
    """What the page of the round says of practice, and the answers to filling in and scanning."""
    with closing(Claims(folder / "own.db")) as claims:
        time = Time()
        switcher = SessionHandover(Logins(claims, SEATS, "key", time, is_lan=True), "/desk", pen=pen)
        with open_office(folder, SEATS, is_lan=True, clock=time, switcher=switcher) as opened:
            tess = Browser(opened, "Tess")
            shown: Mapping[str, object] = tess.client.get("/api/day").json()
            body = {"board": "1.1", "shown": shown["shown"]}
            paths = ("/api/practice/fill", "/api/practice/scan")
            sent = [tess.client.post(path, json=body, headers={"X-Token": tess.token}) for path in paths]
            return shown["practice"], [answer.status_code for answer in sent]


def test_sheets_are_filled_in_and_scanned_in_an_event_for_practice(tmp_path: Path) -> None:
    folder = make(tmp_path / "cup", practice=True)
    assert tried(folder) == ({"1.1": 0}, [200, 200])
    with open_event(folder, now) as event:
        assert [fact.said.name for fact in event.facts.select(ScanReceived)] == ["sheet.png"]
        assert not list((folder / "practice").glob("*"))


@pytest.mark.parametrize("is_written_in_later", [False, True])
def test_an_event_of_players_has_no_pen(tmp_path: Path, *, is_written_in_later: bool) -> None:
    folder = make(tmp_path / "cup", practice=False)
    if is_written_in_later:
        file = folder / "event.toml"
        file.write_text(file.read_text("utf-8").replace("[event]\n", "[event]\npractice = true\n"), "utf-8")
    assert tried(folder) == (None, [404, 404])
    with open_event(folder, now) as event:
        assert not list(event.facts.select(ScanReceived))
