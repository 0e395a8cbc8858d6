"""Who is in, what is missing, what waits for the director, worked out from the facts."""

from typing import Any

from pipeline.desk.event.ending import over, to_end
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, games
from pipeline.desk.event.seating import abandoned_seats
from pipeline.desk.event.settings import rules_changed
from pipeline.desk.publish.dutchmen import all_dutchmen
from pipeline.desk.review.form_status import forms_status
from pipeline.desk.ruling.desk import Desk, seats_left
from pipeline.desk.sheets.late_sheets import late_sheets
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.unfiled_pages import holding, stray_pages, waiting_pages


def status_anew(event: Event) -> dict[str, Any]:
    """The state of every board, every page that is nowhere yet, and every unit that should not be there: by facts."""
    desk = Desk.of(event, offers=False)
    pages, printed = waiting_pages(event), printed_sheets(event)
    boards = [(game, not holding(event, game, pages, printed)) for game in games(event).values()]
    left = [
        problem
        for game, _ in boards
        if abandoned_seats(event, game)
        for problem in seats_left(event, game, desk.board(game))
    ]
    late = [sheet.problem for sheet in late_sheets(event, games(event), desk.sheets)]
    strays = (*rules_changed(event), *stray_pages(event), *late, *left, *all_dutchmen(event))
    return {
        "event": event.details.name,
        "tournament": event.tournament.id,
        "players": len(event.players),
        "boards": [board_status(desk, game, is_free=is_free) for game, is_free in boards],
        "forms": forms_status(event),
        "problems": [{"where": p.where, "text": p.text} for p in strays],
    }


def board_status(desk: Desk, game: Game, *, is_free: bool) -> dict[str, Any]:
    """The state of one board; ``is_free``: no page waits that may be one of its sheets."""
    powers = desk.board(game)
    is_free = is_free and not seats_left(desk.event, game, powers)
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
