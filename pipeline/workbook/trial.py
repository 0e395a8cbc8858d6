"""Try the workbook of a rules file before the event, so that rules that no formula can express are reported then."""

from msgspec.structs import replace

from pipeline.board.map import Power
from pipeline.problems import Stopped
from pipeline.rules.rules_check import TYPICAL, Fault, make_board
from pipeline.scoring.results import Entrant, EventResults, Seat
from pipeline.scoring.rules import ScoringRules
from pipeline.scoring.score import score
from pipeline.workbook.write import write_workbook


def unwritable(rules: ScoringRules) -> tuple[Fault, ...]:
    """What the rules ask for that the workbook cannot compute."""
    names = dict(zip(Power, "ABCDEFG", strict=True))
    board = replace(make_board(TYPICAL), seats={power: Seat(player=name) for power, name in names.items()})
    event = EventResults(boards=(board,), players={name: Entrant(name=name) for name in names.values()})
    try:
        write_workbook(score(event, rules), title="check")
    except Stopped as stopped:
        return tuple(Fault(None, problem.where, problem.text) for problem in stopped.problems)
    return ()
