"""Load a tournament from its files, or stop with all faults at once, each with its file and path."""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import MAPS
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.rules import tournament
from pipeline.rules.abbreviations import Abbreviations, read_abbreviations
from pipeline.rules.conduct import ConductRules
from pipeline.rules.convert import read_setting, read_struct
from pipeline.rules.reading_rules import AdjustmentRules, ReadingRules
from pipeline.rules.scoring import HIGHEST, SIMPLE, read_scoring
from pipeline.rules.systems import SystemFile, merge_settings, read_system_file, with_system
from pipeline.rules.table import (
    ASK,
    NONE,
    Table,
    data_folder,
    decode_text,
    describe_fault,
    did_you_mean,
    fault_in_file_name,
    is_whole,
    read_small,
    read_toml_text,
)
from pipeline.scoring.numbers import FACTOR, SOME, Range
from pipeline.scoring.results import STANDARD_CENTRES, exact
from pipeline.scoring.rules import OPEN, PowerBy, ScoringRules, TwoBoards
from pipeline.scoring.system import MORE_THAN_HALF, SOLO_CENTRES
from pipeline.words.speech import Choice, languages

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


# The rules file of a new event from the answers to fifteen questions; every other switch stands at its default.
#
# A page that makes events asks the same `rules_questions` and writes the same text; the command asks them one by one.

NO_SYSTEM, ALL = "none", "all"
OF_OTHERS = ("final score", "chose last", "centre margin", "most top grades")  # for finals, best powers, votes only
TIES = (*HIGHEST, *(name for name in SIMPLE if name not in OF_OTHERS))
YEAR = re.compile("19(0[1-9]|[1-9][0-9])")
MOST_ROUNDS = 20


class RulesQuestion(Struct, frozen=True):
    """One thing that a director is asked."""

    key: str  # a field of `NewRulesAnswers`, and the option of the command
    text: str
    otherwise: str  # the answer that is offered
    known: tuple[str, ...] = ()  # the answers that there are; none: any
    is_rare: bool = False  # asked only of who says that there is something rare


class NewRulesAnswers(Struct, frozen=True, kw_only=True):
    """What a director answered, as he wrote it; `rules_text` says what is wrong with it."""

    name: str
    short: str
    system: str
    rounds: str
    counted: str
    two_boards: str
    ties: str
    final: str
    teams: str
    map: str
    abbreviations: str
    last_year: str
    votes: str
    all_survivors: str
    rare: str = "no"
    round_weights: str = "none"
    stand_down: str = "none"
    second_title: str = "none"
    second_counted: str = "all"
    winners_first: str = "no"
    wins_first: str = "no"
    power_by: str = "score"
    concession_centres: str = "none"


def rules_questions(systems: Mapping[str, Any], tables: tuple[str, ...]) -> tuple[RulesQuestion, ...]:
    """The questions, with the scoring systems and the tables of abbreviations that there are."""
    two = tuple(each.value for each in TwoBoards)
    return (
        RulesQuestion("name", "What is the event called?", ""),
        RulesQuestion("short", "How are its rules quoted, in a few letters?", ""),
        RulesQuestion("system", "Which scoring system is played? ('?' lists them)", "", tuple(systems)),
        RulesQuestion("rounds", "How many rounds are played? (a number, or 'any' in a league)", "3"),
        RulesQuestion("counted", "How many of a player's games count, the best ones? (a number, or 'all')", ALL),
        RulesQuestion("two_boards", "What counts of two boards played in one round?", TwoBoards.HIGHER.value, two),
        RulesQuestion(
            "ties",
            "What breaks a tie between players, in this order? (with commas between, or 'none': they share a place)",
            "highest game, second-highest game",
            (NO_SYSTEM, *TIES),
        ),
        RulesQuestion("final", "Which round is a final table of seven? (a round, or 'none')", NO_SYSTEM),
        RulesQuestion("teams", "How many players are in a team? (a number, or 'none')", NO_SYSTEM),
        RulesQuestion("map", "Which map?", "standard", tuple(MAPS)),
        RulesQuestion("abbreviations", "Which table of abbreviations?", "english", tables),
        RulesQuestion("last_year", "Which year is the last that is played? (a year, or 'none')", NO_SYSTEM),
        RulesQuestion(
            "votes", "From which year on may a draw be voted? (a year, or 'none': from the beginning)", NO_SYSTEM
        ),
        RulesQuestion("all_survivors", "Does a draw include all survivors?", "yes", ("yes", "no")),
        RulesQuestion("rare", "Is there something rarer, such as coefficients or a second title?", "no", ("yes", "no")),
        *_rare_questions(),
    )


def _rare_questions() -> Iterator[RulesQuestion]:
    """The questions about rules that few tournaments have."""

    def rare(key: str, text: str, otherwise: str, known: tuple[str, ...] = ()) -> RulesQuestion:
        return RulesQuestion(key, text, otherwise, known, is_rare=True)

    yield rare(
        "round_weights", "What are scores of round 1, 2, ... multiplied by? (commas between, or 'none')", NO_SYSTEM
    )
    yield rare(
        "stand_down",
        "How many points does a player get who sits out a round voluntarily? (points, or 'none')",
        NO_SYSTEM,
    )
    yield rare("second_title", "Which further title has a ranking of its own? (a title, or 'none')", NO_SYSTEM)
    yield rare("second_counted", "How many games count for that title, the best ones? (a number, or 'all')", ALL)
    yield rare("winners_first", "Do board winners sit down at the final table before all others?", "no", ("yes", "no"))
    yield rare("wins_first", "Is who won more games outright ahead, whatever the points?", "no", ("yes", "no"))
    yield rare("power_by", "What makes the best player of a power?", PowerBy.SCORE.value, tuple(PowerBy))
    yield rare(
        "concession_centres", "From how many centres on may a game be conceded? (a number, or 'none')", NO_SYSTEM
    )


def rules_text(answers: NewRulesAnswers, asked: tuple[RulesQuestion, ...]) -> str:
    """Write the rules file, or stop with everything that is wrong with the answers (`Stopped`)."""
    problems = [Problem(Weight.STOPS, text, key) for key, text in _wrong(answers, asked)]
    if problems:
        raise Stopped(problems)
    parts = (_write_head(answers), _write_switches(answers), _write_points(answers), _write_extras(answers))
    return "\n".join(part for part in parts if part)


def _wrong(answers: NewRulesAnswers, asked: tuple[RulesQuestion, ...]) -> list[tuple[str, str]]:
    """List what is wrong with the answers, by their keys."""
    faults = [fault for question in asked for fault in _invalid_answers(question, getattr(answers, question.key))]
    rounds = MOST_ROUNDS if answers.rounds == OPEN else _to_int(answers.rounds)
    if 1 <= rounds <= MOST_ROUNDS:
        return [*faults, *_out_of_range(answers, rounds)]
    return [*faults, ("rounds", f"expected 1 to {MOST_ROUNDS} rounds, or {OPEN!r}, found {answers.rounds!r}")]


def _invalid_answers(question: RulesQuestion, value: str) -> Iterator[tuple[str, str]]:
    """An answer that is missing, or none of those that there are."""
    if not value:
        yield question.key, "expected an answer"
        return
    if any(unicodedata.category(letter) == "Cc" for letter in value):
        yield question.key, f"expected one line without control characters; found {value!r}"
        return
    words = _split_words(value) if question.key == "ties" else (value,)
    if NO_SYSTEM in words and len(words) > 1:
        yield question.key, f"expected tie-breaks, or {NO_SYSTEM!r} alone; found {value!r}"
    for word in words:
        if question.known and word not in question.known:
            some = ", ".join(question.known[:8]) + (", …" if len(question.known) > 8 else "")
            yield question.key, f"{word!r} is not one of {some}{did_you_mean(word, question.known)}"


def _out_of_range(answers: NewRulesAnswers, rounds: int) -> list[tuple[str, str]]:
    """Numbers and years that cannot be."""
    faults = []
    if answers.counted != ALL and not 1 <= _to_int(answers.counted) <= rounds:
        faults.append(("counted", f"expected 1 to {rounds}, or {ALL!r}; found {answers.counted!r}"))
    if answers.final != NO_SYSTEM and not 2 <= _to_int(answers.final) <= rounds:
        faults.append(("final", f"expected a round from 2 to {rounds}, or {NO_SYSTEM!r}; found {answers.final!r}"))
    if answers.teams != NO_SYSTEM and not 2 <= _to_int(answers.teams) <= 9:
        faults.append(("teams", f"expected the members of a team, or {NO_SYSTEM!r}; found {answers.teams!r}"))
    faults += _rare_out_of_range(answers, rounds)
    for key, year in (("last_year", answers.last_year), ("votes", answers.votes)):
        if year not in ("", NO_SYSTEM) and not YEAR.fullmatch(year):
            faults.append((key, f"expected a year such as 1908, or {NO_SYSTEM!r}; found {year!r}"))
    return faults


def _rare_out_of_range(answers: NewRulesAnswers, rounds: int) -> Iterator[tuple[str, str]]:
    """Numbers of rare rules that cannot be, and what cannot be combined."""
    for weight in _split_words(answers.round_weights) if answers.round_weights != NO_SYSTEM else ():
        yield from (("round_weights", fault) for fault in _not_points(weight, FACTOR))
    if answers.stand_down != NO_SYSTEM:
        yield from (("stand_down", fault) for fault in _not_points(answers.stand_down, SOME))
    if answers.second_counted != ALL and not 1 <= _to_int(answers.second_counted) <= rounds:
        yield "second_counted", f"expected 1 to {rounds}, or {ALL!r}; found {answers.second_counted!r}"
    for key in ("final", "teams") if answers.rounds == OPEN else ():
        if getattr(answers, key) != NO_SYSTEM:
            yield key, f"a league has no last round; answer {NO_SYSTEM!r}, or write the tables yourself"
    if answers.winners_first == "yes" and answers.final == NO_SYSTEM:
        yield "winners_first", "there is no final table; answer which round it is, or 'no'"
    if answers.concession_centres != NO_SYSTEM and not 1 <= _to_int(answers.concession_centres) <= STANDARD_CENTRES:
        yield "concession_centres", f"expected 1 to 34, or {NO_SYSTEM!r}; found {answers.concession_centres!r}"


def _not_points(text: str, within: Range) -> Iterator[str]:
    """What is wrong with points as they were typed."""
    try:
        if not within.has(exact(text)):
            yield f"{within}, found {text}"
    except ValueError as error:
        yield str(error)


def _to_int(text: str) -> int:
    """Read a whole number; 0 where it is none."""
    return int(text) if is_whole(text) else 0


def _split_words(text: str) -> tuple[str, ...]:
    """Words with commas between."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _toml_string(text: str) -> str:
    """A text in TOML, whose simple strings are those of JSON."""
    return json.dumps(text, ensure_ascii=False)


def _write_head(answers: NewRulesAnswers) -> str:
    return f"""# The rules of {answers.name}. What is not here stands at its default: 'ordersheets rules FILE' shows
# every switch with its value and where that comes from, and 'ordersheets rules FILE --check' looks the file through.
# A switch is written  key = {{ value = …, rule = "where your rules say so" }}; docs/generated/words.md has all keys.

[tournament]
name = {_toml_string(answers.name)}
short = {_toml_string(answers.short)}
map = {_toml_string(answers.map)}
abbreviations = {_toml_string(answers.abbreviations)}
unstated = "defaults"
"""


def _write_switches(answers: NewRulesAnswers) -> str:
    rule = _toml_string(answers.short)
    year = answers.last_year if answers.last_year != NO_SYSTEM else '"none"'
    votes = answers.votes if answers.votes != NO_SYSTEM else '"none"'
    survivors = _toml_string(answers.all_survivors)
    final = f"last_year_top_board = {{ value = {year}, rule = {rule} }}\n" if answers.final != NO_SYSTEM else ""
    if answers.concession_centres != NO_SYSTEM:
        final += f'concession = {{ value = "yes", rule = {rule} }}\n'
        final += f"concession_centres = {{ value = {_to_int(answers.concession_centres)}, rule = {rule} }}\n"
    return f"""[ending]
last_year = {{ value = {year}, rule = {rule} }}
{final}
[ending.vote]
from_year = {{ value = {votes}, rule = {rule} }}
includes_all_survivors = {{ value = {survivors}, rule = {rule} }}
"""


def _write_points(answers: NewRulesAnswers) -> str:
    """The system, and what becomes of its scores."""
    rounds = _toml_string(OPEN) if answers.rounds == OPEN else _to_int(answers.rounds)
    weights = _toml_string(ALL) if answers.counted == ALL else str([1] * _to_int(answers.counted))
    sandard = 'sandard = true\nsolo = { centres = "more than half" }\n' if answers.map == "sandard" else ""
    chain = ", ".join(map(_toml_string, _split_words(answers.ties))) if answers.ties != NO_SYSTEM else ""
    return f"""[scoring]
system = {_toml_string(answers.system)}
{sandard}
[totals]
rounds = {rounds}
weights = {weights}
two_boards = {_toml_string(answers.two_boards)}
{_rare_totals(answers)}
[ties]
players = [{chain}]
"""


def _rare_totals(answers: NewRulesAnswers) -> str:
    """What few tournaments have in their totals."""
    lines = []
    if answers.round_weights != NO_SYSTEM:
        lines.append(f"round_weights = [{', '.join(map(_toml_string, _split_words(answers.round_weights)))}]\n")
    if answers.wins_first == "yes":
        lines.append("wins_first = true\n")
    if answers.stand_down != NO_SYSTEM:
        lines.append(f"bonuses = {{ withdrawal = {{ points = {_toml_string(answers.stand_down)} }} }}\n")
    return "".join(lines)


def _write_extras(answers: NewRulesAnswers) -> str:
    """The final table, the teams, and further awards, where there are any."""
    rounds, final = _to_int(answers.rounds), _to_int(answers.final)
    before = [each for each in range(1, rounds + 1) if each != final]
    parts = []
    if answers.final != NO_SYSTEM:
        qualifying = [each for each in before if each < final]
        first = "winners_first = true\n" if answers.winners_first == "yes" else ""
        parts.append(f'[totals.final]\nround = {final}\nqualifying_rounds = {qualifying}\nchampion = "table"\n{first}')
    if answers.teams != NO_SYSTEM:
        parts.append(f"[teams]\nsize = {_to_int(answers.teams)}\nrounds = {before}\n")
    if answers.power_by != PowerBy.SCORE:
        parts.append(f"[awards]\npower_by = {_toml_string(answers.power_by)}\n")
    if answers.second_title != NO_SYSTEM:
        weights = _toml_string(ALL) if answers.second_counted == ALL else str([1] * _to_int(answers.second_counted))
        chain = ", ".join(map(_toml_string, _split_words(answers.ties))) if answers.ties != NO_SYSTEM else ""
        title = _toml_string(answers.second_title)
        parts.append(f"[[awards.titles]]\ntitle = {title}\nweights = {weights}\nties = [{chain}]\n")
    return "\n".join(parts)


FileContents = dict[Path, bytes | None]  # what files held when they were read; None: there was no such file

MOST_KEPT = 16  # tournaments: an event has one, and a hall of several events a few
KEPT: dict[Path, tuple[FileContents, tournament.Tournament]] = {}  # by the path of the rules file

STAND_IN = "english"  # the table that is read instead of one that is not found, to find the other faults


def tournament_ids() -> tuple[str, ...]:
    """List the tournaments whose rules files come with the program."""
    return tuple(sorted(path.stem for path in data_folder("templates/rules").glob("*.toml")))


def own_questions() -> tuple[RulesQuestion, ...]:
    """The questions for a new rules file, with the systems and tables of abbreviations to choose from."""
    tables = tuple(sorted(path.stem for path in data_folder("abbreviations").glob("*.toml")))
    return rules_questions(load_systems(), tables)


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
    scored = sum((rule.cost for rule in scoring.penalties if rule.kind == "late"), Fraction(0))
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
