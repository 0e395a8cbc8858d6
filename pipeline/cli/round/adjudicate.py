"""``ordersheets adjudicate``: publish a board's phase."""

from pathlib import Path

import click

from pipeline.cli.common import as_json, on_event, opened, print_json, signed
from pipeline.desk.publish.publish import publish
from pipeline.ledger.ledger import body_of
from pipeline.orders.notation import write
from pipeline.orders.positions import write_position


@click.command("adjudicate")
@on_event
@click.option("--board", required=True)
@signed
@as_json
def command(event: Path, board: str, by: str, wants_json: bool) -> None:
    """Adjudicate BOARD's phase, write the read-out card and the map; refuses (exit code 3) while anything is open."""
    with opened(event, leaves_status=True) as the_event:
        published = publish(the_event, board, by)
        said, after = published.played.fact.said, published.played.resolution.after
        if wants_json:
            print_json(
                dict(body_of(said))
                | {"card": str(published.card), "map": str(published.map), "next_phase": str(after.phase)}
                | write_position(after)
            )
            return
        click.echo(f"board {said.board}  {published.played.phase.in_words}")
        for result in published.played.resolution.results:
            click.echo(f"  {result.power:<8} {write(result.order):<28} {result.outcome}")
        click.echo(f"card: {published.card}\nmap:  {published.map}\nnext: {after.phase.in_words}")
