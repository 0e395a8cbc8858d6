"""``ordersheets league``: standings over several events."""

import json
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import click

from pipeline.cli.common import print_problems
from pipeline.cli.standings import keep_what_was_typed, print_doubts
from pipeline.draw.roster import name_look
from pipeline.ledger.files import keep_file
from pipeline.problems import Problem, Weight, stop
from pipeline.rules.league_file import load_league
from pipeline.scoring.league import League, score_league
from pipeline.scoring.results import decimal
from pipeline.workbook.league_book import write_league

CLOSE_IT = "close it in the spreadsheet, or name another place"


@click.command("league")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="What to write: .xlsx or .csv.")
@click.option("--semicolons", is_flag=True, help="A .csv with semicolons and decimal commas.")
@click.option("--json", "as_json", is_flag=True, help="Print the standings as one JSON object.")
def league_command(file: Path, output: Path | None, semicolons: bool, as_json: bool) -> None:
    """Write the standings of a league: what several events bring to each player, by the league's own rules.

    FILE (.toml) has the rules, names the exported results of each event, and says who played under several names. As
    .xlsx the standings are a workbook with live formulas, as .csv the list of places.
    """
    if output is None and not as_json:
        raise stop("say where to write the standings, or --json to print them", "-o")
    if output is not None and output.suffix.lower() not in (".xlsx", ".csv"):
        raise stop(".xlsx is the workbook, .csv the list of places", str(output))
    league = load_league(file)
    print_problems(tuple(_look_alike(league)))
    if as_json:
        click.echo(json.dumps(_as_json(league), ensure_ascii=False))
    if output is not None:
        written = write_league(league)
        is_book = output.suffix.lower() == ".xlsx"
        data = written.data if is_book else written.as_csv(has_semicolons=semicolons)
        keep_what_was_typed(output)
        keep_file(output, data, CLOSE_IT)
        print_problems(written.problems)
        print_doubts(written.doubts)
        click.echo(f"{output}: {len(data) // 1024} kB", err=as_json)


def _as_json(league: League) -> dict[str, Any]:
    """The standings, as `ordersheets score` writes them, and the points of each event."""
    standings = score_league(league).standings
    lines = [
        {
            "place": row.place,
            "tied": row.is_tied,
            "player": row.player,
            "total": decimal(row.total),
            "decided_by": str(row.decision) if row.decision else "",
            "events": {league.events[each.game.round - 1].name: decimal(each.game.score) for each in row.tally.games},
        }
        for row in standings.rows
    ]
    return {"league": league.name, "standings": lines}


def _look_alike(league: League) -> Iterator[Problem]:
    """Names that may be one person's: the same words in another order or without accents, or one with an initial."""
    played = {league.person(each.name): event.name for event in reversed(league.events) for each in event.results}
    groups: dict[tuple[str, ...], list[str]] = {}
    for name in sorted(played):
        first, *rest = name_look(name).split() or [""]
        for key in {tuple(sorted((first, *rest))), (first[:1], *rest)}:
            groups.setdefault(key, []).append(name)
    pairs = {pair for names in groups.values() for pair in combinations(names, 2) if _may_be_one(*pair)}
    for one, other in sorted(pairs):
        text = f"{one!r} ({played[one]}) and {other!r} ({played[other]}) look alike"
        yield Problem(Weight.ASKS, f'{text}; if they are one person, write "{one}" = ["{other}"]', "players")


def _may_be_one(name: str, other: str) -> bool:
    """Whether two names have the same words, or the same but for a first name of which one has the initial.

    >>> _may_be_one("Ann Ek", "A. Ek"), _may_be_one("Ann Ek", "Ada Ek"), _may_be_one("Lim Wei", "Wei Lim")
    (True, False, True)
    """
    words, others = (name_look(each).split() for each in (name, other))
    is_initial = min(len(words[0]), len(others[0])) == 1 if words and others else False
    return sorted(words) == sorted(others) or (is_initial and words[1:] == others[1:])
