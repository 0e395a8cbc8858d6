"""What typed lines mean, and which own unit a row is about, whatever is written on it."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from desk.cup import clock, hand_in_all, printed, spring
from pipeline.board import Power
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.review.meaning import take_typed, unit_of_row
from pipeline.desk.ruling.desk import Desk
from pipeline.paper.sheet_rows import Design

UNITS = {Power.AUSTRIA: ["A BUD", "A VIE", "F TRI"], Power.RUSSIA: ["A MOS", "A WAR", "F SEV", "F STP/SC"]}


@pytest.mark.parametrize("design", Design)
@pytest.mark.parametrize("power", UNITS)
def test_a_row_is_about_the_unit_printed_in_it_and_one_without_a_line_about_its_own(
    tmp_path: Path, design: Design, power: Power
) -> None:
    with open_event(printed(tmp_path / "cup", design=design), clock) as event:
        hand_in_all(event)
        game, desk, turn = find_game(event, "1"), Desk.of(event), spring(power)
        rows = desk.power(game, power).rows
        found = [str(unit_of_row(desk, game, turn, row) or "") for row in rows if row.line]
        assert sorted(filter(None, found)) == ([] if design is Design.LINE else UNITS[power])
        for unit in UNITS[power]:
            absent = replace(rows[0], line=0, unit=unit[2:5])
            assert str(unit_of_row(desk, game, turn, absent)) == unit
        for province in ("", "PAR"):
            assert unit_of_row(desk, game, turn, replace(rows[0], line=0, unit=province)) is None
        assert unit_of_row(desk, game, turn, replace(rows[0], line=99)) is None


def test_the_name_of_the_player_below_typed_orders_is_a_signature(tmp_path: Path) -> None:
    with open_event(printed(tmp_path / "cup"), clock) as event:
        game, turn = find_game(event, "1"), spring(Power.AUSTRIA)
        name = game.seating.players[Power.AUSTRIA]
        take_typed(
            Desk.of(event),
            game,
            turn,
            ["A Vie - Gal", "A Bud - Ser", "F Tri - Alb", f"- {name}"],
            "",
            by="me",
            sure=[f"- {name}"],
        )
        rows = Desk.of(event).power(game, Power.AUSTRIA).rows
        assert [str(row.order) for row in rows if row.order] and not any(row.needs_director for row in rows)
