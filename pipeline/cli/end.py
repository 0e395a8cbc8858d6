"""``ordersheets end``: a game is over."""

from pathlib import Path

import click

from pipeline.cli.common import on_event, opened, signed
from pipeline.desk.ending import end_game
from pipeline.desk.games import find_game
from pipeline.scoring.results import Ending

HOW = [str(ending) for ending in Ending if ending not in (Ending.UNSTATED, Ending.CONCEDED)]


@click.command("end")
@on_event
@click.option("--board", required=True)
@click.option("--how", type=click.Choice(HOW), required=True)
@signed
@click.option("--why", default="", help="Kept with the fact.")
def command(event: Path, board: str, how: str, by: str, why: str) -> None:
    """Say that BOARD's game is over: time called, voted, won alone, abandoned."""
    with opened(event) as the_event:
        fact = end_game(the_event, find_game(the_event, board), Ending(how), by=by, why=why)
    click.echo(f"{fact.body['board']}: {how}, written down as fact {fact.number}")
