"""Load a tournament: the one module here that opens files. All faults at once, each with its file and path."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from pipeline.board.standard import MAPS
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.rules.conduct_rules import ConductRules
from pipeline.rules.defaults import Unstated, with_defaults
from pipeline.rules.event_rules import ClockRules, DrawRules, EndingRules, JudgeRules, SeasonParts, Span
from pipeline.rules.judging import check_disorder, implied, make_rulebook
from pipeline.rules.new_rules import RulesQuestion, questions
from pipeline.rules.reading_rules import AdjustmentRules, ReadingRules
from pipeline.rules.scoring.scoring import read_scoring
from pipeline.rules.scoring.systems import SystemFile, read_system_file, with_system
from pipeline.rules.toml.folders import data_folder
from pipeline.rules.toml.plain_text import fault_in_file_name
from pipeline.rules.toml.sections import MISSING_RULE, read_section, read_setting
from pipeline.rules.toml.table import Table, did_you_mean, read_toml_text
from pipeline.rules.tournament import POINTS, Tournament
from pipeline.rules.words.abbreviations import Abbreviations
from pipeline.rules.words.extended import read_abbreviations
from pipeline.scoring.totals.rules import ScoringRules
from pipeline.words.speech import languages

Held = dict[Path, bytes | None]  # what files held when they were read; None: there was no such file

MOST_KEPT = 16  # tournaments: an event has one, and a hall of several events a few
KEPT: dict[Path, tuple[Held, Tournament]] = {}  # by the path of the rules file

STAND_IN = "english"  # the table that is read on with where the one that is named is not found


def tournament_ids() -> tuple[str, ...]:
    """List the tournaments whose rules files come with the program."""
    return tuple(sorted(path.stem for path in data_folder("templates/rules").glob("*.toml")))


def own_questions() -> tuple[RulesQuestion, ...]:
    """What is asked for rules of one's own, with what there is to choose from."""
    tables = tuple(sorted(path.stem for path in data_folder("abbreviations").glob("*.toml")))
    return questions(load_systems(), tables)


@cache
def load_systems() -> Mapping[str, SystemFile]:
    """Load the scoring systems that come with the program, by their ids.

    >>> load_systems()["tribute"].name
    'Tribute'
    """
    paths = sorted(data_folder("templates/scoring").glob("*.toml"), key=lambda path: path.stem)
    return {path.stem: read_system_file(read_toml(path), path.stem) for path in paths}


def load_tournament(name_or_path: str | Path) -> Tournament:
    """Load a tournament by its id or by the path of its rules file, or stop with every fault (`Stopped`).

    It is the same object as long as every file that it was made of holds the same, byte by byte.

    >>> load_tournament("weaselmoot").short
    'WM'
    >>> load_tournament("weaselmoot") is load_tournament("weaselmoot")
    True
    """
    path = find_rules(name_or_path)
    kept = KEPT.get(path)
    if kept is None or any(content(each) != before for each, before in kept[0].items()):
        held: Held = {}
        kept = held, read_tournament(read_toml(path, held), path, held)
        if len(KEPT) >= MOST_KEPT:
            KEPT.clear()
        KEPT[path] = kept
    return kept[1]


def content(path: Path) -> bytes | None:
    """What a file holds now; None where it is not there or cannot be read."""
    try:
        return path.read_bytes()
    except OSError:
        return None


@cache
def load_defaults() -> Mapping[str, Any]:
    """Load what stands where a rules file says nothing."""
    return read_toml(data_folder("templates") / "defaults.toml")


def system_taken(values: Mapping[str, Any], where: str, problems: list[Problem]) -> Mapping[str, Any]:
    """Put the scoring system that a rules file names in its place; a name that there is not is noted."""
    try:
        return with_system(values, load_systems, where)
    except Stopped as stopped:
        problems.extend(stopped.problems)
        return {**values, "scoring": {**values["scoring"], "parts": [{"give": "centres"}]}}  # the other faults are told


def read_tournament(values: Mapping[str, Any], path: Path, held: Held | None = None) -> Tournament:
    """Make a tournament of the content of its rules file, or stop with every fault (`Stopped`).

    ``path`` is where it stands, or would stand: tables of abbreviations are looked for beside it. A file of points
    alone stands at the defaults in everything else. What is read is put into ``held``.
    """
    problems: list[Problem] = []
    values = with_defaults(system_taken(values, path.name, problems), load_defaults(), path.stem)
    table = Table(values, path.name, problems, between=" ")
    about = table.table("tournament")
    abbreviations = load_abbreviations(about.need("abbreviations", str, ""), path.parent, table.problems, held)
    points = {key: table.get(key, dict, {}) for key in POINTS}
    judge = read_judge(table.table("judge"))
    reading = read_section(ReadingRules, table.table("reading"), "reading")
    adjustments = read_section(AdjustmentRules, table.table("adjustments"), "adjustments")
    conduct = read_section(ConductRules, table.table("conduct"), "conduct")
    check_disorder(conduct, f"{path.name} conduct", table.problems)
    others = implied(reading, adjustments, conduct)
    rulebook = make_rulebook(judge, others, abbreviations, f"{path.name} judge", table.problems)
    ending = read_section(EndingRules, table.table("ending"), "ending")
    clock = read_clock(table.table("clock"))
    draw = read_section(DrawRules, table.table("draw"), "draw")
    name, source, drawn_on = about.need("name", str, ""), about.get("source", str, ""), read_map_name(about)
    identity, short = about.get("id", str, path.stem), about.need("short", str, "")
    about.choice("unstated", tuple(Unstated))
    language = about.choice("language", languages())
    about.finish()
    scoring = load_scoring(table, conduct)
    found = table.finish()
    if found or scoring is None:
        raise Stopped(dict.fromkeys(found))
    return Tournament(
        id=identity,
        short=short,
        name=name,
        source=source,
        map=drawn_on,
        language=language,
        judge=judge,
        rulebook=rulebook,
        reading=reading,
        adjustments=adjustments,
        conduct=conduct,
        ending=ending,
        clock=clock,
        draw=draw,
        abbreviations=abbreviations,
        scoring=replace(scoring, name=name),
        points=points,
    )


def load_scoring(table: Table, conduct: ConductRules) -> ScoringRules | None:
    """Read the scoring tables, or nothing where they have faults, which join the others."""
    try:
        scoring = read_scoring(table.values, table.where)
    except Stopped as stopped:
        table.problems.extend(stopped.problems)
        return None
    here = table.path("conduct.late_points")
    if any(problem.where.startswith(here) for problem in table.problems):
        return scoring
    costs = -(conduct.late_points.value or Fraction(0))
    scored = sum((rule.points for rule in scoring.penalties if rule.kind == "late"), Fraction(0))
    if costs != scored:
        text = f"a late sheet costs {costs} points here and {scored} in [[totals.penalties]]; write the same in both"
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


def read_toml(path: Path, held: Held | None = None) -> dict[str, Any]:
    """Read one TOML file, or stop with what is wrong with it."""
    try:
        data = path.read_bytes()
        if held is not None:
            held[path] = data
        return read_toml_text(data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n"))
    except FileNotFoundError:
        raise stop("no such file; check the name", str(path)) from None
    except OSError as error:
        raise stop(f"cannot be read: {error.strerror}", str(path)) from None
    except ValueError as error:
        raise stop(f"not TOML: {error}", path.name) from None


def load_abbreviations(name: str, beside: Path, problems: list[Problem], held: Held | None = None) -> Abbreviations:
    """Load a table and those it extends: from ``abbreviations/`` beside the rules file, else from the program's own."""
    files: dict[str, Mapping[str, Any]] = {}
    wanted = [name]
    while wanted:
        each = wanted.pop()
        if each in files:
            continue
        path = find_table(each, beside, held)
        if path is None:
            known = tuple(sorted(p.stem for p in data_folder("abbreviations").glob("*.toml")))
            text = f"no table {each!r}{did_you_mean(each, known)}; known are {', '.join(known)}"
            problems.append(Problem(Weight.STOPS, text, "abbreviations"))
            files[each] = {"extends": [STAND_IN]}  # so that nothing else is said of a table that is not there
            wanted.append(STAND_IN)
            continue
        files[each] = read_toml(path, held)
        bases = files[each].get("extends", [])
        wanted += [base for base in bases if isinstance(base, str)] if isinstance(bases, list) else []
    return read_abbreviations(name, files, problems)


def find_table(name: str, beside: Path, held: Held | None = None) -> Path | None:
    """Find the file of a table; where it might have stood and does not is put into ``held``."""
    for folder in () if fault_in_file_name(name) else (beside / "abbreviations", data_folder("abbreviations")):
        path = folder / f"{name}.toml"
        if path.is_file():
            return path
        if held is not None:
            held[path] = None
    return None


def read_map_name(about: Table) -> str:
    """Take the name of the map."""
    name = about.get("map", str, "standard")
    if name not in MAPS:
        about.fault("map", f"{name!r} is not one of {', '.join(MAPS)}{did_you_mean(name, tuple(MAPS))}")
    return name


def read_judge(table: Table) -> JudgeRules:
    """Read ``[judge]``: the edition, and any field of the judge's rulebook."""
    edition = read_setting(str, table, "edition", "judge.edition")
    names = [name for name in table.values if name != "edition"]
    choices = {  # the judge knows the types of its fields
        name: read_setting(object, table, name, f"judge.{name}") for name in names
    }
    table.finish()
    return JudgeRules(edition=edition, choices=choices)


def read_clock(table: Table) -> ClockRules:
    """Read ``[clock]`` and its tables ``[[clock.years]]``."""
    years = []
    for each in table.tables("years"):
        if each.values.get("rule") == "":
            each.fault("rule", MISSING_RULE)
        years.append(
            Span(
                from_year=each.need("from_year", int, 1901),
                spring=read_parts(each, "spring"),
                fall=read_parts(each, "fall"),
                rule=each.need("rule", str, ""),
            )
        )
        each.finish()
    return read_section(ClockRules, table, "clock", {"years": tuple(sorted(years, key=lambda span: span.from_year))})


def read_parts(table: Table, key: str) -> SeasonParts:
    """Read the seconds of one season."""
    parts = table.table(key)
    found = SeasonParts(
        negotiation=parts.need("negotiation", int, 0),
        writing=parts.get("writing", int, 0),
        reading=parts.get("reading", int, 0),
    )
    parts.finish()
    return found
