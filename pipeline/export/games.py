"""Games for other programs: as the JSON that the Python package ``diplomacy`` loads, and as plain order text.

The format is that package's "saved game": ``{"id", "map", "rules", "phases": [{"name", "state", "orders", "results",
"messages"}]}``, a phase for every one that was published and one more for how the game stands. The package judges by
the rulebook it knows; so each file's rules say ``DIFFERENT_ADJUDICATION``, and the states are the tournament's own.
"""

import json
from collections.abc import Mapping
from typing import Any, assert_never

from pipeline.board.map import Kind, Map, Power, province_of
from pipeline.board.position import Position, Step
from pipeline.desk.event.games import Game
from pipeline.desk.event.played import Played
from pipeline.desk.sheets.expected import entitlements
from pipeline.judge.outcome.movement_reasons import Unconvoyed, Unmatched
from pipeline.judge.outcome.outcome import Result, Word
from pipeline.orders.notation import write
from pipeline.orders.order import Convoy, Hold, Move, Retreat, Support

MAPS = {"standard": "standard"}  # ours -> the package's; it has no other that is played here
RULES = ("NO_PRESS", "POWER_CHOICE", "DIFFERENT_ADJUDICATION")
COMPLETED = "COMPLETED"  # the name of the phase after the end


def saved_game(game: Game, event: str) -> bytes | None:
    """Write a game as the package loads it, on one line as it wants it; None where it does not know the map."""
    if game.map_name not in MAPS:
        return None
    name = f"{event} {game.name}"
    phases = [phase_of(game, played, name) for played in game.played]
    last = COMPLETED if game.ended else str(game.position.phase)
    powers = tuple(game.map.start)
    state = state_of(game.map, game.position, last, name)
    empty: dict[str, list[str]] = {str(power): [] for power in powers}
    phases.append({"name": last, "state": state, "orders": empty, "results": {}, "messages": []})
    body = {"id": name, "map": MAPS[game.map_name], "rules": list(RULES), "phases": phases}
    return (json.dumps(body, ensure_ascii=True) + "\n").encode()


def phase_of(game: Game, played: Played, name: str) -> dict[str, Any]:
    """One phase that was published."""
    orders: dict[str, list[str]] = {str(power): [] for power in game.map.start}
    results: dict[str, list[str]] = {str(unit): [] for _, unit in played.before.all_units()}
    for result in played.resolution.results:
        order = in_package(game.map, played.before, result)
        if order is not None:
            orders[str(result.power)].append(order)
            results[" ".join(order.split()[:2])] = words(result)
    state = state_of(game.map, played.before, str(played.phase), name)
    return {"name": str(played.phase), "state": state, "orders": orders, "results": results, "messages": []}


def in_package(board: Map, before: Position, result: Result) -> str | None:
    """Write an order as the package does: a way over the sea is VIA, and what was no order is a hold that is void.

    None where the package has no words for it: what was no order of a retreat or a winter, or of no unit.
    """
    order = result.order
    if is_void(result):
        mine = before.units.get(result.power, ())
        return f"{order.unit} H" if isinstance(order, Hold | Move | Support | Convoy) and order.unit in mine else None
    if isinstance(order, Move) and (order.via or order.route or is_far(board, order)):
        return f"{order.unit} - {order.to} VIA"
    return write(order)


def is_void(result: Result) -> bool:
    """Whether an order was none; one that nobody carried was one all the same."""
    return result.outcome.result in (Word.ILLEGAL, Word.INVALID) and not isinstance(
        result.outcome, Unconvoyed | Unmatched
    )


def is_far(board: Map, move: Move) -> bool:
    """Whether an army can get there by sea alone."""
    return move.unit.kind is Kind.ARMY and not board.reaches(Kind.ARMY, move.unit.place, province_of(move.to))


def words(result: Result) -> list[str]:
    """What became of an order in the package's words; nothing: it came through."""
    found = []
    match result.outcome.result:
        case Word.SUCCEEDS | Word.GIVEN | Word.STANDS | Word.AVAILABLE | Word.AUTOMATIC:
            pass
        case Word.FAILS:
            found.append("bounce")
        case Word.CUT:
            found.append("cut")
        case Word.DISRUPTED:
            found.append("disrupted")
        case Word.ILLEGAL | Word.INVALID:
            found.append("no convoy" if isinstance(result.outcome, Unconvoyed) else "void")
        case _ as unknown:
            assert_never(unknown)
    if result.dislodged_by is not None:
        found.append("dislodged")
    if isinstance(result.order, Retreat) and found:
        found.append("disband")
    return found


def state_of(board: Map, position: Position, phase: str, name: str) -> dict[str, Any]:
    """A position in the package's words; a unit that must retreat has a star."""
    powers = tuple(board.start)
    driven = {power: [each for each in position.dislodged if each.power is power] for power in powers}
    units = {power: [str(unit) for unit in position.units.get(power, ())] for power in powers}
    homes = {str(power): list(board.homes[power]) for power in powers}
    return {
        "timestamp": 0,
        "zobrist_hash": "0",
        "note": "",
        "name": phase,
        "units": {str(p): [*units[p], *(f"*{each.unit}" for each in driven[p])] for p in powers},
        "retreats": {str(p): {str(each.unit): list(each.retreats) for each in driven[p]} for p in powers},
        "centers": {str(p): list(position.centres.get(p, ())) for p in powers},
        "homes": homes,
        "influence": {str(p): [] for p in powers},
        "civil_disorder": {str(p): 0 for p in powers},
        "builds": builds(board, position, powers),
        "game_id": name,
        "map": MAPS["standard"],
        "rules": list(RULES),
    }


def builds(board: Map, position: Position, powers: tuple[Power, ...]) -> Mapping[str, Any]:
    """What a winter asks for: how many more units, or with a minus how many fewer, and where they may be built."""
    due = entitlements(board, position) if position.phase.step is Step.ADJUSTMENTS else {}
    taken = {unit.province for _, unit in position.all_units()}
    free = {
        p: [home for home in board.homes[p] if home in position.centres.get(p, ()) and home not in taken] for p in due
    }
    return {str(p): {"count": due.get(p, 0), "homes": free[p] if due.get(p, 0) > 0 else []} for p in powers}


def order_text(game: Game, event: str) -> bytes:
    """Every published order as people type it elsewhere: a phase, then each power with its orders, a line each."""
    lines = [f"# {event}, board {game.name}", ""]
    for played in game.played:
        lines.append(str(played.phase))
        for power in game.seating.players:
            own = [write(result.order) for result in played.resolution.results if result.power is power]
            if own:
                lines += ["", str(power), *own]
        lines.append("")
    return ("\n".join(lines) + "\n").encode()
