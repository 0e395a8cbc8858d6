"""What pages cannot do is refused with the place where it is wrong; nothing is decided, made or opened."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from desk.cup import seated, spring
from msgspec.structs import replace

from pipeline.board import Power
from pipeline.desk.review.meaning import unit_of_row
from pipeline.ledger.claims import Login
from pipeline.problems import Stopped
from pipeline.web import acts
from pipeline.web.acts import Do, PressedKey
from pipeline.web.keyboard import Typist
from pipeline.web.logins import Role
from pipeline.web.server import Opened
from pipeline.web.start_page import open_switcher
from web.conftest import SEATS, Browser, Time
from web.day.test_day import Guest
from web.stale import send

TURN = "1.1 S1901M AUSTRIA"
ASKED: dict[str, tuple[Callable[..., None], Any, dict[Do, tuple[str, ...]]]] = {
    # what waits -> what settles it, something that waits, and its keys, each with values that settle nothing
    "a row": (
        acts._settle_row,
        SimpleNamespace(turn=TURN, row=SimpleNamespace(without=(), line=0), by_rule=None),
        {Do.RULE: ("",), Do.ORDER: ("",), Do.NOTHING: (), Do.TEXT: ("", " ", "A VIE H"), Do.SCAN: ("", "one", "-1")},
    ),
    "a sheet": (
        acts._settle_sheet,
        SimpleNamespace(turn=TURN),
        {Do.SHEET: ("", "zz"), Do.CHOOSE_SHEET: ("", "one")},
    ),
    "a check": (
        acts._settle_check,
        SimpleNamespace(turn=TURN),
        {Do.RIGHT: (), Do.ORDER: (), Do.NOTHING: (), Do.TEXT: ("", " ")},
    ),
    "a page": (acts._settle_page, SimpleNamespace(name="page 1"), {Do.IDENTIFY: (), Do.ASIDE: ()}),
    "a late sheet": (acts._settle_late, SimpleNamespace(sheet="TEST-0001"), {Do.ASIDE: ()}),
    "retreats": (acts._key_in, SimpleNamespace(board="1.1", turns=()), {Do.ENTRY: ()}),
    "a board": (acts._publish_board, SimpleNamespace(board="1.1"), {Do.PUBLISH: ()}),
}
BY_THEMSELVES = {Do.LATER, Do.UNDO, Do.REDO, Do.TYPE, Do.SHEET_OF}  # whatever is asked


def login(role: Role) -> Login:
    return Login(digest="", csrf="", name="Tess", role=role, until=0.0)


@pytest.mark.parametrize("what", ASKED)
def test_a_key_that_does_not_settle_what_is_asked_decides_nothing(what: str) -> None:
    """No event is there: whoever looked for one, to decide something in it, would fall over."""
    settle, asked, keys = ASKED[what]
    for do in set(Do) - BY_THEMSELVES:
        for value in keys.get(do, ("", "1", "A VIE H", "no orders")):
            with pytest.raises(Stopped, match=r"nothing was decided|only a director publishes"):
                settle(None, login(Role.DIRECTOR), asked, PressedKey("", do, value))


def test_who_may_not_publish_does_not_with_the_key_either() -> None:
    for role in set(Role) - {Role.DIRECTOR}:
        with pytest.raises(Stopped, match="only a director publishes"):
            settle, asked, _ = ASKED["a board"]
            settle(None, login(role), asked, PressedKey("", Do.PUBLISH))


@pytest.fixture
def events(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Guest]:
    """The page of events, none open."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    with open_switcher(SEATS, "key", Time(), is_lan=True) as app:
        yield Guest(app, "key")


NEW = {"tournament": "weaselmoot", "name": "Owl Cup", "code": "PW22", "text": "Ada\nBo\n", "folder": "owl"}
WRONG: tuple[
    tuple[str, dict[str, Any], str], ...
] = (  # of the page of events: the act, what is sent, and where it is wrong
    *(("open", {"folder": value}, "folder") for value in ("", None, " ", 7)),
    *(("restore", {"folder": "cup", "place": place, "copy": copy}, "copy") for place, copy in (("", "x"), ("x", ""))),
    ("restore", {"place": "x", "copy": "x"}, "folder"),
    ("rules", {"tournament": "weaselmoot"}, "event"),
    ("rules/look", {"tournament": "weaselmoot"}, "event"),
    *(("me", {"name": value}, "name") for value in ("", " ", "A\u200bda", "A" * 61, ["Ada"])),
    ("new", NEW | {"folder": ""}, "folder"),
    ("new", NEW | {"answers": ["x"]}, "answers"),
    ("new", NEW | {"text": 7}, "roster"),
    ("new", NEW | {"columns": {"1": "zz"}}, "roster"),
    ("new", NEW | {"columns": "zz"}, "roster"),
    ("new", NEW | {"file": "!", "file_name": "list.csv"}, "list.csv"),
)


def test_the_page_of_events_says_where_an_entry_is_wrong_and_makes_nothing(events: Guest, tmp_path: Path) -> None:
    seated(tmp_path / "cup")
    before = sorted(tmp_path.iterdir())
    for path, body, where in WRONG:
        shown = events.client.get("/api/events").json()["shown"]
        if path == "restore":
            shown = events.client.get("/api/events/copies?folder=cup").json()["shown"]
        sent = {key: value for key, value in body.items() if value is not None}
        answer = events.post(f"/api/events/{path}", {**sent, "shown": shown}, 422)
        assert answer["where"] == where, (path, body, answer)
    assert sorted(tmp_path.iterdir()) == before
    assert events.app.switcher.opened is None


def test_a_folder_that_nobody_may_look_into_says_so(
    events: Guest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cup").mkdir()
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "file").touch()
    listed = events.client.get("/api/events/folders").json()
    assert (listed["folder"], [each["name"] for each in listed["folders"]]) == (str(tmp_path.resolve()), ["cup"])
    (tmp_path / "owl").mkdir()
    for most in (1, 2, 3):
        monkeypatch.setattr("pipeline.web.start_page.MOST_SHOWN", most)
        listed = events.client.get("/api/events/folders").json()
        assert (len(listed["folders"]), listed["more"]) == (min(2, most), max(0, 2 - most))
    monkeypatch.setattr(Path, "iterdir", lambda _: (_ for _ in ()).throw(OSError(13, os.strerror(13))))
    answer = events.client.get("/api/events/folders", params={"folder": "cup"})
    assert (answer.status_code, answer.json()["where"]) == (422, "cup")


AUSTRIA = str(spring(Power.AUSTRIA))
ON_PAGES: tuple[tuple[str, dict[str, Any], str], ...] = (  # of an event's pages: the same
    ("/api/forms/print", {"kind": "vote", "board": "1.1", "players": 7}, "players"),
    ("/api/forms/print", {"kind": "vote", "board": "1.1", "players": [7]}, "players"),
    *(("/api/day/print", {"round": 1, "needed": needed}, "needed") for needed in ("1.1", ["1.1"], 7)),
    ("/api/day/print", {"round": 1, "phase": "S19"}, "what to print"),
    ("/api/day/print", {"round": 1, "powers": ["Wales"]}, "what to print"),
    ("/api/day/print", {"round": 1, "design": "zz"}, "design"),
    ("/api/tables/position", {"board": "1.1", "powers": {"AUSTRIA": "A VIE"}}, "powers"),
    (
        "/api/tables/vote",
        {"board": "1.1", "power": "FRANCE", "moment": "negotiation", "counted": {"yes": "6"}},
        "counted",
    ),
    (
        "/api/tables/vote",
        {"board": "1.1", "power": "FRANCE", "moment": "negotiation", "counted": {"gone": 1.5}},
        "counted",
    ),
    ("/api/room/add", {"name": "Z\u0007oe", "role": "assistant"}, "name"),
    ("/api/room/network", {"on": True}, "network"),
    ("/api/act", {"do": "redo"}, ""),
    ("/api/act", {"do": "undo"}, ""),
    ("/api/act", {"do": "sheet of", "token": AUSTRIA, "value": "chosen"}, AUSTRIA),
    ("/api/act", {"do": "sheet of", "token": AUSTRIA, "value": "1"}, AUSTRIA),
)


def test_the_pages_of_an_event_say_where_an_entry_is_wrong_and_do_nothing(opened: Opened, tess: Browser) -> None:
    newest, guests = opened.office.event.facts.last_number(), opened.logins.guests
    of_a_row = {"token": tess.look(AUSTRIA)["item"]["token"], "typed": "A PAR H", "as": "ink"}
    of_another = "1.1 S1901M FRANCE"
    for path, body, where in (*ON_PAGES, ("/api/meaning", of_a_row | {"turn": of_another}, of_another)):
        answer = send(tess, path, body)
        assert (answer.status_code, answer.json().get("where")) == (422, where), (path, body, answer.text)
    assert (opened.office.event.facts.last_number(), opened.logins.guests) == (newest, guests)


def test_an_order_for_another_unit_than_the_one_asked_about_is_refused(opened: Opened, tess: Browser) -> None:
    typist = Typist(opened.office, spring(Power.AUSTRIA))
    row = replace(opened.office.live.power(typist.game, Power.AUSTRIA).rows[0], line=0, unit="VIE")
    unit = unit_of_row(opened.office.live.desk, typist.game, typist.turn, row)
    assert unit is not None
    assert typist.orders(row, f"{unit} H")
    with pytest.raises(Stopped, match=f"about {unit}, and the typed order is for ENG, LON"):
        typist.orders(row, f"{unit} H; F LON H; F ENG H")


def test_an_address_that_leads_nowhere_says_so(opened: Opened, tess: Browser) -> None:
    paths = ("/systems/zz.svg", "/print/standings.zz", "/out/zz.pdf", "/out/9.9-S1901M-card.pdf", "/picture/zz.png",
             "/map/board/9.9", "/print/seats/9.pdf", "/print/cards/9.pdf", "/api/correct?board=9.9",
             "/api/correct?board=1.1&phase=S1901M", "/api/day?round=9", "/api/day?round=x")  # fmt: skip
    for path in paths:
        answer = tess.client.get(path)
        assert (answer.status_code, bool(answer.json()["said"])) == (422, True), (path, answer.text)
    for path in ("/api/day?round=%01", "/live/board/%7f", "/live/seat?who=A%0ada"):
        assert tess.client.get(path).status_code == 400, path
    assert opened.office.event.facts.last_number() > 0
