"""A rehearsal on pads: one print-out, some pads ticked wrongly, and every one of these is asked about."""

from pathlib import Path

import pytest

from pipeline.board import Phase, Power
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.sheets.pads import Ticked
from pipeline.reading.recogniser import NoRecogniser
from pipeline.rehearsal.rehearse import Plan, rehearse
from pipeline.rehearsal.simulated_scans import WRONG, PadStacks, _right_ticks, _ticks_of
from pipeline.rehearsal.simulation import Listener

TURNS = [
    Turn(f"1.{board}", Phase.read(phase), power)
    for board in range(1, 30)
    for phase in ("S1901M", "F1901R", "W1901A", "S1902M")
    for power in Power
]


def test_wrong_ticks_never_name_the_phase_and_come_now_and_then() -> None:
    wrong = [(turn, ticks) for turn in TURNS if (ticks := _ticks_of(turn, 1))]
    assert WRONG / 2 < len(wrong) / len(TURNS) < 2 * WRONG
    assert all(Ticked.of(frozenset(ticks), turn.phase.step).phase != turn.phase for turn, ticks in wrong)
    assert all(
        Ticked.of(frozenset(_right_ticks(turn.phase)), turn.phase.step).phase == turn.phase for turn in TURNS[:28]
    )


def test_a_stack_is_dealt_from_the_top_and_printed_again_when_it_is_used_up(event: Event) -> None:
    stacks, game = PadStacks(event, 2, 1), find_game(event, "1")
    first, second, third = (stacks.take(game, Power.ITALY) for _ in range(3))

    assert len({first, second, third}) == 3
    assert [len(printed.layout.pages) for printed in stacks.printed] == [7 * (2 + 1 + 1), 7 * 2]


@pytest.mark.slow
def test_an_event_runs_on_pads_and_no_wrong_season_goes_by_unasked(tmp_path: Path) -> None:
    found = rehearse(Plan(boards=1, seasons=2, seed=21, on_pads=True), tmp_path, NoRecogniser(), Listener())

    assert found["rows"] > 30
    assert found["season_slips"] >= 3
    assert found["season_slips_unasked"] == []
    assert (found["wrong_unasked"], found["differs_after_ruling"]) == (0, 0), found["differences"]
