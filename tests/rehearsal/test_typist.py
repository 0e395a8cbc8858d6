"""Whole events at the keyboard: every order that is typed, in whatever way, is the order that was typed."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from desk.cup import clock, seated
from facts_as_kept import append_fact, read_facts
from msgspec.structs import replace
from sampled import slow_after

from pipeline.board import Phase, Power, starting_position
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import Game, find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rulings import NOTHING, RowDecision, rule_row
from pipeline.orders import write, write_position
from pipeline.reading.recogniser import NoRecogniser
from pipeline.rehearsal.rehearse import InventedScript
from pipeline.rehearsal.simulated_scans import TypingWay, type_sheet
from pipeline.rehearsal.simulation import Listener, ScriptedSheet, Simulation
from pipeline.rules.load import tournament_ids


class Typed(InventedScript, frozen=True):
    """Nobody writes on paper."""

    def is_typed(self, turn: Turn) -> bool:
        """Every sheet is typed."""
        return True


class Keyboard(Simulation, frozen=True):
    """Nothing is printed."""

    def written(self, game: Game, sheets: Mapping[Power, ScriptedSheet]) -> Iterator[Path]:
        """No paper."""
        assert not any(sheet.is_on_paper for sheet in sheets.values())
        return iter(())


@pytest.mark.parametrize("tournament", slow_after(2, tournament_ids()))
def test_an_event_that_is_typed_is_what_was_meant_in_all_of_it(tmp_path: Path, tournament: str) -> None:
    with open_event(seated(tmp_path / "cup", tournament=tournament), clock) as event:
        simulation = Keyboard(event, Typed(event, 3, 4), tmp_path, NoRecogniser(), Listener())
        while simulation.play_next_phase():
            pass
        tally = simulation.tally
        assert (tally.wrong, tally.ruled_wrong) == ([], [])
        assert tally.rows == tally.typed >= 80
        assert tally.warned, "of misorders it is told what becomes of them"
        assert len(list(read_facts(event.facts, "lines typed"))) > 25


def test_what_is_told_is_written_down_where_it_is_typed_again(tmp_path: Path) -> None:
    with open_event(seated(tmp_path / "cup"), clock) as event:
        game, turn = find_game(event, "1.1"), Turn("1.1", Phase.read("S1901M"), Power.TURKEY)
        con, smy, ank = game.position.units[Power.TURKEY]
        told = type_sheet(
            event, game, turn, [TypingWay("bul", con), TypingWay("A SMY lvp", smy), TypingWay("con", ank)], "Tess"
        )
        assert "'A SMY - lvp'" in told
        rows = Desk.of(event).power(game, Power.TURKEY).rows
        assert [row.order and write(row.order) for row in rows] == ["A CON - BUL", "A SMY H", "F ANK - CON"]


def test_what_a_ruling_took_from_a_row_is_supplied_by_no_other_unasked(tmp_path: Path) -> None:
    with open_event(seated(tmp_path / "cup", tournament="edc2023"), clock) as event:
        start = starting_position(event.board)
        army, fleet = start.units[Power.RUSSIA][0], start.units[Power.RUSSIA][2]
        units = dict(start.units) | {Power.RUSSIA: (replace(army, place="RUM"), replace(fleet, place="BLA"))}
        there = replace(start, units=units, phase=Phase.read("F1902M"))
        append_fact(event.facts, "position set", {"board": "1.1", "position": write_position(there)}, "Tess")
        game, turn = find_game(event, "1.1"), Turn("1.1", there.phase, Power.RUSSIA)
        own_army, own_fleet = units[Power.RUSSIA]
        type_sheet(event, game, turn, [TypingWay("ank via", own_army), TypingWay("boh", own_fleet)], "Tess")
        rule_row(event, turn, 2, RowDecision(order=NOTHING, why="no order"), "Tess")
        implied = [row for row in Desk.of(event).power(game, Power.RUSSIA).rows if "IMPLIED" in row.flags]
        assert [(write(row.order), row.needs_director) for row in implied if row.order] == [
            ("F BLA C A RUM - ANK", True)
        ]
