"""Every row of a board from its ink to its order, as the contract's JSON."""

from collections.abc import Sequence
from typing import Any

from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rows import PowerRows, Row
from pipeline.desk.ruling.sheet_state import SheetDoubt
from pipeline.desk.sheets.same_paper import fold
from pipeline.ink import InkReading
from pipeline.orders.notation import write
from pipeline.problems import Problem, Weight
from pipeline.rules.tournament import Tournament


def board_orders(event: Event, game: Game) -> dict[str, Any]:
    """Every row of a board's phase, as ``ordersheets orders --json`` prints it."""
    powers = Desk.of(event).board(game)
    return {
        "board": game.name,
        "phase": str(game.position.phase),
        "powers": {str(p.power): power_orders(p, event.tournament) for p in powers},
    }


def power_orders(power: PowerRows, rules: Tournament) -> dict[str, Any]:
    """One power's rows, and what is to be said of its sheets."""
    return {
        "sheet": str(power.state),
        "problems": [problem.text for problem in power.problems],
        "told": [told_json(problem, rules) for problem in power.problems],
        "rows": [row_json(row, rules) for row in power.rows],
    }


def told_json(problem: Problem, rules: Tournament) -> dict[str, Any]:
    """One thing to be said of a power's sheets, with the rule that is about it."""
    settings = problem.settings if isinstance(problem, SheetDoubt) else ()
    return {
        "text": problem.text,
        "asks": problem.weight is Weight.ASKS,
        "settings": list(settings),
        "quotes": [str(quote) for quote in rules.quotes(settings)],
    }


def row_json(row: Row, rules: Tournament) -> dict[str, Any]:
    """One row; what the reader doubts quotes no rule."""
    ruling = row.ruling
    return {
        "line": row.line,
        "ink": row.ink,
        "readings": [{"text": r.text, "confidence": round(r.confidence, 4)} for r in each_once(row.readings)],
        "order": write(row.order) if row.order else None,
        "status": row.status,
        "flags": list(row.flags),
        "needs_director": row.needs_director,
        "source": str(row.source),
        "rule": row.rule,
        "settings": list(row.settings),
        "quotes": [str(quote) for quote in rules.quotes(row.settings)],
        "reason": row.reason,
        "candidates": [write(order) for order in row.candidates],
        "crop": row.crop,
        "ruling": None
        if ruling is None
        else {
            "order": ruling.decision.order,
            "text": ruling.decision.text,
            "by": ruling.by,
            "why": ruling.decision.why,
            "at": ruling.fact.at,
        },
    }


def each_once(readings: Sequence[InkReading]) -> list[InkReading]:
    """The readings of a row, surest first as they came; the same letters are one reading, in the first one's words.

    >>> each_once([InkReading("A MAR - BUR", 0.9), InkReading("AMAR - BUR", 0.9), InkReading("A MAR H", 0.01)])
    [InkReading(text='A MAR - BUR', confidence=0.9), InkReading(text='A MAR H', confidence=0.01)]
    """
    found: dict[str, InkReading] = {}
    for reading in readings:
        found.setdefault(fold(reading.text), reading)
    return list(found.values())
