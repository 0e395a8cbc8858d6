"""``ordersheets cards``: the read-out cards and the maps, made again."""

from pathlib import Path

import click

from pipeline.cli.common import on_event, opened
from pipeline.desk.event.games import find_game, games
from pipeline.desk.publish.read_out import write_cards
from pipeline.problems import stop


@click.command("cards")
@on_event
@click.option("--board", help="One board only, in full such as 2.5, or alone.  [default: all]")
@click.option("--phase", help="One published phase only, such as F1901M.  [default: all]")
def command(event: Path, board: str | None, phase: str | None) -> None:
    """Make the cards and maps of what was published again, as it stands now, at any time.

    A card of a phase that is not played any more, after a correction, is taken away.
    """
    if phase and not board:
        raise stop("say of which board, with --board", "--phase")
    with opened(event, makes_files=True) as the_event:
        chosen = [find_game(the_event, board)] if board else [g for g in games(the_event).values() if g.played]
        for game in chosen:
            found = write_cards(the_event, game, phase)
            for path in found.made:
                click.echo(path)
            for path in found.removed:
                click.echo(f"{path.name}: taken away, this phase is not played any more", err=True)
    if not chosen:
        click.echo("nothing is published yet")
