"""Who is in, what is missing, what waits for the director: as the contract's JSON, and in words."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pipeline.desk.backup.backups import backup_status
from pipeline.desk.event.ending import over, to_end
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, games
from pipeline.desk.event.reader import net_for
from pipeline.desk.print.printing import printed_sheets
from pipeline.desk.review.dutchmen import all_dutchmen
from pipeline.desk.review.form_status import forms_status
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rows import PowerRows, Row
from pipeline.desk.ruling.sheet_state import SheetDoubt
from pipeline.desk.sheets.late_sheets import late_sheets
from pipeline.desk.sheets.same_paper import fold
from pipeline.desk.sheets.unfiled_pages import holding, stray_pages, waiting_pages
from pipeline.ink import Reading
from pipeline.orders.notation import write
from pipeline.problems import Problem, Weight
from pipeline.rules.tournament import Tournament


def status(event: Event) -> dict[str, Any]:
    """The state of every board, every page that is nowhere yet, and every unit that should not be there."""
    desk = Desk.of(event)
    pages, printed = waiting_pages(event), printed_sheets(event)
    boards = [(game, not holding(event, game, pages, printed)) for game in games(event).values()]
    late = [sheet.problem for sheet in late_sheets(event, games(event), desk.sheets)]
    strays = (*stray_pages(event), *late, *all_dutchmen(event))
    return {
        "event": event.details.name,
        "tournament": event.tournament.id,
        "players": len(event.players),
        "reader": net_for(event).name,
        "boards": [board_status(desk, game, is_free=is_free) for game, is_free in boards],
        "forms": forms_status(event),
        "problems": [{"where": p.where, "text": p.text} for p in strays],
        "backup": backup_status(event),
    }


def board_status(desk: Desk, game: Game, *, is_free: bool) -> dict[str, Any]:
    """The state of one board; ``is_free``: no page waits that may be one of its sheets."""
    powers = desk.board(game)
    return {
        "board": game.name,
        "map": game.map_name,
        "phase": str(game.position.phase),
        "ended": game.ended,
        "to_end": over_json(desk.event, game),
        "powers": {
            str(p.power): {
                "sheet": str(p.state),
                "problems": [problem.text for problem in p.problems],
                "rows": sum(row.line > 0 for row in p.rows),
                "open": sum(row.needs_director for row in p.rows),
            }
            for p in powers
        },
        "ready": bool(powers) and is_free and not any(p.is_open for p in powers),
    }


def over_json(event: Event, game: Game) -> dict[str, Any] | None:
    """Why a board is to be ended: how, the year after which, the rule; None where it goes on, or has been ended."""
    why = over(event, game)
    return {"how": str(why.how), "year": why.year, "rule": why.rule, "text": to_end(why)} if why else None


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
        "readings": [{"text": r.text, "confidence": round(r.confidence, 4)} for r in surest_first(row.readings)],
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


def surest_first(readings: Sequence[Reading]) -> list[Reading]:
    """Put readings in the order of their confidence; the same letters are one reading, in the first one's words.

    >>> surest_first([Reading("A MAR - BUR", 0.999), Reading("AMAR - BUR", 1.0), Reading("A MAR H", 0.01)])
    [Reading(text='A MAR - BUR', confidence=1.0), Reading(text='A MAR H', confidence=0.01)]
    """
    found: dict[str, Reading] = {}
    for reading in readings:
        first = found.setdefault(fold(reading.text), reading)
        found[fold(reading.text)] = replace(first, confidence=max(first.confidence, reading.confidence))
    return sorted(found.values(), key=lambda each: -each.confidence)
