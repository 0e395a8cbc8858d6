"""``ordersheets rules --list``: the scoring systems that a rules file can take by their names."""

import json
from textwrap import wrap

import click

from pipeline.rules.load import load_systems
from pipeline.rules.rules_check import SOLO, TYPICAL, board_of
from pipeline.rules.scoring.systems import SystemFile
from pipeline.scoring.games.system import score_board
from pipeline.scoring.results.exact import decimal

WIDTH = 118  # columns
ID = 26  # columns for a system's id


def show_systems(*, as_json: bool) -> None:
    """Print all of them, with what a board of 12-9-6-4-3-0-0 and a solo would pay."""
    systems = load_systems()
    if as_json:
        click.echo(json.dumps([as_object(system) for system in systems.values()], ensure_ascii=False))
        return
    for system in systems.values():
        click.echo(f"{system.id:<{ID}} {system.name}{f' ({system.year})' if system.year else ''}")
        for line in wrap(system.summary, WIDTH - 4):
            click.echo(f"    {line}")
        click.echo(f"    12-9-6-4-3-0-0 pays {'  '.join(paid(system, 2))}; a solo {most(system)}")
    click.echo(f'\n{len(systems)} systems; a rules file takes one by  [scoring] system = "{next(iter(systems))}"')


def paid(system: SystemFile, most_decimals: int = 6) -> list[str]:
    """What the typical board pays."""
    return [decimal(game.score, most_decimals) for game in score_board(board_of(TYPICAL), system.system)]


def most(system: SystemFile) -> str:
    """What a soloist gets."""
    return decimal(max(game.score for game in score_board(board_of(SOLO), system.system)), 2)


def as_object(system: SystemFile) -> dict[str, object]:
    """Make the object that scripts get."""
    return {
        "id": system.id,
        "name": system.name,
        "also": list(system.also),
        "summary": system.summary,
        "rewards": system.rewards,
        "year": system.year,
        "author": system.author,
        "played": system.played,
        "source": system.source,
        "why": system.why,
        "pays": paid(system),
        "solo": most(system),
    }
