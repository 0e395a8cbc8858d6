"""The scoring systems that come with the program: one file each, that a rules file takes by its id.

``[scoring] system = "tribute"`` without blocks of its own stands for the table ``[scoring]`` of ``tribute.toml``;
what else stands in the event's own table is laid over it.
"""

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

from msgspec import Struct, field

from pipeline.board import Power
from pipeline.problems import Stopped
from pipeline.rules.convert import read_struct
from pipeline.rules.scoring import read_scoring
from pipeline.rules.table import Table, did_you_mean
from pipeline.scoring.numbers import Range
from pipeline.scoring.results import Board, Seat
from pipeline.scoring.system import System
from pipeline.small_files import data_folder

OPERATIONS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
SEVEN = Range(len(Power), len(Power), unit="numbers")
Seven = Annotated[tuple[int, ...], SEVEN]
UNSTATED = "?"  # an example says nothing of this seat


class WorkedExample(Struct, frozen=True):
    """A worked example: a board, and what each seat gets, written as a sum."""

    centres: Seven  # Austria, England, France, Germany, Italy, Russia, Turkey; some have more than a board
    worked: Annotated[tuple[str | int | float, ...], SEVEN] = field(name="scores")  # "12 + 66/5 + 4*6" a seat, or "?"
    years: Mapping[int, Seven] = field(default_factory=dict)  # after each Fall, where they matter
    source: str = field(default="", name="of")  # whose example it is; empty: worked by hand from the description

    def faults(self) -> Iterator[tuple[str, str]]:
        """What cannot be of its fields together: the key, and what to write."""
        try:
            _ = self.scores
        except (ValueError, ZeroDivisionError) as error:
            yield "scores", str(error)

    @property
    def scores(self) -> tuple[Fraction | None, ...]:
        """The score of the example; None where the source gives none."""
        return tuple(None if each == UNSTATED else _evaluate_sum(str(each)) for each in self.worked)

    @property
    def board(self) -> Board:
        """The board of the example, without players."""
        powers = tuple(Power)
        return Board(
            round=1,
            name="A",
            seats={power: Seat(player=None) for power in powers},
            centres=dict(zip(powers, self.centres, strict=True)),
            years={year: dict(zip(powers, owned, strict=True)) for year, owned in self.years.items()},
        )


class SystemFile(Struct, frozen=True, kw_only=True):
    """One scoring system as its file tells it."""

    id: str  # "tribute"
    name: str
    also: tuple[str, ...] = ()  # what others call it
    summary: str  # how it works, in a sentence
    rewards: str  # what it makes players want
    year: int | None = None
    author: str = ""
    played: str = ""  # where
    source: str
    why: str = ""  # where the source is silent, or two differ
    scoring: Mapping[str, Any]  # the table that a rules file takes
    system: System
    examples: tuple[WorkedExample, ...]


def _evaluate_sum(text: str) -> Fraction:
    """Compute a sum exactly; else a `ValueError`.

    >>> _evaluate_sum("12 + 66/5 + 4*6"), _evaluate_sum("(4.5 + 9)/2")
    (Fraction(246, 5), Fraction(27, 4))
    """
    try:
        return _evaluate(ast.parse(text, mode="eval").body, text)
    except SyntaxError:
        raise ValueError(f"{text!r} is no sum") from None


def _evaluate(node: ast.expr, text: str) -> Fraction:
    """Compute one step of a sum; its decimals are read as they are written."""
    match node:
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATIONS:
            value: Fraction = OPERATIONS[type(op)](_evaluate(left, text), _evaluate(right, text))
            return value
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return Fraction(ast.get_source_segment(text, node) or "0")
        case _:
            raise ValueError(f"{text!r} is no sum of numbers")


def picture_file(system: str) -> Path:
    """Where a system's picture is kept: beside its file."""
    return data_folder("templates/scoring") / f"{system}.svg"


def read_system_file(values: Mapping[str, Any], name: str) -> SystemFile:
    """Make a system of the content of its file ``name``.toml, or stop with every fault (`Stopped`)."""
    table = Table(values, f"{name}.toml", between=" ")
    about = table.table("system")
    title = about.get("name", str, name)
    scoring = {
        "system": {"value": title, "rule": about.get("source", str, "")},
        **_name_as_rule(table.get("scoring", dict, {}), title),
    }
    examples = tuple(read_struct(WorkedExample, inside) for inside in table.tables("examples"))
    if not examples:
        table.fault("examples", "missing; a system needs a worked example, a table [[examples]]")
    try:
        system = read_scoring({"scoring": scoring, "totals": {"rounds": 1}}, table.where).system
    except Stopped as stopped:
        raise Stopped([*table.problems, *stopped.problems]) from None
    given = {"id": name, "scoring": scoring, "system": system, "examples": examples}
    file = read_struct(SystemFile, about, given)
    if problems := table.finish():
        raise Stopped(problems)
    return file


def _name_as_rule(scoring: Mapping[str, Any], title: str) -> dict[str, Any]:
    """Name the system as the rule of each of its settings, so that an event's rules show where they come from."""
    named: dict[str, Any] = {}
    for key, value in scoring.items():
        match value:
            case list():
                named[key] = [{**each, "rule": title} if isinstance(each, Mapping) else each for each in value]
            case Mapping() if key in ("solo", "tribute"):
                named[key] = {**value, "rule": title}
            case _:
                named[key] = {"value": value, "rule": title}
    return named


def _system_named(name: str, systems: Mapping[str, SystemFile]) -> str | None:
    """Find a system by its id, its name, or what others call it, in capitals or not."""
    wanted = name.casefold()
    if wanted in systems:
        return wanted
    called = (
        system.id for system in systems.values() if wanted in {word.casefold() for word in (system.name, *system.also)}
    )
    return next(called, None)


def named_system(scoring: Mapping[str, Any]) -> str | None:
    """Which system a table ``[scoring]`` takes from the program: one that it names and does not make itself."""
    given = scoring.get("system")
    name = given.get("value") if isinstance(given, Mapping) else given
    return name if isinstance(name, str) and not scoring.get("parts") else None


def with_system(tables: Mapping[str, Any], load: Callable[[], Mapping[str, SystemFile]], where: str) -> dict[str, Any]:
    """Lay an event's own ``[scoring]``, and that of its final table and pools, over that of the system it names.

    Other tables stay as they are. A name that no system has is a fault, unless there are blocks, whose name it then is.
    The systems are loaded only where one is named.
    """
    merged = dict(tables)
    if "scoring" in merged:
        merged["scoring"] = _over_system(merged["scoring"], load, f"{where} scoring".strip())
    totals = merged.get("totals")
    if isinstance(totals, Mapping):
        merged["totals"] = totals = dict(totals)
        if "final" in totals:
            totals["final"] = _own_over_system(totals["final"], load, f"{where} totals.final".strip())
        if isinstance(pools := totals.get("pools"), list):
            paths = (f"{where} totals.pools[{number}]".strip() for number in range(len(pools)))
            totals["pools"] = [_own_over_system(pool, load, path) for pool, path in zip(pools, paths, strict=False)]
    return merged


def _own_over_system(table: Any, load: Callable[[], Mapping[str, SystemFile]], where: str) -> Any:
    """Lay the ``scoring`` of a pool or a final table over the system it names; a name alone is short for it."""
    if not isinstance(table, Mapping) or "scoring" not in table:
        return table
    own = {"system": table["scoring"]} if isinstance(table["scoring"], str) else table["scoring"]
    return {**table, "scoring": _over_system(own, load, f"{where}.scoring")}


def _over_system(scoring: Any, load: Callable[[], Mapping[str, SystemFile]], where: str) -> Any:
    """Lay a table of settings over that of the system it names."""
    name = named_system(scoring) if isinstance(scoring, Mapping) else None
    if name is None:
        return scoring
    systems = load()
    system = _system_named(name, systems)
    if system is None:
        table = Table({}, where)
        near = did_you_mean(name, tuple(systems))
        table.fault("system", f"no system {name!r}{near}; 'ordersheets rules --list' shows all, or write its blocks")
        raise Stopped(table.problems)
    own = {key: value for key, value in scoring.items() if key != "system"}
    return merge_settings(systems[system].scoring, own)


def merge_settings(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Lay settings over those of a base: tables are merged, everything else is replaced."""
    merged = dict(base)
    for key, value in changes.items():
        below = merged.get(key)
        is_table = isinstance(value, Mapping) and isinstance(below, Mapping) and "value" not in below
        merged[key] = merge_settings(below, value) if is_table else value  # type: ignore[arg-type]  # both are tables
    return merged
