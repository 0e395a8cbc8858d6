"""``ordersheets interpret``: what one power's written lines mean under one tournament's rules."""

import sys
from collections.abc import Mapping
from functools import cache
from typing import Any, TextIO

import click

from pipeline.board.map import Power
from pipeline.board.standard import MAPS
from pipeline.cli.streams.streams import JSON_FILE, answer_each
from pipeline.interpret.doubts.entry import Entry, Interpretation, Line
from pipeline.interpret.interpret import interpret
from pipeline.orders.notation import write
from pipeline.orders.positions import read_position
from pipeline.problems import Problem, Stopped, Weight
from pipeline.rules.load import load_tournament
from pipeline.rules.tournament import Tournament


@click.command()
@click.argument("source", metavar="[FILE]", type=JSON_FILE, default="-")
def command(source: TextIO) -> None:
    """Say what written lines mean: JSON in, one object or one a line; JSON out, one line for each.

    In: {"tournament", "power", "phase", "units", "centers"?, "dislodged"?, "lines": ["A Fin-Nor", …]}. Out: for every
    order its status, the order that will be adjudicated, the rule that says so, the reason and the candidates.
    """
    sys.exit(answer_each(source, answer))


def answer(value: dict[str, Any]) -> dict[str, Any]:
    """Interpret one sheet, or stop with everything that is wrong with the object."""
    problems: list[Problem] = []
    tournament = read_tournament(value.get("tournament"), problems)
    power = read_power(value.get("power"), problems)
    lines = read_sheet_lines(value.get("lines"), problems)
    try:
        board = MAPS[tournament.map if tournament is not None else "standard"]()
        position = read_position(value, board)
    except Stopped as stopped:
        problems += stopped.problems
    if problems or tournament is None or power is None:
        raise Stopped(problems)
    name = {"id": value["id"]} if "id" in value else {}
    return {**name, **show(interpret(lines, power, position, tournament))}


@cache
def loaded(name: str) -> Tournament:
    """Load each tournament once."""
    return load_tournament(name)


def read_tournament(name: object, problems: list[Problem]) -> Tournament | None:
    """Read which rules apply."""
    if not isinstance(name, str):
        problems.append(Problem(Weight.STOPS, f"expected the id of a tournament, found {name!r}", "tournament"))
        return None
    try:
        return loaded(name)
    except Stopped as stopped:
        problems += stopped.problems
        return None


def read_power(name: object, problems: list[Problem]) -> Power | None:
    """Read whose sheet it is."""
    try:
        return Power(str(name))
    except ValueError:
        problems.append(Problem(Weight.STOPS, f"unknown power {name!r}; powers are {', '.join(Power)}", "power"))
        return None


def read_sheet_lines(values: object, problems: list[Problem]) -> list[Line]:
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
                lines.append(Line(own, text, value.get("struck_out") is True, value.get("overwritten") is True))
            case _:
                problems.append(Problem(Weight.STOPS, f"expected a text, found {value!r}", f"lines[{number - 1}]"))
    return lines


def show(found: Interpretation) -> dict[str, Any]:
    """Write an interpretation as the contract's JSON."""
    shown: dict[str, Any] = {
        "entries": [show_entry(entry) for entry in found.entries],
        "orders": [write(order) for order in found.orders],
        "unordered": [str(unit) for unit in found.unordered],
    }
    if found.remarks:
        shown["remarks"] = [show_entry(entry) for entry in found.remarks]
    return shown


def show_entry(entry: Entry) -> Mapping[str, Any]:
    """Write one entry."""
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
        "doubts": [{"code": found.doubt, "text": str(found)} for found in entry.doubts],
    }
