"""``ordersheets end``: a game is over, or goes on after all."""

from pathlib import Path

import click

from pipeline.cli.common import on_event, opened, signed
from pipeline.desk.event.ending import end_game, option, overruled_by, undo_end, what_counts
from pipeline.desk.event.games import find_game
from pipeline.problems import stop
from pipeline.scoring.results.results import Ending

HOW = {option(ending): ending for ending in Ending if ending is not Ending.UNSTATED}


@click.command("end")
@on_event
@click.option("--board", required=True)
@click.option("--how", type=click.Choice(list(HOW)), help="What ended it; what does not hold is refused with its rule.")
@click.option("--undo", is_flag=True, help="It was not over: take its end back.")
@signed
@click.option("--why", default="", help="Overrules what a director may overrule; kept, and shown on the wall.")
def command(event: Path, board: str, how: str | None, undo: bool, by: str, why: str) -> None:
    """Say that BOARD's game is over, and what ended it; or take that back.

    What the position, the phase or the tournament's rules deny is refused (2), with the rule; what a director may
    overrule wants his reason (3).
    """
    if (how is None) is not undo:
        raise stop("say --how it ended, or --undo", board)
    with opened(event, leaves_status=True) as the_event:
        game = find_game(the_event, board)
        if how is None:
            fact = undo_end(the_event, game, by=by, why=why)
            click.echo(f"{game.name}: goes on with {game.position.phase.in_words}, written down as fact {fact.number}")
            return
        counted = what_counts(the_event, game, HOW[how])
        fact = end_game(the_event, game, HOW[how], by=by, why=why)
    click.echo(f"{game.name}: {HOW[how]}, written down as fact {fact.number}")
    if HOW[how] is not Ending.SOLO:
        click.echo(f"  counted    {counted}")
    for line in overruled_by(fact):
        click.echo(f"  overruled  {line}")
