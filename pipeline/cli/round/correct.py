"""``ordersheets correct``: an error found after the read-out."""

from pathlib import Path

import click

from pipeline.cli.common import on_event, opened, signed
from pipeline.desk.event.games import find_game
from pipeline.desk.publish.correct import apply, propose


@click.command("correct")
@on_event
@click.option("--board", required=True)
@click.option("--phase", required=True, help="The published phase in which the error is.")
@click.option("--deadline-passed", is_flag=True, help="The next deadline has passed already.")
@click.option("--apply", "applies", is_flag=True, help="Publish the corrected phases.  [default: only show]")
@signed
@click.option("--why", default="", help="Needed where the tournament's rule lets the error stand.")
def command(event: Path, board: str, phase: str, deadline_passed: bool, applies: bool, by: str, why: str) -> None:
    """Show what changes when BOARD is played again from PHASE on with the rulings as they are now, and the rule."""
    with opened(event, leaves_status=True) as the_event:
        proposal = propose(the_event, find_game(the_event, board), phase, deadline_passed=deadline_passed)
        for again in proposal.phases:
            click.echo(f"{proposal.game.name} {again.phase}")
            for change in again.changes or ("as it was published",):
                click.echo(f"  {change}")
        click.echo(f"rule: {proposal.verdict}; {proposal.reason} ({proposal.rule})")
        if applies:
            found = apply(the_event, proposal, by=by, why=why)
            click.echo("published again; cards and maps are made anew, from the first:")
            for path in found.made:
                click.echo(f"  {path}")
            for path in found.removed:
                click.echo(f"  taken away, its phase is not played any more: {path.name}")
