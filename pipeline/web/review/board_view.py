"""A board on the page: in the strip, at the gate, and when retreats or adjustments are keyed in."""

from collections.abc import Iterable
from typing import Any

from pipeline.board.position import Step
from pipeline.desk.event.ending import goes_on, over_words
from pipeline.desk.event.games import Game
from pipeline.desk.event.turn import Turn
from pipeline.desk.publish.read_out import what_comes
from pipeline.desk.publish.reading_order import read_at
from pipeline.desk.review.agenda import Ready, UnwrittenPhase
from pipeline.desk.review.live import WhileUntouched
from pipeline.desk.ruling.desk import seats_left
from pipeline.desk.ruling.rows import PowerRows
from pipeline.desk.sheets.expected import entitlements
from pipeline.desk.sheets.sheet_states import SheetState
from pipeline.judge.legality import legal_orders
from pipeline.orders.notation import write
from pipeline.orders.order import Disband, Order, Waive
from pipeline.problems import Weight
from pipeline.web.office.office import Office
from pipeline.web.review.view_parts import brief
from pipeline.web.review.words import in_words

VIEWS: WhileUntouched[dict[str, Any]] = WhileUntouched()


def entry_view(office: Office, entry: UnwrittenPhase) -> dict[str, Any]:
    """Show the units that retreat, or are built or disbanded, each with its choices."""
    game = office.live.games[entry.board]
    slots = [slot for turn in entry.turns for slot in slots_of(office, game, turn)]
    return {"kind": "entry", "board": entry.board, "phase": entry.phase.in_words, "power": "", "slots": slots}


def slots_of(office: Office, game: Game, turn: Turn) -> list[dict[str, Any]]:
    """One power's units to decide on."""
    orders = legal_orders(game.map, game.position, turn.power, office.event.tournament.rulebook)
    power = turn.power.title()
    if game.position.phase.step is Step.RETREATS:
        own = [d for d in game.position.dislodged if d.power is turn.power]
        return [
            {
                "power": power,
                "turn": str(turn),
                "what": f"{d.unit} dislodged from {d.by}",
                "options": options(office, [o for o in orders if not isinstance(o, Waive) and o.unit == d.unit]),
            }
            for d in own
        ]
    count = entitlements(game.map, game.position).get(turn.power, 0)
    word = "build" if count > 0 else "disband"
    return [
        {
            "power": power,
            "turn": str(turn),
            "what": f"{word} {n + 1} of {abs(count)}",
            "options": options(office, orders),
        }
        for n in range(abs(count))
    ]


def options(office: Office, orders: Iterable[Order]) -> list[dict[str, str]]:
    """Orders with the key of each: digits, ``D`` for the one disband among retreats, ``W`` for a waived build."""
    orders = tuple(orders)
    leaving = [order for order in orders if isinstance(order, Disband)]
    found, number = [], 0
    for order in orders:
        if isinstance(order, Waive):
            key = "W"
        elif isinstance(order, Disband) and len(leaving) == 1 < len(orders):
            key = "D"
        else:
            number += 1
            key = str(number)
        found.append({"key": key, "order": write(order), "words": in_words(order, office.event.board)})
    return found


def ready_view(office: Office, ready: Ready) -> dict[str, Any]:
    """Show the gate: every row of a board in the order in which it is read aloud, with what each rests on."""
    game = office.live.games[ready.board]
    order = read_at(office.event, game, ready.phase, tuple(power.power for power in ready.powers))
    by_power = {power.power: power for power in ready.powers}
    return {
        "kind": "ready",
        "board": ready.board,
        "phase": ready.phase.in_words,
        "power": "",
        "powers": [power_view(office, by_power[power]) for power in order],
    }


def power_view(office: Office, power: PowerRows) -> dict[str, Any]:
    """One power at the gate."""
    return {
        "power": power.power.title(),
        "state": str(power.state),
        "notes": [problem.text for problem in power.problems],
        "rows": [brief(office, row) for row in power.rows],
    }


def board_view(office: Office, game: Game, *, is_own: bool) -> dict[str, Any]:
    """One board in the strip on top."""
    return VIEWS.of(office.live, game.name, lambda: board_anew(office, game)) | {"own": is_own}


def board_anew(office: Office, game: Game) -> dict[str, Any]:
    """The same for every desk, from its rows."""
    powers = office.live.board(game)
    absent = [power.power.title() for power in powers if power.state is SheetState.MISSING]
    left = seats_left(office.event, game, powers)
    waiting = sum(row.needs_director for power in powers for row in power.rows)
    return {
        "board": game.name,
        "phase": game.position.phase.in_words,
        "ended": game.ended,
        "over": over_words(office.event, game),
        "in": len(powers) - len(absent),
        "of": len(powers),
        "missing": absent,
        "open": waiting,
        "left": [f"{problem.where}: {problem.text}" for problem in left],
        "pages": len(held := office.live.holding(game)),
        "ready": bool(powers) and not (held or left) and not any(power.is_open for power in powers),
        "powers": [{"power": p.power.title(), "turn": f"{game.name} {game.position.phase} {p.power}"} for p in powers],
    }


def whole_board(office: Office, game: Game, *, is_own: bool, is_named: bool) -> dict[str, Any]:
    """One board with all its powers: who plays each (``is_named``), what is in of it, what waits."""
    phase = game.position.phase
    powers = [
        {
            "power": rows.power.title(),
            "turn": f"{game.name} {phase} {rows.power}",
            "player": game.seating.players[rows.power] if is_named else "",
            "state": str(rows.state),
            "in": rows.state is not SheetState.MISSING,
            "open": sum(row.needs_director for row in rows.rows),
            "asks": sum(problem.weight is Weight.ASKS for problem in rows.problems),
        }
        for rows in ([] if is_own else office.live.board(game))
    ]
    return board_view(office, game, is_own=is_own) | {"powers": powers, "played": bool(game.played)}


def published_view(office: Office, game: Game) -> dict[str, Any]:
    """What was published last on a board, and what comes."""
    played = game.played[-1]
    card = f"{game.name}-{played.phase}-card.pdf"
    pictures = sorted(path.name for path in office.event.out.glob(f"{game.name}-{played.phase}-map.*"))
    return {
        "board": game.name,
        "phase": played.phase.in_words,
        "card": f"/out/{card}" if (office.event.out / card).is_file() else None,
        "maps": [f"/map/board/{game.name}", *(f"/out/{name}" for name in pictures)],
        "next": list(what_comes(game.map, played.after)) if goes_on(office.event, game) else [],
    }
