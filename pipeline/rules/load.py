"""Load a tournament from its files, or stop with all faults at once, each with its file and path."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from pipeline.board import MAPS
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.rules import tournament
from pipeline.rules.abbreviations import Abbreviations, read_abbreviations
from pipeline.rules.conduct import ConductRules
from pipeline.rules.convert import read_setting, read_struct
from pipeline.rules.reading_rules import AdjustmentRules, ReadingRules
from pipeline.rules.scoring import read_scoring
from pipeline.rules.switches import ASK
from pipeline.rules.systems import SystemFile, merge_settings, read_system_file, with_system
from pipeline.rules.table import NONE, Table, describe_fault, did_you_mean, read_toml_text
from pipeline.scoring.results import exact
from pipeline.scoring.rules import ScoringRules
from pipeline.scoring.system import MORE_THAN_HALF, SOLO_CENTRES
from pipeline.small_files import data_folder, decode_text, fault_in_file_name, read_small
from pipeline.words.speech import Choice, languages, write_count

# What stands where an event's file says nothing: the switches of ``templates/defaults.toml``.
#
# A file with a table ``[tournament]`` is asked about what it does not say, unless it says ``unstated = "defaults"``. A
# file without one, of points alone, takes the defaults and can be used at once.

SECTIONS = ("judge", "reading", "adjustments", "conduct", "ending", "clock", "draw")
LATE = "late"  # the kind of penalty that a late sheet costs
Tables = Mapping[str, Any]


class Unstated(Choice):
    """The value of a switch that a rules file does not mention."""

    ASK = ASK, "the director is asked"
    DEFAULTS = "defaults", "the rulebook of 2023, and custom where it is silent"


def with_defaults(values: Tables, defaults: Tables, name: str) -> Tables:
    """Put the defaults below what a file says, where it takes them; ``name`` is the file's, without its ending."""
    about = values.get("tournament")
    taken = about is None or (isinstance(about, Mapping) and about.get("unstated") == Unstated.DEFAULTS)
    if not taken:
        return values
    plain = {"id": name, "short": name.upper(), "name": name, "abbreviations": "english"} if about is None else {}
    tables = {key: values.get(key, {}) for key in SECTIONS}
    base = merge_settings(defaults, _as_scored(values))
    merged = {key: merge_settings(base[key], own) if isinstance(own, Mapping) else own for key, own in tables.items()}
    return {**values, **merged, "tournament": {"abbreviations": "english", **plain, **(about or {})}}


def _as_scored(values: Tables) -> dict[str, Any]:
    """What the points of a file imply for its switches: what wins a game alone, and what a late sheet costs."""
    tables: dict[str, Any] = {}
    centres = _plain_value(values, "scoring", "solo", "centres")
    if centres == MORE_THAN_HALF or (type(centres) is int and SOLO_CENTRES.has(centres)):  # else told where it stands
        wins = NONE if centres == MORE_THAN_HALF else centres
        tables["ending"] = {"solo_centres": {"value": wins, "rule": "[scoring.solo]"}}
    costs = _late_cost(_plain_value(values, "totals", "penalties"))
    if costs:
        tables["conduct"] = {"late_points": {"value": str(-costs), "rule": "[[totals.penalties]]"}}
    return tables


def _plain_value(values: Any, *keys: str) -> Any:
    """Walk down into a file's tables; a setting with its rule is its value, and what is not there is None."""
    for key in keys:
        values = values.get(key) if isinstance(values, Mapping) else None
        if isinstance(values, Mapping) and "value" in values:
            values = values["value"]
    return values


def _late_cost(penalties: Any) -> Fraction:
    """What ``[[totals.penalties]]`` take for a late sheet; faults are reported where it is read."""
    costs = Fraction()
    for each in penalties if isinstance(penalties, list) else ():
        if _plain_value(each, "kind") == LATE:
            try:
                costs += exact(_plain_value(each, "points") or 0)
            except ValueError:
                continue
    return costs


FileContents = dict[Path, bytes | None]  # what files held when they were read; None: there was no such file
MOST_KEPT = 16  # tournaments: an event has one, and a program may have several events open
KEPT: dict[Path, tuple[FileContents, tournament.Tournament]] = {}  # by the path of the rules file
STAND_IN = "english"  # the table that is read instead of one that is not found, to find the other faults


def tournament_ids() -> tuple[str, ...]:
    """List the tournaments whose rules files come with the program."""
    return tuple(sorted(path.stem for path in data_folder("templates/rules").glob("*.toml")))


@cache
def load_systems() -> Mapping[str, SystemFile]:
    """Load the scoring systems that come with the program, by their ids.

    >>> load_systems()["tribute"].name
    'Tribute'
    """
    paths = sorted(data_folder("templates/scoring").glob("*.toml"), key=lambda path: path.stem)
    return {path.stem: read_system_file(read_toml(path), path.stem) for path in paths}


def load_tournament(name_or_path: str | Path) -> tournament.Tournament:
    """Load a tournament by its id or by the path of its rules file, or stop with every fault (`Stopped`).

    It is the same object as long as every file that it was made of holds the same, byte by byte.

    >>> load_tournament("weaselmoot").short
    'WM'
    >>> load_tournament("weaselmoot") is load_tournament("weaselmoot")
    True
    """
    path = find_rules(name_or_path)
    kept = KEPT.get(path)
    if kept is None or any(content_of(each) != before for each, before in kept[0].items()):
        held: FileContents = {}
        kept = held, read_tournament(read_toml(path, held), path, held)
        if len(KEPT) >= MOST_KEPT:
            KEPT.clear()
        KEPT[path] = kept
    return kept[1]


def files_of(name_or_path: str | Path) -> FileContents:
    """What the files held that a tournament was made of when it was loaded last."""
    return KEPT[find_rules(name_or_path)][0]


def content_of(path: Path) -> bytes | None:
    """What a file holds now; None where it is not there or cannot be read."""
    try:
        return read_small(path)
    except OSError:
        return None


@cache
def load_defaults() -> Mapping[str, Any]:
    """Load the defaults for what a rules file does not say."""
    return read_toml(data_folder("templates") / "defaults.toml")


def _with_named_system(values: Mapping[str, Any], where: str, problems: list[Problem]) -> Mapping[str, Any]:
    """Replace the name of a scoring system by the system's table; an unknown name is added to ``problems``."""
    try:
        return with_system(values, load_systems, where)
    except Stopped as stopped:
        problems.extend(stopped.problems)
        # so that the other faults are reported, too
        scoring = values.get("scoring")
        return {
            **values,
            "scoring": {**(scoring if isinstance(scoring, Mapping) else {}), "parts": [{"give": "centres"}]},
        }


def read_tournament(values: Mapping[str, Any], path: Path, held: FileContents | None = None) -> tournament.Tournament:
    """Make a tournament of the content of its rules file, or stop with every fault (`Stopped`).

    ``path`` is where it stands, or would stand: tables of abbreviations are looked for beside it. A file of points
    alone stands at the defaults in everything else. The bytes of each file that is read are put into ``held``.
    """
    problems: list[Problem] = []
    values = with_defaults(_with_named_system(values, path.name, problems), load_defaults(), path.stem)
    table = Table(values, path.name, problems, between=" ")
    about = table.table("tournament")
    abbreviations = load_abbreviations(about.need("abbreviations", str, ""), path.parent, table.problems, held)
    points = {key: table.get(key, dict, {}) for key in tournament.POINTS}
    judge = _read_judge(table.table("judge"))
    reading = read_struct(ReadingRules, table.table("reading"))
    adjustments = read_struct(AdjustmentRules, table.table("adjustments"))
    conduct = read_struct(ConductRules, table.table("conduct"))
    tournament.check_disorder(conduct, f"{path.name} conduct", table.problems)
    others = tournament.canonical_order_settings(reading, adjustments, conduct)
    rulebook = tournament.make_rulebook(judge, others, abbreviations, f"{path.name} judge", table.problems)
    ending = read_struct(tournament.EndingRules, table.table("ending"))
    tournament.check_years(ending, f"{path.name} ending", table.problems)
    clock = read_struct(tournament.ClockRules, table.table("clock"))
    draw = read_struct(tournament.DrawRules, table.table("draw"))
    names = _read_names(about, path)
    scoring = _load_scoring(table, conduct)
    if scoring is not None:
        _check_pools(draw, scoring, table)
    faults = table.finish()
    if faults or scoring is None:
        raise Stopped(dict.fromkeys(faults))
    return tournament.Tournament(
        **names,
        judge=judge,
        rulebook=rulebook,
        reading=reading,
        adjustments=adjustments,
        conduct=conduct,
        ending=ending,
        clock=clock,
        draw=draw,
        abbreviations=abbreviations,
        scoring=replace(scoring, name=names["name"]),
        points=points,
    )


def _read_names(about: Table, path: Path) -> dict[str, Any]:
    """Read what the rules are called, where they come from, and for which map and language they are."""
    names = {
        "name": about.need("name", str, ""),
        "source": about.get("source", str, ""),
        "map": _read_map_name(about),
        "id": about.get("id", str, path.stem),
        "short": about.need("short", str, ""),
    }
    if "id" in about.values and (fault_in_file_name(names["id"]) or "/" in names["id"]):
        about.fault("id", f"expected a word such as 'wdc2008', found {names['id']!r}")
    about.choice("unstated", tuple(Unstated))
    names["language"] = about.choice("language", languages())
    about.finish()
    return names


def _check_pools(draw: tournament.DrawRules, scoring: ScoringRules, table: Table) -> None:
    """Report the pools that the draw names and the scoring does not know."""
    names = tuple(pool.name for pool in scoring.totals.pools)
    for pool in draw.pools:
        if pool not in names:
            table.fault(f"draw.pools.{pool}", f"there is no pool {pool!r}{did_you_mean(pool, names)}")


def _load_scoring(table: Table, conduct: ConductRules) -> ScoringRules | None:
    """Read the scoring tables; None where they have faults, which join the others.

    A late sheet must cost the same in ``[conduct]`` and in ``[[totals.penalties]]``.
    """
    try:
        scoring = read_scoring(table.values, table.where)
    except Stopped as stopped:
        table.problems.extend(stopped.problems)
        return None
    here = table.path("conduct.late_points")
    if any(problem.where.startswith(here) for problem in table.problems):
        return scoring
    costs = -(conduct.late_points.value or Fraction(0))
    scored = sum((rule.cost for rule in scoring.penalties if rule.kind == LATE), Fraction(0))
    if costs != scored:
        text = (
            f"a late sheet costs {write_count(costs, 'point')} here and {scored} in [[totals.penalties]]; write "
            "the same in both"
        )
        table.fault("conduct.late_points", text)
    return scoring


def find_rules(name_or_path: str | Path) -> Path:
    """Find a rules file: a path to one, or the id of one that comes with the program."""
    path = Path(name_or_path)
    if path.suffix == ".toml":
        return path
    known = tournament_ids()
    if str(name_or_path) not in known:
        hint = did_you_mean(str(name_or_path), known)
        raise stop(
            f"no such tournament{hint}; known are {', '.join(known)}, or give the path of a .toml file", str(path)
        )
    return data_folder("templates/rules") / f"{name_or_path}.toml"


def read_toml(path: Path, held: FileContents | None = None) -> dict[str, Any]:
    """Read one TOML file, or stop with what is wrong with it."""
    try:
        data = read_small(path)
        if held is not None:
            held[path] = data
        return read_toml_text(decode_text(data))
    except FileNotFoundError:
        raise stop("no such file; check the name", str(path)) from None
    except OSError as error:
        raise stop(f"cannot be read: {error.strerror}", str(path)) from None
    except ValueError as error:
        raise stop(describe_fault(error), path.name) from None


def load_abbreviations(
    name: str, beside: Path, problems: list[Problem], held: FileContents | None = None
) -> Abbreviations:
    """Load a table and those it extends: from ``abbreviations/`` beside the rules file, else from the program's own."""
    files: dict[str, Mapping[str, Any]] = {}
    wanted = [name]
    while wanted:
        each = wanted.pop()
        if each in files:
            continue
        path = _find_table(each, beside, held)
        if path is None:
            known = tuple(sorted(p.stem for p in data_folder("abbreviations").glob("*.toml")))
            text = f"no table {each!r}{did_you_mean(each, known)}; known are {', '.join(known)}"
            problems.append(Problem(Weight.STOPS, text, "abbreviations"))
            files[each] = {"extends": [STAND_IN]}  # to report a missing table only once
            wanted.append(STAND_IN)
            continue
        files[each] = read_toml(path, held)
        bases = files[each].get("extends", [])
        wanted += [base for base in bases if isinstance(base, str)] if isinstance(bases, list) else []
    return read_abbreviations(name, files, problems)


def _find_table(name: str, beside: Path, held: FileContents | None) -> Path | None:
    """Find the file of a table; each path at which there is none is put into ``held``, as None."""
    for folder in () if fault_in_file_name(name) else (beside / "abbreviations", data_folder("abbreviations")):
        path = folder / f"{name}.toml"
        if path.is_file():
            return path
        if held is not None:
            held[path] = None
    return None


def _read_map_name(about: Table) -> str:
    name = about.get("map", str, "standard")
    if name not in MAPS:
        about.fault("map", f"{name!r} is not one of {', '.join(MAPS)}{did_you_mean(name, tuple(MAPS))}")
    return name


def _read_judge(table: Table) -> tournament.JudgeRules:
    """Read ``[judge]``: the edition, and any field of the judge's rulebook."""
    edition = read_setting(str, table, "edition")
    names = [name for name in table.values if name != "edition"]
    choices = {  # the judge knows the types of its fields
        name: read_setting(object, table, name) for name in names
    }
    table.finish()
    return tournament.JudgeRules(edition=edition, choices=choices)
