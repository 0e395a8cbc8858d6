"""What a page says of a board, a unit or a row is about that one alone, whatever there is beside it."""

import re
from pathlib import Path
from typing import Any

from desk.cup import clock
from desk.moot import drawn, play_on, publish_next
from facts_as_kept import append_fact
from msgspec.structs import replace

from pipeline.board import Dislodged, Phase, Power, starting_position
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.forms.form_printing import Wanted, print_wanted
from pipeline.desk.players import tell_seats
from pipeline.desk.results.notes import enter_note
from pipeline.desk.sheets.printing import print_round
from pipeline.judge.adjudicate import legal_orders
from pipeline.judge.rulebook import DATC
from pipeline.orders import read_unit, write, write_position
from pipeline.paper.form import FormKind
from pipeline.web.server import Opened, open_office
from web.conftest import SEATS, Browser, Time

PEOPLE = tuple(f"Nr{number}" for number in range(14))
BOARD, OTHER = "1.1", "1.2"


def said_of(tess: Browser) -> dict[str, Any]:
    """All that pages say of a board."""

    def asked(path: str) -> Any:
        answer = tess.client.get(path)
        assert answer.status_code == 200, (path, answer.text)
        return answer.json()

    def of_board(path: str, name: str) -> list[Any]:
        return [each for each in asked(path)[name] if each["board"] == BOARD]

    played = of_board("/api/correct", "boards")[0]["phases"]
    lists = {"/api/day?round=1": "boards", "/api/boards": "boards", "/api/tables": "games", "/api/clock": "boards",
             "/api/capture/missing": "boards", "/api/correct": "boards", "/api/forms": "forms"}  # fmt: skip
    found: dict[str, Any] = {path: of_board(path, name) for path, name in lists.items()}
    pages = [f"/api/tables/position?board={BOARD}"]
    pages += [f"/api/correct?board={BOARD}&phase={phase}" for phase, _ in played]
    for path in pages:
        view = asked(path)
        shown = {thing: mark for thing, mark in view.pop("shown").items() if BOARD in thing}
        found[path] = {key: value for key, value in view.items() if key != "boards"} | {"rests on": shown}
    for path in (f"/map/board/{BOARD}", f"/live/board/{BOARD}", *(f"/live/board/{BOARD}/{p}" for p, _ in played)):
        found[path] = re.sub(r'data-newest="\d+"', "", tess.client.get(path).text)
    return found


def play_at_the_other(opened: Opened, tess: Browser) -> None:
    """All kinds of things happen at the other board."""
    event = opened.office.event
    for came in (1, 0):  # what is typed counts in its phase
        print_round(event, None, OTHER)
        unit = find_game(event, OTHER).position.units[Power.FRANCE][0]
        token = f"{OTHER} {find_game(event, OTHER).position.phase} FRANCE"
        if came:
            tess.post("/api/act", do="type", token=token, values=[f"{unit} H"], units=[], sure=[])
        boards = tess.client.get("/api/capture/missing").json()["boards"]
        assert [each["in"] for each in boards if each["board"] == OTHER] == [came]
        publish_next(event, find_game(event, OTHER))
    print_wanted(event, Wanted(kind=FormKind.VOTE, board=OTHER))
    who = {"board": OTHER, "power": "FRANCE", "player": "nobody", "phase": "F1901M"}
    enter_note(event, "substitute", who, by="Tess", why="ill")
    position = replace(find_game(event, OTHER).position, phase=Phase.read("S1909M"))
    append_fact(event.facts, "position set", {"board": OTHER, "position": write_position(position)}, "Tess")
    tess.post("/api/tables/vote", board=OTHER, power="FRANCE", moment="negotiation", counted={"yes": 0, "no": 7})
    tess.post("/api/tables/end", board=OTHER, how="time", why="late")


def test_what_is_done_at_one_board_changes_nothing_that_is_said_of_another(tmp_path: Path) -> None:
    folder = drawn(tmp_path / "moot", PEOPLE)
    with open_event(folder, clock) as event:
        tell_seats(event, 1, "Tess")
        play_on(event, BOARD, "W1901A")
        print_round(event, 1)
    with open_office(folder, SEATS, is_lan=True, clock=Time()) as opened:
        tess = Browser(opened, "Tess")
        before = said_of(tess)
        play_at_the_other(opened, tess)
        after = said_of(tess)
    for path, said in before.items():
        assert said == after[path], path


def test_of_a_power_that_retreats_or_builds_its_own_units_are_asked_and_what_each_may_do(
    opened: Opened, tess: Browser
) -> None:
    start = starting_position(opened.office.event.board)
    gone: dict[Power, dict[str, tuple[str, ...]]] = {
        Power.AUSTRIA: {"A VIE": ("BOH", "GAL"), "A BUD": ("GAL", "RUM")},
        Power.RUSSIA: {"A WAR": ("LVN", "UKR")},
        Power.ITALY: {"F NAP": ("ION",)},
    }
    dislodged = tuple(
        Dislodged(power, read_unit(text), "TYR", ways) for power, texts in gone.items() for text, ways in texts.items()
    )
    units = {power: tuple(u for u in own if str(u) not in gone.get(power, {})) for power, own in start.units.items()}
    position = replace(start, phase=Phase.read("S1901R"), units=units, dislodged=dislodged)
    append_fact(opened.office.event.facts, "position set", {"board": "1.1", "position": write_position(position)}, "T")
    slots = tess.look()["item"]["slots"]
    asked = [(Power(slot["power"].upper()), slot["what"].split(" dislodged")[0]) for slot in slots]
    assert sorted(asked) == sorted((power, text) for power, texts in gone.items() for text in texts)
    for slot, (power, unit) in zip(slots, asked, strict=True):
        assert slot["turn"] == f"1.1 S1901R {power}"
        possible = legal_orders(opened.office.event.board, position, power, DATC)
        assert [each["order"] for each in slot["options"]] == [write(o) for o in possible if write(o).startswith(unit)]
        assert [each["key"] for each in slot["options"]] == [*map(str, range(1, len(slot["options"]))), "D"]
