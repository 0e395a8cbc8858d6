"""``ordersheets judge`` and ``interpret``: JSON in, JSON out, see ``docs/reference/json.md``."""

import sys
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, TextIO

import click

from pipeline.board import MAPS, Map, Phase, Position, Power, Step, Unit
from pipeline.cli.streams import JSON_FILE, answer_each, unknown_fields
from pipeline.interpret.interpret import interpret
from pipeline.interpret.verdict import Entry, Interpretation, Line
from pipeline.judge.adjudicate import adjudicate
from pipeline.judge.legality import ground_of
from pipeline.judge.outcome import Invalid, OrderOutcome, Resolution, Result
from pipeline.judge.rulebook import EDITIONS, Rulebook, rulebook
from pipeline.judge.winter import balances
from pipeline.orders import NotAnOrder, Order, read_order, read_position, write
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.rules.load import load_tournament, tournament_ids
from pipeline.rules.tournament import Tournament

DISLODGED = frozenset({"power", "unit", "from", "retreats"})
POSITION = frozenset({"phase", "units", "centers", "dislodged"})
ANSWERED = frozenset({"results", "adjustments", "next_phase"})  # an answer, given new orders, is a question
JUDGED = POSITION | ANSWERED | {"id", "rules", "map", "orders"}
INTERPRETED = POSITION | {"id", "tournament", "power", "lines", "player"}
LINE = frozenset({"line", "text", "struck_out", "overwritten"})
POWERS = {str(power): power for power in Power}
load_once = cache(load_tournament)
OrderSlot = tuple[Power, str, Order | None, str]  # power, canonical text, order, what is wrong with it


@click.command("judge")
@click.argument("file", type=JSON_FILE, default="-")
def judge_command(file: TextIO) -> None:
    """Judge phases: one JSON object, or one a line, from FILE or from standard input; one line of answer for each."""
    sys.exit(answer_each(file, judge))


def judge(value: dict[str, Any]) -> dict[str, Any]:
    """Judge one phase. What comes back is, given new orders, the input of the next."""
    if problems := _unknown_in(value, JUDGED):
        raise Stopped(problems)
    name = value.get("map", "standard")
    if not isinstance(name, str) or name not in MAPS:
        raise stop(f"no map {name!r}; maps are {', '.join(MAPS)}", "map")
    board, rules = MAPS[name](), _rulebook_of(value)
    position = _position_of(value, board)
    slots, orders = _read_orders(value)
    resolution = adjudicate(board, position, orders, rules)
    reply: dict[str, Any] = {"id": value["id"]} if "id" in value else {}
    reply["rules"] = value["rules"]
    if "map" in value:
        reply["map"] = value["map"]
    reply["phase"] = str(resolution.phase)
    reply["results"] = [_write_result(*each) for each in _pair(slots, resolution)]
    return reply | _write_after(resolution, counted="centers" in value)


def _unknown_in(value: Mapping[str, Any], known: frozenset[str]) -> list[Problem]:
    """List the fields that mean nothing, in an object with a position."""
    problems = unknown_fields(value, known)
    dislodged = value.get("dislodged")
    for number, each in enumerate(dislodged if isinstance(dislodged, list) else ()):
        if isinstance(each, dict):
            problems += unknown_fields(each, DISLODGED, f"dislodged[{number}] ")
    return problems


def _rulebook_of(value: Mapping[str, Any]) -> Rulebook:
    """Find the rulebook: a tournament's, an edition's, or settings."""
    if "rules" not in value:
        raise stop("missing: name a tournament, 'datc' or another edition, or give settings", "rules")
    given = value["rules"]
    if isinstance(given, str):
        return _named_rules(given)
    if isinstance(given, dict):
        return rulebook(given)
    raise stop(f"expected a name or settings, found {given!r}", "rules")


def _named_rules(name: str) -> Rulebook:
    """Find a rulebook by the name of an edition or of a tournament."""
    if name in EDITIONS:
        return EDITIONS[name]
    known = tournament_ids()
    if name not in known:
        raise stop(f"no rules {name!r}; known are {', '.join((*EDITIONS, *known))}, or give settings", "rules")
    return load_tournament(name).rulebook


def _position_of(value: Mapping[str, Any], board: Map) -> Position:
    """Read the position. An answer of this command starts from where it ended (``next_phase``)."""
    if "next_phase" in value and "results" in value:
        value = {**value, "phase": value["next_phase"]}
    position = _quick_position(value, board) or read_position(value, board)
    problems = [*_impossible_in_position(value, position, board)]
    if problems:
        raise Stopped(problems)
    if "centers" in value:
        return position
    return Position(phase=position.phase, units=position.units, centres={}, dislodged=position.dislodged)


@cache
def _unit_texts(board: Map) -> dict[str, Unit]:
    """Write down every unit that can stand anywhere, by its text."""
    ground = ground_of(board)
    return {str(unit): unit for unit in (*ground.armies.values(), *ground.fleets.values())}


def _quick_position(value: Mapping[str, Any], board: Map) -> Position | None:
    """Read a position with nothing wrong and nobody dislodged; None: leave it to the reader that explains faults."""
    texts = _unit_texts(board)
    try:
        units = {POWERS[power]: tuple([texts[text] for text in owned]) for power, owned in value["units"].items()}
        centres = {POWERS[power]: tuple(owned) for power, owned in value.get("centers", {}).items()}
        phase = Phase.read(value["phase"])
        standing = {unit.province for owned in units.values() for unit in owned}
        counted = [centre for owned in centres.values() for centre in owned]
        sound = (
            not value.get("dislodged")
            and len(standing) == sum(map(len, units.values()))
            and len(set(counted)) == len(counted)
            and set(board.centres).issuperset(counted)
        )
    except (KeyError, TypeError, AttributeError, ValueError):
        return None
    return Position(phase=phase, units=units, centres=centres) if sound else None


def _impossible_in_position(value: Mapping[str, Any], position: Position, board: Map) -> list[Problem]:
    """List what is missing for the phase, and what no game can lead to, such as a retreat to where a unit stands."""
    problems = []
    if position.phase.step is Step.ADJUSTMENTS and "centers" not in value:
        problems.append(Problem(Weight.STOPS, "missing: adjustments are counted from the centres", "centers"))
    ground, seen = ground_of(board), set()
    for number, each in enumerate(position.dislodged):
        where = f"dislodged[{number}]"
        if each.unit.province in seen:
            problems.append(Problem(Weight.STOPS, f"two dislodged units in {each.unit.province}", where))
        seen.add(each.unit.province)
        if "retreats" not in value["dislodged"][number]:
            problems.append(
                Problem(Weight.STOPS, "'retreats': missing; a list of places, empty if there is none", where)
            )
        if position.phase.step is not Step.RETREATS and each.retreats:
            text = f"{each.unit} has yet to retreat, and {position.phase} is not a retreat phase"
            problems.append(Problem(Weight.STOPS, text, where))
        reach = ground.walks if each.unit.place in ground.armies and each.unit.kind == "A" else ground.sails
        for place in each.retreats:
            standing = position.at(place)
            if place not in reach[each.unit.place]:
                problems.append(Problem(Weight.STOPS, f"'retreats': {each.unit} does not border {place}", where))
            elif standing is not None:
                problems.append(Problem(Weight.STOPS, f"'retreats': {standing[1]} stands in {place}", where))
    return problems


def _read_orders(value: Mapping[str, Any]) -> tuple[list[OrderSlot], dict[Power, list[Order]]]:
    """Read the orders, each with its place in the answer; what is not understood keeps its place."""
    given = value.get("orders", {})
    if not isinstance(given, dict):
        raise stop(f"expected an object of powers, found {type(given).__name__}", "orders")
    slots: list[OrderSlot] = []
    orders: dict[Power, list[Order]] = {}
    problems = []
    for name, texts in given.items():
        power = POWERS.get(name)
        if power is None:
            problems.append(Problem(Weight.STOPS, f"unknown power {name!r}; powers are {', '.join(POWERS)}", "orders"))
        elif not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            problems.append(Problem(Weight.STOPS, f"expected a list of texts, found {texts!r}", f"orders {name}"))
        else:
            read_texts = [(power, *_read_text(text)) for text in texts]
            slots += read_texts
            orders[power] = [order for _, _, order, _ in read_texts if order is not None]
    if problems:
        raise Stopped(problems)
    return slots, orders


@lru_cache(maxsize=32768)
def _read_text(text: str) -> tuple[str, Order | None, str]:
    """Read one order: its canonical text, the order, and what is wrong if it is none."""
    try:
        order = read_order(text)
    except NotAnOrder as error:
        return text, None, str(error)
    return write(order), order, ""


def _pair(slots: list[OrderSlot], resolution: Resolution) -> list[tuple[Power, str, OrderOutcome | Result]]:
    """Put results and what was not understood in the order of the input; then what the rules did by themselves.

    Units that hold because nothing was written for them are left out.
    """
    results = iter(resolution.results)
    paired: list[tuple[Power, str, OrderOutcome | Result]] = []
    for power, text, order, wrong in slots:
        paired.append((power, text, next(results) if order is not None else Invalid(wrong)))
    paired += [(result.power, write(result.order), result) for result in results if result.written]
    return paired


def _write_result(power: Power, text: str, given: OrderOutcome | Result) -> dict[str, Any]:
    if isinstance(given, Result):
        outcome, reason, by = given.outcome, given.reason, [write(order) for order in given.by]
    else:
        outcome, reason, by = given, str(given), []
    return {"power": power, "order": text, "result": outcome.result, "reason": reason, "by": by}


def _write_after(resolution: Resolution, *, counted: bool) -> dict[str, Any]:
    """Write the position that a phase ended in."""
    after = resolution.after
    reply: dict[str, Any] = {
        "units": {power: [f"{u.kind} {u.place}" for u in units] for power, units in after.units.items()},
        "dislodged": [
            {"power": each.power, "unit": str(each.unit), "from": each.by, "retreats": each.retreats}
            for each in after.dislodged
        ],
    }
    if counted:
        reply["centers"] = after.centres
        if after.phase.step is Step.ADJUSTMENTS:
            reply["adjustments"] = {power: due for power, due in balances(after).items() if due}
    reply["next_phase"] = str(after.phase)
    return reply


# ``ordersheets interpret``: what one power's written lines mean under one tournament's rules.


@click.command()
@click.argument("source", metavar="[FILE]", type=JSON_FILE, default="-")
def interpret_command(source: TextIO) -> None:
    """Say what written lines mean: JSON in, one object or one a line; JSON out, one line for each.

    In: {"tournament", "power", "phase", "units", "centers"?, "dislodged"?, "player"?, "lines": ["A Fin-Nor", …]}.
    The name of the player beside the orders is a signature. Out: for every order its status, the order that will be
    adjudicated, the rule that says so, the reason and the candidates.
    """
    sys.exit(answer_each(source, interpret_sheet))


def interpret_sheet(value: dict[str, Any]) -> dict[str, Any]:
    """Interpret one sheet, or stop with everything that is wrong with the object."""
    problems = _unknown_in(value, INTERPRETED)
    tournament = _read_tournament(value.get("tournament"), problems)
    power = _read_power(value.get("power"), problems)
    lines = _read_sheet_lines(value.get("lines"), problems)
    if not isinstance(player := value.get("player", ""), str):
        problems.append(Problem(Weight.STOPS, f"expected a name, found {player!r}", "player"))
    try:
        board = MAPS[tournament.map if tournament is not None else "standard"]()
        position = read_position(value, board)
    except Stopped as stopped:
        problems += stopped.problems
    if problems or tournament is None or power is None:
        raise Stopped(problems)
    name = {"id": value["id"]} if "id" in value else {}
    return {**name, **_write_interpretation(interpret(lines, power, position, tournament, player=player))}


def _read_tournament(name: object, problems: list[Problem]) -> Tournament | None:
    if not isinstance(name, str):
        problems.append(Problem(Weight.STOPS, f"expected the id of a tournament, found {name!r}", "tournament"))
        return None
    try:
        return load_once(name)
    except Stopped as stopped:
        problems += stopped.problems
        return None


def _read_power(name: object, problems: list[Problem]) -> Power | None:
    try:
        return Power(str(name))
    except ValueError:
        problems.append(Problem(Weight.STOPS, f"unknown power {name!r}; powers are {', '.join(Power)}", "power"))
        return None


def _read_sheet_lines(values: object, problems: list[Problem]) -> list[Line]:
    """Read the lines: texts, numbered from 1; or objects with ``line`` and ``text`` (and ``struck_out``, …)."""
    if not isinstance(values, list):
        problems.append(Problem(Weight.STOPS, f"expected a list of texts, found {values!r}", "lines"))
        return []
    lines = []
    for number, value in enumerate(values, start=1):
        match value:
            case str():
                lines.append(Line(number, value))
            case {"line": int() as own, "text": str() as text}:
                problems += unknown_fields(value, LINE, f"lines[{number - 1}] ")
                for flag in ("struck_out", "overwritten"):
                    if not isinstance(given := value.get(flag, False), bool):
                        wrong = f"expected true or false, found {given!r}"
                        problems.append(Problem(Weight.STOPS, wrong, f"lines[{number - 1}] {flag}"))
                lines.append(Line(own, text, value.get("struck_out") is True, value.get("overwritten") is True))
            case _:
                problems.append(Problem(Weight.STOPS, f"expected a text, found {value!r}", f"lines[{number - 1}]"))
    return lines


def _write_interpretation(interpretation: Interpretation) -> dict[str, Any]:
    """Write an interpretation as the JSON that ``interpret`` prints."""
    shown: dict[str, Any] = {
        "entries": [_show_entry(entry) for entry in interpretation.entries],
        "orders": [write(order) for order in interpretation.orders],
        "unordered": [str(unit) for unit in interpretation.unordered],
    }
    if interpretation.remarks:
        shown["remarks"] = [_show_entry(entry) for entry in interpretation.remarks]
    return shown


def _show_entry(entry: Entry) -> Mapping[str, Any]:
    return {
        "line": entry.line,
        **({"also": list(entry.also)} if entry.also else {}),
        "text": entry.text,
        "order": write(entry.order) if entry.order is not None else None,
        "status": entry.status,
        "rule": entry.rule,
        "settings": [setting.path for setting in entry.settings],
        "reason": entry.reason,
        "candidates": [write(candidate.order) for candidate in entry.candidates],
        "considered": [{"order": write(c.order), "reason": c.reason} for c in entry.candidates],
        "doubts": [{"code": doubt.code, "text": str(doubt)} for doubt in entry.doubts],
    }
