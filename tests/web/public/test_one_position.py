"""Whatever is public comes from one position with its date, and names everybody, also who sits out."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from desk.cup import clock
from desk.moot import PEOPLE, drawn, play_on
from msgspec.structs import replace

from pipeline.board import Phase, Power
from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.settings import change_setting
from pipeline.desk.players import Called, add_player, enter_roll_call, seats_of, tell_seats
from pipeline.desk.publish.dutchmen import set_position
from pipeline.desk.signs import seats_pdf
from pipeline.ledger.events import ResultEntered, StandingsOpened
from pipeline.paper.printed_list import SeatPart
from pipeline.scoring.results import Ending
from pipeline.web.server import open_office
from web.conftest import SEATS, Browser, Time, stranger


@pytest.fixture
def moot(tmp_path: Path) -> Iterator[Event]:
    with open_event(drawn(tmp_path / "moot", tournament="edc2023", more='language = "de"'), clock) as event:
        yield event


def jump(event: Event, to: str = "S1904M") -> None:
    """Set a board to a later year, in which Austria has one centre more."""
    game = play_on(event, "1.1", "S1902M")
    centres = dict(game.position.centres) | {Power.AUSTRIA: (*game.position.centres[Power.AUSTRIA], "RUM", "BUL")}
    centres = {power: tuple(place for place in owned if power is Power.AUSTRIA or place not in ("RUM", "BUL"))
               for power, owned in centres.items()}  # fmt: skip
    set_position(event, game, replace(game.position, phase=Phase.read(to), centres=centres), "Tess", "played on paper")


def board_told(folder: Path) -> dict[str, object]:
    """What the screen is told of board 1.1."""
    with open_office(folder, SEATS, is_lan=True, clock=Time()) as opened:
        (board,) = (
            b for b in Browser(opened, "beamer").client.get("/api/clock").json()["boards"] if b["board"] == "1.1"
        )
        return dict(board)


def page_of(folder: Path, path: str) -> str:
    with open_office(folder, SEATS, is_lan=True, clock=Time()) as opened:
        return str(stranger(opened).get(path).text)


def test_counts_map_and_years_are_of_the_position_that_was_set_and_say_its_date(moot: Event) -> None:
    jump(moot)
    count = len(find_game(moot, "1.1").position.centres[Power.AUSTRIA])
    end_game(moot, find_game(moot, "1.1"), Ending.TIME, by="Tess", why="late")
    told = board_told(moot.folder)
    assert (told["map"], told["orders"], told["published"]) == ("now", told["orders"], "")
    assert all(not orders for _, orders in told["orders"])  # type: ignore[attr-defined]
    assert (told["by_hand"], told["counted"]) == ("Stellung: Frühjahr 1904", "nach Herbst 1903")
    assert ["AUSTRIA", count] in told["counts"]  # type: ignore[operator]
    page = page_of(moot.folder, "/live/board/1.1")
    assert "/live/map/1.1/now" in page.split("</figure>")[0]
    years = re.findall(r'<th scope="col" class="n">(\d\d)</th>', page)
    assert years == ["01", "03"]
    assert "nach Herbst 1903" in page


def test_the_map_is_of_the_last_phase_again_when_the_board_goes_on(moot: Event) -> None:
    jump(moot)
    play_on(moot, "1.1", "F1904M")
    told = board_told(moot.folder)
    assert (told["map"], told["by_hand"], told["counted"]) == ("S1904M", "", "nach Herbst 1903")


def test_a_board_whose_result_was_entered_shows_its_counts_and_no_map(moot: Event) -> None:
    play_on(moot, "1.1", "F1901M")
    years = {year: dict.fromkeys(Power, 4) | {Power.RUSSIA: year - 1900} for year in (1901, 1907)}
    moot.facts.write(ResultEntered(board="1.1", form="", ended="time", years=years), "Tess")
    tell_seats(moot, 1, "Tess")
    told = board_told(moot.folder)
    assert (told["map"], told["published"], told["entered"], told["chart"]) == ("", "", "nach Herbst 1907", True)
    assert told["orders"] == [], "of the phase that was published before"
    assert ["RUSSIA", 7] in told["counts"]  # type: ignore[operator]
    with open_office(moot.folder, SEATS, is_lan=True, clock=Time()) as opened:
        without_script = Browser(opened, "beamer").client.get("/screen?slide=0").text
    assert "/live/map/1.1" not in without_script
    assert "<small>nach Herbst 1907" in without_script
    assert re.search(r'RUSSIA">\w+</span> [^<]*<b>&nbsp;7</b>', without_script)


def test_the_heading_of_the_standings_is_in_the_language_of_its_page(moot: Event) -> None:
    moot.facts.write(StandingsOpened(open=True), "Tess")
    with open_office(moot.folder, SEATS, is_lan=True, clock=Time()) as opened:
        asked = (("Tess", "/api/tables"), ("beamer", "/api/clock"))
        said = [Browser(opened, who).client.get(path).json()["standings_after"] for who, path in asked]
    assert said == ["before round 1 of 4", "vor Runde 1 von 4"]


def test_only_a_schedule_of_the_events_own_is_public(moot: Event) -> None:
    tell_seats(moot, 1, "Tess")
    times = moot.tournament.ending.round_times.value
    assert times and times not in page_of(moot.folder, "/live")
    change_setting(moot, "schedule", "Runde 1: Freitag, 18 Uhr", "Tess")
    assert "Runde 1: Freitag, 18 Uhr" in page_of(moot.folder, "/live")


def test_who_is_here_and_has_no_seat_is_named_wherever_seats_are(moot: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    add_player(moot, "Uma Oddone", {}, by="Tess")
    add_player(moot, "Vera Away", {}, by="Tess")
    enter_roll_call(moot, 1, {Called.HERE: (*PEOPLE, "Uma Oddone"), Called.AWAY: ("Vera Away",)}, by="Tess")
    assert seats_of(moot, 1).out == ("Uma Oddone",)
    tell_seats(moot, 1, "Tess")
    parts: list[SeatPart] = []

    def keep(found: tuple[SeatPart, ...]) -> bytes:
        parts.extend(found)
        return b""

    monkeypatch.setattr("pipeline.desk.signs.printed_list.print_seats", lambda found, *_: keep(found))
    seats_pdf(moot, seats_of(moot, 1))
    assert [block.heading for block in parts[0].blocks][-1] == "Setzen diese Runde aus"
    assert ("Uma Oddone", "setzt aus") in parts[1].blocks[0].lines
    for path, words in (
        ("/live", "Setzen diese Runde aus: Uma Oddone"),
        ("/live/seat?who=uma", "setzt in Runde 1 aus"),
    ):
        page = page_of(moot.folder, path)
        assert words in page
        assert "Vera" not in page
    with open_office(moot.folder, SEATS, is_lan=True, clock=Time()) as opened:
        tess = Browser(opened, "Tess")
        assert tess.client.get("/api/clock").json()["out"] == ["Uma Oddone"]
        assert tess.client.get("/api/day?round=1").json()["seats"]["out"] == ["Uma Oddone"]


def test_standings_name_who_has_no_game_that_is_over(moot: Event) -> None:
    end_game(moot, play_on(moot, "1.1", "S1904M"), Ending.TIME, by="Tess", why="late")
    moot.facts.write(StandingsOpened(open=True), "Tess")
    page = page_of(moot.folder, "/live/standings")
    assert f"Noch keine Partie zu Ende: {PEOPLE[7]}" in page
    with open_office(moot.folder, SEATS, is_lan=True, clock=Time()) as opened:
        told = Browser(opened, "beamer").client.get("/api/clock").json()
    assert sorted([row["player"] for row in told["standings"]] + told["standings_waiting"]) == sorted(PEOPLE)
