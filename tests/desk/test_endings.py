"""A power that owns enough centres after a Fall has won, and the counts of every year are the result's."""

from typing import Any

from pipeline.board.map import Power
from pipeline.desk.event import Event
from pipeline.desk.games import find_game
from pipeline.desk.play import publish
from pipeline.desk.results import event_results
from pipeline.desk.rulings import type_lines
from pipeline.desk.turn import Turn
from pipeline.scoring.results import Ending

CENTRES = [
    "ANK",
    "BEL",
    "BER",
    "BRE",
    "BUD",
    "BUL",
    "CON",
    "DEN",
    "EDI",
    "GRE",
    "HOL",
    "KIE",
    "LON",
    "LVP",
    "MAR",
    "MUN",
    "NAP",
]


def set_up(event: Event, centres: list[str], italian: str) -> None:
    """One Italian unit a centre, and Austria with one unit far away; Fall 1905."""
    units = [f"A {centre}" for centre in centres]
    value: dict[str, Any] = {
        "phase": "F1905M",
        "units": {"ITALY": [*units, italian], "AUSTRIA": ["A MOS"]},
        "centers": {"ITALY": centres, "AUSTRIA": ["MOS"]},
    }
    event.facts.append("position set", {"board": "1.1", "position": value | {"dislodged": []}}, "Tess")


def play(event: Event, italian: str) -> None:
    phase = find_game(event, "1").position.phase
    units = find_game(event, "1").position.units
    lines = [f"{unit} H" for unit in units[Power.ITALY] if not italian.startswith(str(unit))]
    type_lines(event, Turn("1.1", phase, Power.ITALY), [italian, *lines], by="Tess")
    type_lines(event, Turn("1.1", phase, Power.AUSTRIA), ["A MOS H"], by="Tess")
    publish(event, "1", "Tess")


def test_the_eighteenth_centre_ends_the_game_even_when_nobody_builds(event: Event) -> None:
    set_up(event, CENTRES, "A APU")

    play(event, "A APU - ROM")

    assert find_game(event, "1").ended == Ending.SOLO
    board = event_results(event).boards[0]
    assert (board.centres[Power.ITALY], board.years[1905][Power.ITALY]) == (18, 18)


def test_seventeen_centres_go_on(event: Event) -> None:
    set_up(event, CENTRES, "A APU")

    play(event, "A APU H")

    assert find_game(event, "1").ended is None
    assert event_results(event).boards == ()
    assert event_results(event, running=True).boards[0].years == {
        1905: {p: {Power.ITALY: 17, Power.AUSTRIA: 1}.get(p, 0) for p in Power}
    }
