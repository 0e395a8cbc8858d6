"""Who is in, what is missing, what waits for the director: as the contract's JSON, and in words."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
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
from pipeline.desk.turn import Turn
from pipeline.orders.notation import write
from pipeline.problems import Problem, Weight


def status(event: Event) -> dict[str, Any]:
    """The state of every board, every page that is nowhere yet, and every unit that should not be there."""
    desk = Desk.of(event)
    pages, printed = waiting_pages(event), printed_sheets(event)
    boards = [(game, not holding(event, game, pages, printed)) for game in games(event).values()]
    strays = (*stray_pages(event), *stray_sheets(desk), *all_dutchmen(event))
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


def stray_sheets(desk: Desk) -> Iterator[Problem]:
    """Every sheet that came in for a phase in which nobody asks for it, and was not put aside."""
    aside = {(fact.body["sha256"], fact.body["page"]) for fact in desk.event.facts.read("page set aside")}
    boards, came, closed = games(desk.event), arrivals(desk.event), Closed.of(desk.event)
    for turn, sheets in desk.sheets.items():
        game = boards.get(turn.board)
        if game is None or game.ended:
            continue
        for sheet in sheets:
            pages = [(scan.scan_sha256, scan.page) for scan in sheet.scans]
            text = out_of_turn(desk.event, game, turn, is_late=closed.before(min(came[page] for page in pages), turn))
            if text and not all(page in aside for page in pages):
                kind = sheet.printed.request.occasion
                yield Problem(Weight.ASKS, f"{kind}: {text}", f"{sheet.printed.request.id} {turn.board} {turn.power}")


def out_of_turn(event: Event, game: Game, turn: Turn, *, is_late: bool) -> str:
    """Say why nobody asks for a sheet; nothing where somebody does, or did. ``is_late``: the phase was closed."""
    words, opened = turn.phase.in_words, game.position.phase
    if turn.phase == opened:
        is_due = turn.power in expected_units(event.board, game.position)
        return "" if is_due else f"{turn.power} has nothing to write in {words}"
    if turn.phase.sort_key > opened.sort_key:
        return f"it waits for {words}; {opened.in_words} is open"
    if not is_late:
        return ""
    if all(played.phase != turn.phase for played in game.played):
        return f"it came in for {words}, which was not played"
    return f"{words} is published, {opened.in_words} is open; see what 'correct' says to it, then put it aside"


@dataclass(frozen=True, slots=True)
class Closed:
    """From which fact on a sheet of an earlier phase comes too late, or for nothing."""

    published: Mapping[tuple[str, str], int]  # board and phase -> the fact that first published it
    left: Mapping[str, int]  # board -> the fact that set its position by hand: what came before it needs nothing more

    @classmethod
    def of(cls, event: Event) -> "Closed":
        """Read the facts."""
        left = {fact.body["board"]: fact.number for fact in event.facts.read("position set")}
        published: dict[tuple[str, str], int] = {}
        for fact in event.facts.read("published"):
            if fact.number > left.get(fact.body["board"], 0):
                published.setdefault((fact.body["board"], fact.body["phase"]), fact.number)
        return cls(published, left)

    def before(self, came: int, turn: Turn) -> bool:
        """Whether the turn was closed before fact ``came``; one that was never published, from the start."""
        return came > max(self.published.get((turn.board, str(turn.phase)), 0), self.left.get(turn.board, 0))


def arrivals(event: Event) -> dict[tuple[str, int], int]:
    """The fact from which on each page counted: its first reading, or a person's word which sheet it is."""
    found: dict[tuple[str, int], int] = {}
    for fact in event.facts.read("page read"):
        found.setdefault((fact.body["sha256"], fact.body["page"]), fact.number)
    for fact in event.facts.read("page identified"):
        found[fact.body["sha256"], fact.body["page"]] = fact.number
    return found


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
