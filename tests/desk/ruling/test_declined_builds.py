"""A sheet that orders a build and declines all of them is asked about, and the director's rulings settle it."""

from pathlib import Path

import pytest

from desk.cup import clock, seated
from pipeline.board import Phase, Power
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.ruling.desk import Desk, rule_by_number
from pipeline.desk.ruling.rulings import RowDecision, type_lines
from pipeline.orders import write, write_position


@pytest.mark.parametrize(
    ("rulings", "left"), [(("nothing", "A BUD B"), ["A BUD B"]), (("WAIVE", "nothing"), ["WAIVE"])], ids=str
)
def test_a_build_beside_no_builds_is_asked_and_what_is_ruled_stands(
    tmp_path: Path, rulings: tuple[str, ...], left: list[str]
) -> None:
    with open_event(seated(tmp_path / "cup"), clock) as event:
        now = write_position(find_game(event, "1").position)
        units = now["units"] | {"AUSTRIA": ["A VIE", "F TRI"]}
        position = now | {"phase": "W1901A", "units": units}
        event.facts.append("position set", {"board": "1.1", "position": position}, "Tess")
        austria = Turn("1.1", Phase.read("W1901A"), Power.AUSTRIA)
        type_lines(event, austria, ["No builds", "A BUD B"], by="Tess")
        assert Desk.of(event).power(find_game(event, "1"), Power.AUSTRIA).is_open
        for line, order in enumerate(rulings, start=1):
            rule_by_number(event, austria, line, RowDecision(order=order, why="asked him"), "Tess")
        assert not Desk.of(event).power(find_game(event, "1"), Power.AUSTRIA).is_open
        assert [write(order) for order in Desk.of(event).power(find_game(event, "1"), Power.AUSTRIA).orders] == left
