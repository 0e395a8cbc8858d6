"""A board of six beside one of seven: every door takes what is played there, and knows of no Turkey (EDC23 B)."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import run
from desk.cup import clock
from facts_as_kept import append_fact, read_facts
from msgspec.structs import replace

from pipeline.board import Phase, Power, _sandard_map, starting_position
from pipeline.desk.event.event import open_event
from pipeline.desk.event.event_file import Details
from pipeline.desk.event.make_event import make_event_folder
from pipeline.desk.event.seating import Special, seat_round
from pipeline.desk.publish.explain import check_event
from pipeline.desk.results.results import event_results, scored_event
from pipeline.draw.roster import Player
from pipeline.orders import write_position
from pipeline.rehearsal.simulation import rehearse_ends
from pipeline.web.server import open_office
from web.conftest import SEATS, Browser

NAMES = [f"P{number:02}" for number in range(1, 15)]
SIX = [power for power in Power if power is not Power.TURKEY]
PLAIN = {"A MAR": "A MARS"}  # three letters may mean Morocco (EDC23 G)


def event_of(folder: Path, phase: str = "S1901M") -> Path:
    """Board 1.1 of seven, board 1.2 of six; one player is left, who comes later."""
    details = Details(name="Paris", code="MXED", tournament="edc2023")
    make_event_folder(folder, details, [Player(name=n) for n in NAMES], clock)
    seats: dict[str, dict[Power, str]] = {
        "1": dict(zip(Power, NAMES[:7], strict=True)),
        "2": dict(zip(SIX, NAMES[7:13], strict=True)),
    }
    with open_event(folder, clock) as event:
        seat_round(event, 1, seats, by="Tess", special=Special(maps={"2": "sandard"}))
        if phase != "S1901M":
            at = write_position(replace(starting_position(_sandard_map()), phase=Phase.read(phase)))
            append_fact(event.facts, "position set", {"board": "1.2", "position": at}, "Tess")
    return folder


@pytest.fixture
def doors(tmp_path: Path) -> Iterator[tuple[Path, Browser]]:
    """The same event for the command, and before a browser."""
    with open_office(event_of(tmp_path / "page", "F1907M"), SEATS, is_lan=True) as office:
        yield event_of(tmp_path / "command", "F1907M"), Browser(office, "Tess")


def written(event: Any) -> list[tuple[str, str]]:
    return [(fact.kind, json.dumps(fact.body, sort_keys=True)) for fact in read_facts(event.facts)]


def test_typing_an_end_a_vote_and_notes_write_the_same_facts_by_page_and_by_command(
    doors: tuple[Path, Browser],
) -> None:
    cup, tess = doors
    units = {power: [str(u) for u in own] for power, own in starting_position(_sandard_map()).units.items()}
    for power in SIX:
        turn = f"1.2 F1907M {power}"
        lines = tess.client.get("/api/legal", params={"turn": turn}).json()["lines"]
        assert [unit for unit, _ in lines] == units[power]
        tess.look()
        typed = ["h"] * len(lines)
        key: dict[str, Any] = {"units": units[power], "values": typed, "sure": []}
        tess.post("/api/act", token=turn, board="1.2", do="type", **key)
        whole = [word for unit in units[power] for word in ("--type", f"{PLAIN.get(unit, unit)} h")]
        run("rule", cup, "--board", "1.2", "--power", power, "--by", "Tess", *whole)
    note = {"board": "1.2", "power": "RUSSIA", "player": "P14", "phase": "F1905"}
    tess.post("/api/notes/enter", what="substitute", values=note, why="ill")
    run("enter", cup, "substitute", "1.2", "RUSSIA", "P14", "F1905", "--why", "ill", "--by", "Tess")
    (shown,) = tess.client.get("/api/tables/may-end", params={"board": "1.2", "how": "time"}).json()["boards"]
    assert "Turkey" not in " ".join(shown["words"])
    tess.post("/api/tables/end", board="1.2", how="time", why="the hall closes")
    run("end", cup, "--board", "1.2", "--how", "time", "--why", "the hall closes", "--by", "Tess")
    with open_event(cup, clock) as event:
        assert written(event) == written(tess.opened.office.event)
        assert list(check_event(event)) == []
        (board,) = event_results(event).boards
        assert (board.total, set(board.seats), board.seats[Power.RUSSIA].player) == (31, set(SIX), "P14")


def test_no_door_knows_a_turkey_there(doors: tuple[Path, Browser]) -> None:
    cup, tess = doors
    tess.post("/api/act", 422, token="1.2 F1907M TURKEY", board="1.2", do="type", values=["A CON H"])
    seat_of = {"board": "1.2", "power": "TURKEY"}
    for what, values in {"substitute": {"player": "P14", "phase": "F1905"}, "score": {"score": "3"}}.items():
        said = tess.post("/api/notes/enter", 422, what=what, values={**seat_of, **values}, why="x")["said"]
        assert "nobody plays TURKEY on board 1.2" in said
    game = next(each for each in tess.client.get("/api/tables").json()["games"] if each["board"] == "1.2")
    assert "TURKEY" not in json.dumps(game).upper()
    assert "TURKEY is not in this game" in run(
        "rule", cup, "--board", "1.2", "--power", "turkey", "--type", "A CON H", code=2
    )


def test_a_result_of_six_is_typed_with_31_centres_and_no_centre_is_missed(tmp_path: Path) -> None:
    cup = event_of(tmp_path / "cup")
    year = ["--year", "1901 A4 E4 F5 G5 I4 R4 N5", "--year", "1907 A6 E4 F6 G5 I4 R5 N1"]
    assert "the board has 31" in run("enter", cup, "result", "1.2", "time", "--year", "1907 A9 E9 F9 G7", code=2)
    run("enter", cup, "result", "1.2", "time", *year, "--why", "upstairs")
    with open_event(cup, clock) as event:
        assert scored_event(event).doubts == ()
        assert list(check_event(event)) == []


def test_a_rehearsal_ends_boards_of_six_in_every_way(tmp_path: Path) -> None:
    assert rehearse_ends("edc2023", tmp_path / "ends", map_name="sandard") == []
