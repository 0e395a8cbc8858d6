"""``ordersheets score``: results in, scores and standings out, as JSON."""

import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TextIO, assert_never, cast

import click

from pipeline.cli.streams import BAD_BYTES, answer_each, one_line
from pipeline.problems import Stopped, Weight, stop
from pipeline.rules.load import find_rules, load_defaults, load_systems, read_toml, with_defaults
from pipeline.rules.noted_results import read_results
from pipeline.rules.scoring import TABLES, read_scoring
from pipeline.rules.systems import merge_settings, named_system, with_system
from pipeline.scoring.awards import Award, BestPower, Graded, Group, Held, TeamRow
from pipeline.scoring.doubts import TeamsUnknown
from pipeline.scoring.qualification import DifferingReading, Qualification
from pipeline.scoring.ranking import RankDecision, StandingsRow, Won
from pipeline.scoring.results import decimal, format_decimal
from pipeline.scoring.rules import ScoringRules
from pipeline.scoring.score import Scored, score
from pipeline.scoring.stakes import weigh_doubts
from pipeline.scoring.standings_in_words import award_reason, decided_by, decided_with
from pipeline.scoring.system import PlayerGame

Json = dict[str, Any]


@click.command("score")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True, exists=True), default="-")
def score_command(file: Path) -> None:
    """Score events: boards, standings, teams, best powers and awards.

    FILE holds one JSON object, or one object a line; without it they are read from standard input. Each has the
    tournament (an id, the path of a rules file, or settings) and its rounds; docs/scoring.md says what else. FILE may
    also be the folder of an event: its games that are over are scored, with everything that was entered beside them.
    """
    if file.is_dir():
        click.echo(one_line(write_scored(_score_folder(file))), nl=False)
        return
    with click.open_file(str(file), encoding="utf-8", errors=BAD_BYTES) as source:
        code = answer_each(cast(TextIO, source), score_document)
    sys.exit(code)


def _score_folder(folder: Path) -> Scored:
    from pipeline.cli.common import open_for_command  # noqa: PLC0415 - results in JSON do not wait for the desk to be loaded
    from pipeline.desk.results.results import scored_event  # noqa: PLC0415 - likewise

    with open_for_command(folder) as event:
        return scored_event(event)


def score_document(document: Mapping[str, Any]) -> Json:
    """Score one event, or stop with what is wrong with its rules, else with all that is wrong with its results."""
    rules = _scoring_rules_of(document.get("tournament"))
    event, unread = read_results(document, rules)
    name = {"id": document["id"]} if "id" in document else {}
    return {**name, **write_scored(score(event, rules)), **({"unread": list(unread)} if unread else {})}


def _scoring_rules_of(tournament: object) -> ScoringRules:
    """Find the rules: by id, by the path of a file, or from settings, which may start from a ``base``."""
    if isinstance(tournament, str):
        return _rules_named(tournament)
    if not isinstance(tournament, Mapping):
        raise stop("missing; give the id of a tournament, the path of a rules file, or settings", "tournament")
    settings = {key: value for key, value in tournament.items() if key != "base"}
    unknown = sorted(key for key in settings if key not in (*TABLES, "tournament"))
    if unknown:
        raise stop(f"unknown tables {', '.join(unknown)}; expected {', '.join(TABLES)}", "tournament")
    base = tournament.get("base")
    if base is not None and not isinstance(base, str):
        raise stop(f"expected the id of a tournament, or the path of a rules file, found {base!r}", "tournament base")
    if base is None:
        return read_scoring(with_system(settings, load_systems, "tournament"), "tournament")
    below = dict(_tables_named(base))
    own = settings.get("scoring")
    if isinstance(own, Mapping) and named_system(own):  # its [scoring] replaces the base's as a whole
        below["scoring"] = {}
        settings = with_system(settings, load_systems, "tournament")
    return read_scoring(merge_settings(below, settings), "tournament")


@lru_cache(maxsize=32)
def _rules_named(name: str) -> ScoringRules:
    return read_scoring(_tables_named(name), find_rules(name).name)


def _tables_named(name: str) -> Mapping[str, Any]:
    try:
        path = find_rules(name)
        return with_defaults(with_system(read_toml(path), load_systems, path.name), load_defaults(), path.stem)
    except Stopped as stopped:
        raise stop(stopped.problems[0].text, "tournament") from None


def write_scored(scored: Scored) -> Json:
    unranked = scored.standings.unranked
    return {
        "boards": _write_boards(scored),
        "standings": [_write_standing(row, scored) for row in scored.standings.rows],
        "unranked": [{"player": tally.player.name, "total": decimal(tally.total)} for tally in unranked],
        "teams": [_write_team(row) for row in scored.teams],
        "best_powers": [_write_best_power(power) for power in scored.powers],
        "votes": [_write_grade(grade) for grade in scored.grades],
        "board_games": [
            {"place": row.place, "tied": row.is_tied, "player": row.player, "points": decimal(row.points)}
            for row in scored.board_games
        ],
        "awards": [_write_award(award, scored) for award in scored.awards if award.held is Held.GIVEN],
        "leaders": [_write_award(award, scored) for award in scored.awards if award.held is not Held.GIVEN],
        "progress": {"rounds": scored.progress.planned, "over": sorted(scored.progress.over)}
        | {"is_over": scored.progress.is_over, "final": scored.progress.final.value, "text": str(scored.progress)},
        "qualification": _write_finalists(scored.qualification),
        "readings": [_write_reading(differing) for differing in scored.readings],
        "doubts": _write_doubts(scored),
    }


def _write_team(row: TeamRow) -> Json:
    """Write one line of the teams, with what each member brought."""
    return {
        "place": row.place,
        "tied": row.is_tied,
        "team": row.team.name,
        "total": decimal(row.total),
        "decided_by": _tiebreak_name(row.decision),
        "decided_with": decided_with(row.decision),
        "members": [{"player": share.player, "points": decimal(share.points)} for share in row.shares],
    }


def _write_best_power(power: BestPower) -> Json:
    return {
        "power": power.power,
        "players": list(power.players),
        "player": power.players[0] if len(power.players) == 1 else None,
        "tied": len(power.players) > 1,
        "score": decimal(power.score),
        "boards": [{"round": game.round, "board": game.board.name} for game in power.games],
        "decided_by": _tiebreak_name(power.decision),
        "decided_with": decided_with(power.decision),
    }


def _write_grade(grade: Graded) -> Json:
    """Write one line of what the players voted on one another."""
    return {
        "skill": grade.skill,
        "title": grade.title,
        "place": grade.place,
        "tied": grade.is_tied,
        "player": grade.player,
        "mean": decimal(grade.mean),
        "votes": grade.ballots,
        "decided_by": _tiebreak_name(grade.decision),
    }


def _write_reading(differing: DifferingReading) -> Json:
    """Write what would change if a rule were read the other way."""
    return {
        "setting": differing.reading.path,
        "value": differing.reading.value,
        "otherwise": differing.reading.otherwise,
        "held": [differing.taken.is_held, differing.other.is_held],
        "only_by_value": list(differing.only_taken),
        "only_otherwise": list(differing.only_other),
        "text": str(differing),
    }


def _write_award(award: Award, scored: Scored) -> Json:
    return {
        "award": award.title,
        "winners": list(award.winners),
        "held": award.held.value,
        "why": award_reason(award, scored),
    }


def _write_boards(scored: Scored) -> list[Json]:
    """Write each board's scores: as they count, as they are shown, and exact."""
    boards = []
    for board in scored.event.boards:
        games = [game for game in scored.games if game.board is board]
        entry: Json = {
            "round": board.round,
            "board": board.name,
            "scores": {game.power: decimal(game.score) for game in games},
            "shown": {game.power: format_decimal(game.score, scored.rules.decimals) for game in games},
            "exact": {game.power: str(game.exact) for game in games},
        }
        if remarks := {game.power: list(game.remarks) for game in games if game.remarks}:
            entry["remarks"] = remarks
        boards.append(entry)
    return boards


def _write_standing(row: StandingsRow, scored: Scored) -> Json:
    """Write one line of the standings, with how its total came about."""
    tally, rules = row.tally, scored.rules
    first = next((award for award in scored.awards if award.group is Group.PLACES), None)
    is_champion = row.place == 1 and first is not None and first.held is Held.GIVEN
    return {
        "place": row.place,
        "tied": row.is_tied,
        "player": row.player,
        "total": decimal(row.total),
        "shown": format_decimal(row.total, rules.decimals),
        "decided_by": _tiebreak_name(row.decision) or _by_final(row, scored),
        "decided_with": decided_with(row.decision),
        "decided": decided_by(row, scored),
        "champion": is_champion,
        "games": [
            {**_write_game(game.game), "weight": decimal(game.weight), "dropped": game.is_dropped}
            for game in tally.games
        ],
        "extras": [{"kind": extra.kind, "points": decimal(extra.points), "why": extra.why} for extra in tally.extras],
    }


def _write_game(game: PlayerGame) -> Json:
    return {
        "round": game.round,
        "board": game.board.name,
        "power": game.power,
        "score": decimal(game.score),
        "outcome": game.outcome,
    }


def _tiebreak_name(decision: RankDecision | None) -> str | None:
    return decision.by if decision else None


def _by_final(row: StandingsRow, scored: Scored) -> str | None:
    """Say whether the final table made somebody the champion, or the rule that only its players may be champion."""
    match row.won:
        case Won.TABLE:
            return "final table"
        case Won.TOTAL:
            ahead = any(other.total >= row.total for other in scored.standings.rows if not other.is_champion)
            return "best of the final table" if ahead else None
        case None:
            return None
        case _:
            assert_never(row.won)


def _write_doubts(scored: Scored) -> list[Json]:
    """Write what the director must still say, what decides a title first."""
    return [
        {
            "weight": str(Weight.NOTES if isinstance(weighed.doubt, TeamsUnknown) else Weight.ASKS),
            "code": weighed.doubt.code,
            "decides": str(weighed.stake),
            "titles": list(weighed.titles),
            "text": weighed.doubt.text,
            "where": weighed.doubt.where,
        }
        for weighed in weigh_doubts(scored)
    ]


def _write_finalists(qualification: Qualification | None) -> Json | None:
    if qualification is None:
        return None
    return {
        "held": qualification.is_held,
        "settled": qualification.is_settled,
        "positive": qualification.positive,
        "finalists": list(qualification.finalists),
        "undecided": list(qualification.undecided),
        "choosing": list(qualification.choosing),
        "ranking": [
            {
                "place": placed.place,
                "tied": placed.is_tied,
                "player": placed.contender.name,
                "total": decimal(placed.contender.total),
                "decided_by": _tiebreak_name(placed.decision),
            }
            for placed in qualification.ranking
        ],
    }
