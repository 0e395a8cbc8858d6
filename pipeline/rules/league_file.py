"""Read the file of a league: its rules, its events with their exports, and who played under several names."""

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Annotated, Any

from msgspec import Struct

from pipeline.problems import Stopped
from pipeline.rules.convert import BAD, convert_value, read_struct
from pipeline.rules.load import read_toml
from pipeline.rules.table import Table, did_you_mean
from pipeline.scoring import rules as scoring_rules
from pipeline.scoring import tiebreaks
from pipeline.scoring.league import League, LeagueEvent, LeagueResult, PointsByTotal, PointsRule, worth_of
from pipeline.scoring.numbers import MOST_ROUNDS, Decimals, Needed, Range
from pipeline.scoring.results import AS_IT_IS, Rounding, exact
from pipeline.scoring.system import System
from pipeline.small_files import decode_text, read_small
from pipeline.words.speech import languages, to_say, write_count

TIES: Mapping[str, scoring_rules.Chain] = {
    "most wins": (tiebreaks.MostWins(),),
    "best result": (tiebreaks.HighestGame(1, to_say("best result")),),
    "second-best result": (tiebreaks.HighestGame(2, to_say("second-best result")),),
    "third-best result": (tiebreaks.HighestGame(3, to_say("third-best result")),),
    "all results": (tiebreaks.AllGames(to_say("all results")),),
    "lot": (tiebreaks.TieLot(),),
}


class _LeagueHead(Struct, frozen=True, kw_only=True):
    """``[league]``."""

    name: Annotated[str, Needed("the name of the league", '"European Grand Prix 2025"')]
    source: str = ""  # of its rules
    least_events: Annotated[int, Range(1, MOST_ROUNDS)] = 1  # who played fewer has no place
    shown_decimals: Decimals = 1
    lots: tuple[tuple[str, ...], ...] = ()  # each drawing of names, its winner first


class _LeagueTotals(Struct, frozen=True, kw_only=True):
    """``[totals]``: how results become a total."""

    weights: scoring_rules.Weights = scoring_rules.Weights()  # of the results from best to worst
    rounding: Rounding = AS_IT_IS


class _LeagueTies(Struct, frozen=True, kw_only=True):
    """``[ties]``."""

    players: tuple[str, ...] = ()


class _EventEntry(Struct, frozen=True, kw_only=True):
    """One of ``[[events]]``."""

    name: Annotated[str, Needed("the name of the event", '"EDC 2025"')]
    results: Annotated[str, Needed("its results.json or standings.csv, as exported", '"edc2025/results.json"')]
    points: str = ""  # its kind; may be left out where there is one
    boards: tuple[int, ...] = ()  # played in each round, where the points count them and the file does not say


def load_league(path: Path) -> League:
    """Read a league and the results of its events, or stop with every fault (`Stopped`)."""
    table = Table(read_toml(path), path.name, between=" ")
    head = table.need_table("league")
    language = head.choice("language", languages())  # of its workbook
    about = read_struct(_LeagueHead, head)
    totals = read_struct(_LeagueTotals, table.table("totals"))
    points = _read_points(table)
    events = tuple(_read_events(table, path.parent, points))
    league = League(
        name=about.name,
        source=about.source,
        rules=scoring_rules.ScoringRules(
            name=about.name,
            system=System(parts=()),
            totals=scoring_rules.Totals(rounds=len(events), weights=totals.weights, rounding=totals.rounding),
            ties=scoring_rules.Ties(players=_read_ties(table)),
            awards=scoring_rules.AwardRules(places=("champion",), power=""),
            decimals=about.shown_decimals,
        ),
        points=points,
        events=events,
        persons=_read_persons(table, events),
        least_events=about.least_events,
        language=language,
        lots=about.lots,
    )
    if faults := table.finish():
        raise Stopped(dict.fromkeys(faults))
    return league


def _read_points(table: Table) -> Mapping[str, PointsRule]:
    """``[points.A]``: what a kind of event brings."""
    table.asked.add("points")
    given = table.values.get("points")
    if not given:
        table.fault("points", "missing; write what an event brings, such as [points.any] with by = 'total'")
        return {}
    points = convert_value(given, Mapping[str, PointsRule], table, "points")
    return {} if points is BAD else points


def _read_ties(table: Table) -> scoring_rules.Chain:
    inside = table.table("ties")
    names = read_struct(_LeagueTies, inside).players
    for number, name in enumerate(names):
        if name not in TIES:
            inside.fault(f"players[{number}]", f"{name!r} is no tie-break of a league{did_you_mean(name, tuple(TIES))}")
    return tuple(step for name in names for step in TIES.get(name, ()))


def _read_events(table: Table, folder: Path, points: Mapping[str, PointsRule]) -> Iterator[LeagueEvent]:
    """``[[events]]`` in their order, each with its results."""
    entries = table.tables("events")
    if not entries and "events" not in {problem.where.rpartition(" ")[2] for problem in table.problems}:
        table.fault("events", "missing; write a table [[events]] for each event that is over")
    if len(entries) > MOST_ROUNDS:
        table.fault("events", f"expected up to {MOST_ROUNDS} events, found {len(entries)}")
        return
    names: list[str] = []
    for inside in entries:
        entry = read_struct(_EventEntry, inside)
        if entry.name and entry.name in names:
            inside.fault("name", f"there is an event {entry.name!r} already; write each once")
        names.append(entry.name)
        kind = _kind_of(entry, inside, points)
        results, boards = _read_results(entry, inside, folder, by_total=isinstance(points.get(kind), PointsByTotal))
        worth = worth_of(points[kind]) if kind in points else None
        if results and worth and worth.each_board and not (entry.boards or boards):
            text = "missing; its points count boards, so write how many were played in each round, such as [5, 5, 4]"
            inside.fault("boards", text)
        yield LeagueEvent(name=entry.name, kind=kind, results=results, boards=entry.boards or boards)


def _kind_of(entry: _EventEntry, table: Table, points: Mapping[str, PointsRule]) -> str:
    """The kind of points of an event: the one that it names, or the only one."""
    if not entry.points and len(points) == 1:
        return next(iter(points))
    if points and entry.points not in points:
        known = ", ".join(map(repr, points))
        text = f"missing; expected one of {known}" if not entry.points else f"{entry.points!r} is none of {known}"
        table.fault("points", text + did_you_mean(entry.points, tuple(points)))
    return entry.points


# The results of an event, as it exports them (`ordersheets export --what results`).

Lines = Sequence[tuple[str, Mapping[str, Any]]]  # each with where it stands in its file
ResultsAndBoards = tuple[tuple[LeagueResult, ...], tuple[int, ...]]


def _read_results(entry: _EventEntry, table: Table, folder: Path, *, by_total: bool) -> ResultsAndBoards:
    """The places of an event, and its boards in each round where the file says them."""
    if not entry.results:
        return (), ()
    try:
        text = decode_text(read_small(folder / entry.results))
        lines, boards = _lines_of_json(text) if entry.results.endswith(".json") else (_lines_of_csv(text), ())
        results = tuple(_result(line, where, by_total=by_total) for where, line in lines)
        _check_names(results)
    except FileNotFoundError:
        table.fault("results", f"there is no file {entry.results!r} beside this one; check the name")
    except OSError as error:
        table.fault("results", f"{entry.results!r} cannot be read: {error.strerror}")
    except ValueError as error:
        table.fault("results", f"{entry.results}: {error}")
    else:
        return results, boards
    return (), ()


SEALED = "it has no standings: they were sealed; export them with --open"
WRONG = "expected the results.json or standings.csv that 'ordersheets export' writes"


def _lines_of_json(text: str) -> tuple[Lines, tuple[int, ...]]:
    try:
        document = json.loads(text)
    except ValueError as error:
        raise ValueError(f"{WRONG}; {error}") from error
    if not isinstance(document, dict) or not isinstance(document.get("rounds"), list):
        raise ValueError(WRONG)
    if "standings" not in document:
        raise ValueError(SEALED if document.get("sealed") else WRONG)
    boards = [line.get("boards") for line in document["rounds"] if isinstance(line, dict)]
    if not isinstance(document["standings"], list) or not all(isinstance(line, dict) for line in document["standings"]):
        raise ValueError(WRONG)
    lines = [(f"standings[{index}]", line) for index, line in enumerate(document["standings"])]
    return lines, tuple(count for count in boards if isinstance(count, int))


def _lines_of_csv(text: str) -> Lines:
    """The lines by their heads; with semicolons, numbers have a decimal comma."""
    head, _, _ = text.partition("\n")
    has_semicolons = head.count(";") > head.count(",")
    reader = csv.DictReader(StringIO(text, newline=""), delimiter=";" if has_semicolons else ",", restval="")
    try:
        lines = [(f"line {reader.line_num}", line) for line in reader]
    except csv.Error as error:
        raise ValueError(f"{WRONG}; {error}") from error
    if not {"place", "player"} <= set(reader.fieldnames or ()):
        raise ValueError(f"{WRONG}: its columns are 'place', 'player' and 'total'")
    if has_semicolons:
        lines = [(where, {**line, "total": str(line.get("total", "")).replace(",", ".")}) for where, line in lines]
    return lines


def _result(line: Mapping[str, Any], where: str, *, by_total: bool) -> LeagueResult:
    """One line. Of many events places alone are known: a total that brings nothing may be missing."""
    values = (line.get(key) for key in ("player", "place", "total"))
    name, place, total = ("" if value is None else str(value).strip() for value in values)
    if not name or not place.isascii() or not place.isdigit() or not 1 <= int(place) <= MOST_PLAYERS:
        raise ValueError(f"{where}: expected a player and a place, found {name!r} and {place!r}")
    if by_total and not total:
        raise ValueError(f"{where}, {name}: the total is missing, and these points are totals")
    try:
        return LeagueResult(name, int(place), exact(total or "0"))
    except ValueError as error:
        raise ValueError(f"{where}, {name}: {error}") from error


MOST_PLAYERS = 9999


def _check_names(results: Sequence[LeagueResult]) -> None:
    """Nobody stands twice, and no place is behind the number of players, or before more than it has room for."""
    names = [result.name for result in results]
    if not results:
        raise ValueError("nobody has a place there")
    for number, result in enumerate(results):
        if result.name in names[:number]:
            raise ValueError(f"{result.name!r} stands twice; give one of them another name")
        if result.place > len(results):
            raise ValueError(
                f"{result.name!r} has place {result.place} of {write_count(len(results), 'player')}; is a line missing?"
            )
        before = sum(other.place < result.place for other in results)
        if before >= result.place:
            raise ValueError(
                f"{result.name!r} has place {result.place}, behind {write_count(before, 'player')}; "
                f"write {before + 1}: who share a place take up as many places as they are"
            )


# Who played under several names.


def _read_persons(table: Table, events: Sequence[LeagueEvent]) -> dict[str, str]:
    """``[players]``: a name in the league, and the other names that its player has in results."""
    inside = table.table("players")
    joined = {name: convert_value(inside.get(name, list, []), tuple[str, ...], inside, name) for name in inside.values}
    everybody = {result.name for event in events for result in event.results}
    persons: dict[str, str] = {}
    for name, others in joined.items():
        for number, other in enumerate(others):
            path = f"{name}[{number}]"
            if other in persons or other in joined:
                text = f"{other!r} is {persons.get(other, other)!r} already; write each name for one player"
                inside.fault(path, text)
            elif everybody and other not in everybody:
                nearest = did_you_mean(other, tuple(sorted(everybody)))
                inside.fault(path, f"nobody is called {other!r} in any results{nearest}")
            else:
                persons[other] = name
        for event in events:
            here = [result.name for result in event.results if result.name in (name, *others)]
            if len(here) > 1:
                inside.fault(
                    name, f"{' and '.join(map(repr, here))} both played in {event.name!r}: they are two people"
                )
    return persons
