"""``ordersheets rules --check``: every fault of a rules file with its line, and what some boards would pay."""

import json
from dataclasses import replace
from pathlib import Path

import click

from pipeline.board.map import Power
from pipeline.problems import Stopped, stop
from pipeline.rules.load import find_rules, tournament_ids
from pipeline.rules.rules_check import TYPICAL, CheckedRules, Fault, Payment, board_of, check_rules, payments
from pipeline.scoring.places.score import score
from pipeline.scoring.results.results import Entrant, EventResults, Seat
from pipeline.scoring.totals.rules import ScoringRules

WRONG = 2  # the exit code where the file has faults


def show_check(path: Path, *, as_json: bool) -> int:
    """Print what a look at the file finds; 2 where there are faults."""
    file = find_rules(path) if str(path) in tournament_ids() else path
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = "not text in UTF-8" if isinstance(error, UnicodeDecodeError) else error.strerror
        raise stop(f"cannot be read: {reason}; check the name", str(path)) from None
    checked = check_rules(text, file)
    if checked.tournament and (unwritable := what_no_formula_says(checked.tournament.scoring)):
        checked = replace(checked, faults=(*checked.faults, *unwritable))
    if as_json:
        click.echo(json.dumps(as_object(checked), ensure_ascii=False))
    else:
        show(checked, file.name)
    return WRONG if checked.faults else 0


def what_no_formula_says(rules: ScoringRules) -> tuple[Fault, ...]:
    """What the rules ask for that the workbook cannot compute: better told now than after the last round."""
    from pipeline.workbook.books.write import write_workbook  # noqa: PLC0415 - only a file without faults is tried

    names = dict(zip(Power, "ABCDEFG", strict=True))
    board = replace(board_of(TYPICAL), seats={power: Seat(player=name) for power, name in names.items()})
    event = EventResults(boards=(board,), players={name: Entrant(name=name) for name in names.values()})
    try:
        write_workbook(score(event, rules), title="check")
    except Stopped as stopped:
        return tuple(Fault(None, problem.where, problem.text) for problem in stopped.problems)
    return ()


def show(checked: CheckedRules, name: str) -> None:
    """Print it for people: faults first, to standard error."""
    for fault in checked.faults:
        click.echo(f"{name}: {fault}", err=True)
    if checked.tournament is None:
        return
    rules = checked.tournament.scoring
    word = "no fault" if not checked.faults else f"{len(checked.faults)} to mend"
    click.echo(f"{checked.tournament.name}: {word}; {rules.totals.rounds} rounds of {rules.system.name}")
    for paid in payments(rules):
        click.echo("\n".join(table(paid)))
    for note in checked.notes:
        click.echo(f"note: {note}")


def table(paid: Payment) -> tuple[str, str]:
    """Two lines: the centres of a board, and what each power gets, one below the other."""
    widths = [max(len(str(owned)), len(score)) for owned, score in zip(paid.centres, paid.scores, strict=True)]
    centres = "  ".join(f"{owned:>{width}}" for owned, width in zip(paid.centres, widths, strict=True))
    scores = "  ".join(f"{score:>{width}}" for score, width in zip(paid.scores, widths, strict=True))
    return f"  {paid.title:<16} {centres}", f"  {'pays':<16} {scores}"


def as_object(checked: CheckedRules) -> dict[str, object]:
    """Make the object that scripts get."""
    rules = checked.tournament.scoring if checked.tournament else None
    return {
        "faults": [{"line": fault.line, "path": fault.path, "text": fault.text} for fault in checked.faults],
        "notes": list(checked.notes),
        "pays": [
            {"board": paid.title, "centers": list(paid.centres), "scores": list(paid.scores)}
            for paid in (payments(rules) if rules else ())
        ],
    }
