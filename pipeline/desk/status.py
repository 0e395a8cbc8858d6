"""Who is in, what is missing, what waits for the director: as the contract's JSON, and in words."""

from collections.abc import Iterator
from typing import Any

from pipeline.desk.desk import Desk
from pipeline.desk.dutchmen import all_dutchmen
from pipeline.desk.event import Event
from pipeline.desk.expected import expected_units
from pipeline.desk.form_status import forms_status
from pipeline.desk.games import Game, games
from pipeline.desk.printing import printed_sheets
from pipeline.desk.reader import net_for
from pipeline.desk.rows import PowerRows, Row
from pipeline.desk.strays import holding, stray_pages, waiting_pages
from pipeline.orders.notation import write
from pipeline.problems import Problem, Weight


def status(event: Event) -> dict[str, Any]:
    """The state of every board, every page that is nowhere yet, and every unit that should not be there."""
    desk = Desk.of(event)
    pages, printed = waiting_pages(event), printed_sheets(event)
    boards = [(game, not holding(event, game, pages, printed)) for game in games(event).values()]
    strays = (*stray_pages(event), *stray_pads(desk), *all_dutchmen(event))
    return {
        "event": event.details.name,
        "tournament": event.tournament.id,
        "players": len(event.players),
        "reader": net_for(event).name,
        "boards": [board_status(desk, game, is_free=is_free) for game, is_free in boards],
        "forms": forms_status(event),
        "problems": [{"where": p.where, "text": p.text} for p in strays],
    }


def board_status(desk: Desk, game: Game, *, is_free: bool) -> dict[str, Any]:
    """The state of one board; ``is_free``: no page waits that may be one of its sheets."""
    powers = desk.board(game)
    return {
        "board": game.name,
        "phase": str(game.position.phase),
        "ended": game.ended,
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


def stray_pads(desk: Desk) -> Iterator[Problem]:
    """Every pad that came in for a phase in which nobody asks for it, and was not put aside."""
    aside = {(fact.body["sha256"], fact.body["page"]) for fact in desk.event.facts.read("page set aside")}
    boards = games(desk.event)
    for turn, sheets in desk.sheets.items():
        game = boards.get(turn.board)
        if game is None or game.ended:
            continue
        words, opened = turn.phase.in_words, game.position.phase
        if turn.phase == opened and turn.power not in expected_units(desk.event.board, game.position):
            text = f"{turn.power} has nothing to write in {words}"
        elif turn.phase.sort_key > opened.sort_key:
            text = f"it waits for {words}; {opened.in_words} is open"
        elif turn.phase != opened and turn.phase not in {played.phase for played in game.played}:
            text = f"it came in for {words}, which was not played"
        else:
            continue
        for sheet in (s for s in sheets if s.pad is not None):
            if not all((scan.scan_sha256, scan.page) in aside for scan in sheet.scans):
                kind = sheet.printed.request.occasion
                yield Problem(Weight.ASKS, f"{kind}: {text}", f"{sheet.printed.request.id} {turn.board} {turn.power}")


def board_orders(event: Event, game: Game) -> dict[str, Any]:
    """Every row of a board's phase, as ``ordersheets orders --json`` prints it."""
    powers = Desk.of(event).board(game)
    return {
        "board": game.name,
        "phase": str(game.position.phase),
        "powers": {str(p.power): power_orders(p) for p in powers},
    }


def power_orders(power: PowerRows) -> dict[str, Any]:
    """One power's rows."""
    return {
        "sheet": str(power.state),
        "problems": [problem.text for problem in power.problems],
        "rows": [row_json(row) for row in power.rows],
    }


def row_json(row: Row) -> dict[str, Any]:
    """One row."""
    ruling = row.ruling
    return {
        "line": row.line,
        "ink": row.ink,
        "readings": [{"text": r.text, "confidence": round(r.confidence, 4)} for r in row.readings],
        "order": write(row.order) if row.order else None,
        "status": row.status,
        "flags": list(row.flags),
        "needs_director": row.needs_director,
        "source": str(row.source),
        "rule": row.rule,
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
