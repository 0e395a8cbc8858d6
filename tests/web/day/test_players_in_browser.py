"""Players and their seats in a real browser: who goes home by telephone, who declines a pool."""

from pathlib import Path
from typing import Any

import pytest
from desk.cup import clock
from draw.draw_room import event_of, names, play, seated

from pipeline.desk.event.event import open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.games import seatings
from pipeline.desk.event.make_event import make_event_folder
from pipeline.draw.roster import Player
from pipeline.ledger.events import LotsDrawn
from pipeline.ledger.files import now
from web.driven import IN_CHROMIUM, desk, served

pytestmark = list(IN_CHROMIUM)

POOLS = """
[tournament]
id = "pools"
name = "Pools"
short = "MINE"
unstated = "defaults"
[scoring]
parts = [{ give = "centres" }]
[totals]
rounds = 3
[[totals.pools]]
name = "Champions"
round = 3
seats = 7
after = [1, 2]
ties = ["highest game", "lot"]
"""


@pytest.mark.parametrize("width", [390, 1280])
def test_who_goes_says_so_on_his_telephone_and_has_left_when_the_director_says_so(
    chromium: Any, tmp_path: Path, width: int
) -> None:
    details = Details(name="Test Cup", code="TEST", tournament="edc2023")
    make_event_folder(tmp_path / "cup", details, [Player(name=name) for name in ("Ada Lov", "Bo Ek")], clock)
    with served(tmp_path / "cup") as server, desk(chromium, server.page) as director:
        base = "/".join(server.page.split("/", 3)[:3])
        with desk(chromium, f"{base}/live/go") as phone:
            phone.page.set_viewport_size({"width": width, "height": 800})
            phone.page.get_by_label("Your whole name, or the code on your last sheet").fill("bo ek")
            phone.page.get_by_role("button", name="I go home").click()
            phone.page.wait_for_selector("text=✓ Bo Ek")
            assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page = director.page
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(f"{base}/desk")
        offer = page.locator("#say-going")
        offer.wait_for()
        assert "1 says by telephone: I go home" in offer.inner_text()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        offer.get_by_role("button", name="Has gone home").click()
        page.wait_for_selector("#say-going", state="detached")
    with open_event(tmp_path / "cup", now) as event:
        assert [player.name for player in event.players if player.left] == ["Bo Ek"]


def test_who_declines_a_pool_on_the_page_is_replaced_by_the_next(chromium: Any, tmp_path: Path) -> None:
    (tmp_path / "pools.toml").write_text(POOLS, "utf-8")
    with event_of(tmp_path, str(tmp_path / "pools.toml"), [Player(name=name) for name in names(21)]) as event:
        numbers = tuple(event.people.number_of(player.name, "") for player in event.players)
        event.facts.write(LotsDrawn(why="", players=numbers), "Tess")
        for number in (1, 2):
            seated(event, number)
            play(event, number)

    def in_pool() -> set[str]:
        with open_event(tmp_path / "cup", now) as event:
            boards = [board for board in seatings(event).values() if board.round == 3 and board.pool == "Champions"]
            assert len(boards) == 1
            return {name for name in boards[0].players.values() if name}

    with served(tmp_path / "cup") as server, desk(chromium, server.page) as opened:
        page = opened.page
        page.goto(f"{'/'.join(server.page.split('/', 3)[:3])}/desk?round=3")
        page.get_by_role("button", name="Draw round 3", exact=True).click()
        page.wait_for_selector("h3 >> text=, Champions", state="attached")
        first = in_pool()
        declines = sorted(first)[2]
        page.locator("#draw > details > summary").click()
        page.get_by_text("who sits out or plays twice, the final table, a seed of your own").click()
        page.get_by_role("group", name="play, but not at the final table or in a pool:").get_by_label(declines).check()
        page.get_by_role("button", name="Draw again…", exact=True).click()
        page.get_by_role("button", name="Draw it again", exact=True).click()
        page.wait_for_selector(
            f"li >> text={declines} would play in the pool Champions, and declines", state="attached"
        )
    assert first - in_pool() == {declines}
    assert len(in_pool()) == 7
