"""Players say on their telephones that they are here: the director sees it, and nothing counts before he takes it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from desk.cup import clock

from pipeline.desk.event.event import Details, new_event
from pipeline.draw.roster import Player
from pipeline.web.server import Opened, open_office
from web.conftest import SEATS, Browser, Time, stranger
from web.day.test_day import NAMES, post


@pytest.fixture
def switcher(tmp_path: Path) -> Iterator[Opened]:
    """Eight players, nobody seated."""
    details = Details(name="Test Cup", code="TEST", tournament="edc2023")
    new_event(tmp_path / "cup", details, [Player(name=name) for name in (*NAMES, "Zoë Åker")], clock)
    with open_office(tmp_path / "cup", SEATS, is_lan=True, clock=Time()) as opened:
        yield opened


def say(opened: Opened, who: str) -> str:
    answer = stranger(opened, "192.168.1.7").post("/live/here", data={"who": who})
    assert answer.status_code == 200
    return str(answer.text)


def who_say(tess: Browser) -> list[str]:
    players = tess.client.get("/api/day").json()["roll"]["players"]
    return [each["name"] for each in players if each["says_here"]]


def test_who_says_that_he_is_here_is_shown_and_taken_or_refused(switcher: Opened) -> None:
    tess, before = Browser(switcher, "Tess"), switcher.office.event.facts.last_number()
    assert "✓ Ada Lov" in say(switcher, "ada lov")
    assert "✓ Zoë Åker" in say(switcher, "zoe aker")
    assert "✓ Bo Ek" in say(switcher, "Bo Ek")
    assert switcher.office.event.facts.last_number() == before, "nothing is decided by a telephone"
    assert who_say(tess) == ["Ada Lov", "Bo Ek", "Zoë Åker"]
    post(tess, "/api/day/roll", {"round": 1, "here": ["Ada Lov", "Zoë Åker"]})
    post(tess, "/api/day/refuse", {"round": 1, "name": "Bo Ek"})
    assert who_say(tess) == []
    say(switcher, "Bo Ek")
    assert who_say(tess) == [], "who was refused is not told again"


@pytest.mark.parametrize("who", ["Nobody Here", "a", "<b>x</b>", ""])
def test_who_is_not_on_the_list_is_told_so_and_nothing_of_it_is_kept(switcher: Opened, who: str) -> None:
    page = say(switcher, who)
    assert "Nobody on the list" in page
    assert "<b>x" not in page
    assert switcher.office.say_here == {}
    assert not any(name in page for name in NAMES), "the list is nobody's but the director's"
