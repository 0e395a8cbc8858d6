"""What a page says of one round or board is about that one alone, whatever is decided of another."""

from typing import Any

import pytest
from desk.cup import NAMES
from facts_as_kept import append_fact
from msgspec.structs import replace

from pipeline.board import Phase, Power
from pipeline.desk.event.ending import commit_roll, reveal_roll
from pipeline.desk.event.lots import OpenLots
from pipeline.desk.event.seating import seat_round
from pipeline.desk.players import Called, enter_roll_call, tell_seats
from pipeline.desk.review.queue import Check, agenda_by_name
from pipeline.desk.sheets.printing import print_round
from pipeline.ledger.parts import About
from pipeline.orders import write_position
from pipeline.problems import Stopped
from pipeline.web.office import CheckIn
from pipeline.web.screen import _newest
from pipeline.web.server import Opened
from web.conftest import Browser

MOVED = dict(zip(NAMES, [*[*NAMES.values()][1:], "Ada"], strict=True))  # who sits where in round 2
OF_ALL = {"number", "shown"}  # of the page, whatever it is about


def asked(browser: Browser, path: str) -> dict[str, Any]:
    answer = browser.client.get(path)
    assert answer.status_code == 200, (path, answer.text)
    found: dict[str, Any] = answer.json()
    return {key: value for key, value in found.items() if key not in OF_ALL}


def begin_second_round(opened: Opened) -> None:
    """Round 2 is called, drawn, printed and told; some say by phone that they are here."""
    event = opened.office.event
    opened.office.say_here[2] = {"Gil": CheckIn("telephone"), "Eva": CheckIn("telephone")}
    enter_roll_call(event, 2, {Called.HERE: ["Ada", "Bo"], Called.LATER: ["Cem"]}, by="Tess")
    seal_lot(opened, 2)
    seat_round(event, 2, {"1": MOVED}, by="Tess", notes=["Ada sits as Turkey again"])
    print_round(event, 2)
    tell_seats(event, 2, "Tess")


def seal_lot(opened: Opened, number: int) -> None:
    """A lot waits for a word, in a round."""
    drawing = OpenLots(event=opened.office.event, claims=opened.office.claims, round=number, by="Tess")
    with pytest.raises(Stopped):
        drawing.draw(About.FIELD, ["Ada", "Bo"], 1)


def set_phase(opened: Opened, board: str, phase: str) -> None:
    with opened.office.inside() as live:
        position = replace(live.games[board].position, phase=Phase.read(phase))
    said = {"board": board, "position": write_position(position)}
    append_fact(opened.office.event.facts, "position set", said, "Tess")


def roll_die(opened: Opened, number: int, phase: str, seed: str, word: str) -> None:
    """Roll a die in a round, the board of which is at the end of a Fall."""
    event, claims = opened.office.event, opened.office.claims
    set_phase(opened, f"{number}.1", phase)
    commit_roll(event, claims, number, seed, "Tess")
    reveal_roll(event, claims, number, word, "Tess")


@pytest.fixture
def both(opened: Opened, tess: Browser) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the page of round 1 says before there is a second, and then."""
    tell_seats(opened.office.event, 1, "Tess")
    before = asked(tess, "/api/day?round=1")
    begin_second_round(opened)
    return before, asked(tess, "/api/day?round=1")


def test_what_a_page_says_of_one_round_does_not_change_by_the_next(both: tuple[dict[str, Any], dict[str, Any]]) -> None:
    before, after = both
    sits = [[player.pop("sits") for player in view["roll"]["players"]] for view in both]
    assert [len(each) for each in sits[1]] == [len(each) + 1 for each in sits[0]], "where he sits now, in both rounds"
    assert after == before


def test_the_page_of_the_second_round_speaks_of_it_alone(opened: Opened, tess: Browser) -> None:
    begin_second_round(opened)
    day = asked(tess, "/api/day?round=2")
    (board,) = day["boards"]
    assert [lot["names"] for lot in day["lots"]] == [["Ada", "Bo"]]
    assert day["notes"] == ["Ada sits as Turkey again"]
    assert (day["round"], board["board"], day["round_over"], day["told"]) == (2, "2.1", 0, True)
    assert (board["in"], board["of"], len(board["missing"]), board["awaited"]) == (0, 7, 7, 7)
    assert (board["settle"], board["checks"], board["open"], board["printed"]) == (0, 0, 0, True)
    assert {each["power"]: each["player"] for each in board["absent"]} == {p.title(): w for p, w in MOVED.items()}
    assert [each["boards"] for each in day["prints"]] == [["2.1"]]
    assert day["prints"][0]["sheets"] == 7
    assert day["prints"][0]["url"] == f"/print/sheets/{day['prints'][0]['number']}.pdf"
    assert day["roll"]["counts"] == {"here": 2, "later": 1, "away": 0, "not yet": 4, "gone": 0}
    says = {player["name"] for player in day["roll"]["players"] if player["says_here"]}
    assert says == {"Gil", "Eva"}
    assert day["roll"]["devices"] == [{"count": 2, "names": ["Eva", "Gil"]}]
    states = {step["step"]: (step["state"], step["word"]) for step in day["steps"]}
    assert states == {
        "roll": ("done", "2 here, 4 not called yet"), "draw": ("now", "a lot waits for a word"),
        "seats": ("done", "public"),
        "print": ("done", "printed"), "scan": ("now", "0 of 7 in"), "doubts": ("later", "after a scan"),
        "publish": ("later", "none ready"), "end": ("later", "0 of 1 board over"),
        "standings": ("later", "after the games"),
    }  # fmt: skip


def test_the_screen_shows_the_round_that_was_told_last_and_the_clock_that_was_drawn_last(
    opened: Opened, tess: Browser
) -> None:
    tell_seats(opened.office.event, 1, "Tess")
    roll_die(opened, 1, "W1908A", "0ld", "elk")
    shown = asked(tess, "/api/clock")
    assert (shown["round"], [board["board"] for board in shown["boards"]]) == (1, ["1.1"])
    assert [(roll["round"], roll["seed"], roll["word"]) for roll in shown["dice"]] == [(1, "0ld", "elk")]
    begin_second_round(opened)
    roll_die(opened, 2, "W1909A", "5eed", "owl")
    shown = asked(tess, "/api/clock")
    assert (shown["round"], [board["board"] for board in shown["boards"]]) == (2, ["2.1"])
    assert {power: player for power, _, player in shown["boards"][0]["seats"]} == MOVED
    assert [(roll["round"], roll["seed"], roll["word"]) for roll in shown["dice"]] == [(2, "5eed", "owl")]
    games = opened.office.live.games.values()
    assert [game.name for game in _newest(games)] == ["2.1"]
    assert _newest([]) == []
    assert [plan["label"] for plan in shown["plans"]] == ["Spring 1910"]
    tables = asked(tess, "/api/tables")
    assert [(roll["round"], roll["seed"]) for roll in tables["rolls"]] == [(1, "0ld"), (2, "5eed")]
    assert (tables["rounds"], tables["told"], tables["over"]) == ([1, 2], [1, 2], False)
    assert [game["board"] for game in tables["games"]] == ["1.1", "2.1"]


def test_boards_name_whose_sheet_is_missing_to_directors_alone(opened: Opened, tess: Browser, anna: Browser) -> None:
    begin_second_round(opened)
    for browser, is_named in ((tess, True), (anna, False)):
        first, second = asked(browser, "/api/boards")["boards"]
        for board, seats in ((first, NAMES), (second, MOVED)):
            players = {each["power"]: each["player"] for each in board["powers"]}
            assert players == {power.title(): who if is_named else "" for power, who in seats.items()}
            assert {each["turn"] for each in board["powers"]} == {f"{board['board']} S1901M {power}" for power in Power}
        assert (first["in"], first["missing"], second["in"]) == (7, [], 0)
        assert {each["power"] for each in first["powers"] if each["open"]} == {"Austria"}
        assert not any(each["open"] or each["in"] for each in second["powers"])


def test_what_waits_on_a_board_and_what_is_printed_for_it_is_counted_of_its_own(opened: Opened, tess: Browser) -> None:
    begin_second_round(opened)
    (board,) = asked(tess, "/api/day?round=1")["boards"]
    with opened.office.inside() as live:
        waiting = [item for item, _ in agenda_by_name(live)]
    checks = [item for item in waiting if isinstance(item, Check)]
    assert len(checks) < len(waiting)
    assert (board["board"], board["checks"], board["settle"]) == ("1.1", len(checks), 2)
    set_phase(opened, "1.1", "F1901M")
    first, second = asked(tess, "/api/boards")["boards"]
    assert (first["in"], len(first["missing"]), first["awaited"]) == (0, 7, 0), "nothing is printed for the Fall"
    assert (second["in"], len(second["missing"]), second["awaited"]) == (0, 7, 7)


def test_a_round_is_told_to_be_over_on_the_page_of_the_next_alone(opened: Opened, tess: Browser) -> None:
    begin_second_round(opened)
    assert asked(tess, "/api/day?round=3")["round_over"] == 0
    set_phase(opened, "2.1", "S1909M")
    tess.post("/api/tables/end", board="2.1", how="time", why="late")
    over = [asked(tess, f"/api/day?round={number}")["round_over"] for number in (1, 2, 3)]
    assert over == [0, 0, 2], "round 1 goes on"
