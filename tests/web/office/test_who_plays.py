"""Who plays on a board sees no rows of it, however his name is written, and also if only a part of it is known."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from desk.cup import NAMES, clock

from pipeline.board import Power
from pipeline.desk.event.event import open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.seating import seat_round
from pipeline.draw.roster import Player
from pipeline.ledger.claims import Login
from pipeline.web.logins import Guest, Role
from pipeline.web.server import Opened, open_office
from web.conftest import SEATS, Browser

SEATED = NAMES | {Power.ENGLAND: "Björn O\u2019Neill", Power.FRANCE: "Cem Ray Ek"}


@pytest.fixture
def cup(tmp_path: Path) -> Iterator[Opened]:
    """An event whose players have names that are written in several ways."""
    details = Details(name="Test Cup", code="TEST", tournament="weaselmoot")
    make_event_folder(tmp_path / "cup", details, [Player(name=name) for name in SEATED.values()], clock)
    with open_event(tmp_path / "cup", clock) as event:
        seat_round(event, 1, {"1": SEATED}, by="Tess")
    with open_office(tmp_path / "cup", SEATS) as opened:
        yield opened


def plays(cup: Opened, name: str, role: Role = Role.ASSISTANT) -> bool:
    """Whether somebody of this name is kept from the board."""
    return cup.office.plays_on(Login(digest="", name=name, role=role, csrf="", until=0), "1.1")


WRITTEN = (
    "bjo\u0308rn o\u2019neill",
    "Bjorn O\u00b4Neill",
    "Bjorn O\u02bcNeill",
    "Björn  O'Neill",
    "Bjorn ONeill",
    "O\u2019Neill, Björn",
)


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.DIRECTOR])
def test_however_a_players_name_is_written_he_sees_no_rows(cup: Opened, name: str, role: Role) -> None:
    assert plays(cup, name, role)


@pytest.mark.parametrize(
    "name",
    [
        "Björn",
        "Bjorn",
        "O'Neill",
        "B. O'Neill",
        "Cem",
        "Cem Ek",
        "ek, cem",
        "Cem Ray Ek jun",
        "Bjoern",
        "Dr. Bjoern ONeill",
    ],
)
def test_who_may_be_a_player_is_taken_for_him(cup: Opened, name: str) -> None:
    assert plays(cup, name)
    assert not plays(cup, name, Role.DIRECTOR), "he knows who he is"


@pytest.mark.parametrize("name", ["Zoe", "Ray Bo", "Bjarne", "Anna"])
def test_who_is_no_player_sees_them(cup: Opened, name: str) -> None:
    assert not plays(cup, name)


def test_a_guest_who_may_be_a_player_is_asked_about_when_he_is_added(cup: Opened) -> None:
    tess = Browser(cup, "Tess")

    def add(**body: object) -> object:
        answer = tess.client.post("/api/room/add", json=body, headers={"X-Token": tess.token})
        assert answer.status_code == 200, answer.text
        return answer.json().get("asks", [])

    def seats() -> dict[str, list[str]]:
        return {seat["name"]: seat["meant"] for seat in tess.client.get("/api/room").json()["seats"]}

    assert add(name="Cem", role="assistant") == ["Cem Ray Ek"]
    assert "Cem" not in seats()
    assert add(name="Cem", role="assistant", other=True) == []
    assert (seats()["Cem"], plays(cup, "Cem")) == ([], False)
    assert add(name="Cem Ray Ek", role="assistant") == []
    assert plays(cup, "Cem Ray Ek"), "he is the player himself"
    assert add(name="phone 2", role="upload") == []


def test_who_was_expected_from_the_start_is_told_apart_on_the_page(cup: Opened) -> None:
    tess = Browser(cup, "Tess")
    cup.logins.guests = (*cup.logins.guests, Guest("Cem", Role.ASSISTANT, "999999"))
    assert {"name": "Cem", "meant": ["Cem Ray Ek"]}.items() <= tess.client.get("/api/room").json()["seats"][-1].items()
    tess.client.post(
        "/api/room/add", json={"name": "Cem", "role": "assistant", "other": True}, headers={"X-Token": tess.token}
    )
    assert not plays(cup, "Cem")
