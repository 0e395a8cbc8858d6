"""Players say on their telephones that they are here: the director sees it, and nothing counts before he takes it."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from desk.cup import clock

from pipeline.board import Power
from pipeline.desk.event.event import open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.seating import seat_round
from pipeline.draw.roster import Player
from pipeline.web.office import MOST_OF_DEVICE
from pipeline.web.server import Opened, open_office
from web.conftest import SEATS, Browser, Time, stranger
from web.day.test_day import NAMES, post


@pytest.fixture
def switcher(tmp_path: Path) -> Iterator[Opened]:
    """Eight players, nobody seated."""
    details = Details(name="Test Cup", code="TEST", tournament="edc2023")
    make_event_folder(tmp_path / "cup", details, [Player(name=name) for name in (*NAMES, "Zoë Åker")], clock)
    with open_office(tmp_path / "cup", SEATS, is_lan=True, clock=Time()) as opened:
        yield opened


PHONES = count(2)


def say(opened: Opened, who: str) -> str:
    answer = stranger(opened, f"192.168.1.{next(PHONES)}").post("/live/here", data={"who": who})
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
    post(tess, "/api/day/refuse", {"round": 1, "names": ["Bo Ek"]})
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


def devices(tess: Browser) -> list[tuple[int, list[str]]]:
    told = tess.client.get("/api/day").json()["roll"]["devices"]
    return [(each["count"], each["names"]) for each in told]


def test_one_telephone_checks_in_few_players_and_the_roll_call_says_so(switcher: Opened) -> None:
    tess, phone = Browser(switcher, "Tess"), stranger(switcher, "192.168.1.99")
    found = [phone.post("/live/here", data={"who": name}).status_code for name in NAMES]
    assert found == [200] * MOST_OF_DEVICE + [403] * (len(NAMES) - MOST_OF_DEVICE)
    assert phone.post("/live/here", data={"who": NAMES[0]}).status_code == 200, "he is here already"
    taken = sorted(NAMES[:MOST_OF_DEVICE])
    assert [(count, sorted(names)) for count, names in devices(tess)] == [(MOST_OF_DEVICE, taken)]
    post(tess, "/api/day/refuse", {"round": 1, "names": taken})
    assert (who_say(tess), devices(tess)) == ([], [])
    assert "✓" in say(switcher, NAMES[-1]), "another telephone"
    assert devices(tess) == []


def test_behind_a_tunnel_a_browser_is_the_device(switcher: Opened) -> None:
    browser = stranger(switcher)
    assert "✓" not in browser.post("/live/here", data={"who": NAMES[0]}).text, "it was not given the page before"
    found = [browser.post("/live/here", data={"who": name}).status_code for name in NAMES]
    assert found == [200] * MOST_OF_DEVICE + [403] * (len(NAMES) - MOST_OF_DEVICE)
    forged = stranger(switcher).post("/live/here", data={"who": NAMES[-1]}, headers={"Cookie": "ordersheets-here=a.b"})
    assert "✓" not in forged.text


@pytest.mark.parametrize(
    "headers", [{"Origin": "https://elsewhere.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}]
)
def test_another_web_page_checks_nobody_in(switcher: Opened, headers: dict[str, str]) -> None:
    answer = stranger(switcher, "192.168.1.9").post("/live/here", data={"who": NAMES[0]}, headers=headers)
    assert (answer.status_code, switcher.office.say_here) == (403, {})


def test_a_round_that_is_drawn_and_not_told_is_not_told_by_the_check_in(switcher: Opened) -> None:
    tess, phone = Browser(switcher, "Tess"), stranger(switcher, "192.168.1.9")
    before = phone.get("/live/here").text
    assert "round 1" in before
    post(tess, "/api/day/roll", {"round": 1, "here": NAMES[:7]})
    post(tess, "/api/day/roll", {"round": 1, "others": "away"})
    answer = post(tess, "/api/day/draw", {"round": 1, "seed": "1"})
    assert answer["seated"], answer
    with switcher.office.inside() as live:
        assert live.games
    assert phone.get("/live/here").text == before
    say(switcher, "Zoë Åker")
    assert list(switcher.office.say_here) == [1], "who is late is late for this round"
    post(tess, "/api/tables/tell", {"round": 1})
    assert "round 2" in phone.get("/live/here").text


def go(opened: Opened, who: str, address: str = "") -> tuple[int, str]:
    answer = stranger(opened, address or f"192.168.1.{next(PHONES)}").post("/live/go", data={"who": who})
    return answer.status_code, str(answer.text)


def who_go(tess: Browser) -> dict[str, str]:
    players = tess.client.get("/api/day").json()["roll"]["players"]
    return {each["name"]: each["leaves"] for each in players if each["says_going"]}


def test_who_says_that_he_goes_is_shown_and_gone_when_the_director_says_so(switcher: Opened) -> None:
    tess, before = Browser(switcher, "Tess"), switcher.office.event.facts.last_number()
    for who in ("ada lov", "zoe aker", "Bo Ek"):
        assert "✓" in go(switcher, who)[1]
    assert "Nobody on the list" in go(switcher, "<b>x</b>")[1]
    assert switcher.office.event.facts.last_number() == before, "nothing is decided by a telephone"
    assert who_go(tess) == {"Ada Lov": "", "Bo Ek": "", "Zoë Åker": ""}
    post(tess, "/api/day/refuse", {"round": 1, "going": ["Bo Ek"]})
    post(tess, "/api/day/player", {"round": 1, "name": "Ada Lov", "what": "left"})
    assert list(who_go(tess)) == ["Zoë Åker"]
    assert [each.name for each in switcher.office.event.players if each.left] == ["Ada Lov"]
    post(tess, "/api/day/player", {"round": 1, "name": "Ada Lov", "what": "back"})
    assert list(who_go(tess)) == ["Zoë Åker"], "who is back goes no more"
    go(switcher, "Bo Ek")
    assert list(who_go(tess)) == ["Zoë Åker"], "who was refused is not told again"


def test_one_telephone_says_of_few_players_that_they_go(switcher: Opened) -> None:
    found = [go(switcher, name, "192.168.1.99")[0] for name in NAMES]
    assert found == [200] * MOST_OF_DEVICE + [403] * (len(NAMES) - MOST_OF_DEVICE)


def test_another_web_page_sends_nobody_home(switcher: Opened) -> None:
    phone = stranger(switcher, "192.168.1.9")
    answer = phone.post("/live/go", data={"who": NAMES[0]}, headers={"Origin": "https://elsewhere.example"})
    assert (answer.status_code, switcher.office.say_going) == (403, {})


def test_the_director_sees_what_the_rules_do_with_who_leaves_a_game(tmp_path: Path) -> None:
    """Nothing is changed by the word; taken by the director, EDC96 12 excludes him."""
    details = Details(name="Test Cup", code="TEST", tournament="edc1996")
    make_event_folder(tmp_path / "cup", details, [Player(name=name) for name in NAMES[:7]], clock)
    with open_event(tmp_path / "cup", clock) as event:
        seat_round(event, 1, {"1": dict(zip(Power, NAMES, strict=False))}, by="Tess")
    with open_office(tmp_path / "cup", SEATS, is_lan=True, clock=Time()) as opened:
        tess = Browser(opened, "Tess")
        go(opened, NAMES[0])
        assert who_go(tess) == {NAMES[0]: "leaves board 1.1 before its end, which means exclusion (EDC96 12)"}
        answer = post(tess, "/api/day/player", {"round": 1, "name": NAMES[0], "what": "left"})
        assert any("exclu" in text for text in answer["told"])
        assert who_go(tess) == {}
