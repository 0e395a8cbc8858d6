"""``ordersheets seats``: who sits where in a round, by board and by player; on the screen, or as a PDF to hang up."""

from pathlib import Path

import click

from pipeline.cli.common import as_json, on_event, opened, print_json
from pipeline.desk.print.seat_lists import Seats, seats_of, seats_pdf
from pipeline.ledger.disk import keep_file


@click.command("seats")
@on_event
@click.option("--round", "round_number", type=int, required=True)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="A PDF to hang up, by board and by player.")
@as_json
def command(event: Path, round_number: int, output: Path | None, wants_json: bool) -> None:
    """Show the seats of a round by board and by player, or print them."""
    with opened(event) as the_event:
        found = seats_of(the_event, round_number)
        data = seats_pdf(the_event, found) if output else b""
    if output:
        keep_file(output, data)
        click.echo(f"{output}: the seats of round {round_number}, by board and by player")
    elif wants_json:
        print_json(found.as_json())
    else:
        show(found)


def show(found: Seats) -> None:
    """Print both lists."""
    for board, seats in found.boards:
        click.echo(f"board {board}")
        for power, name in seats:
            click.echo(f"  {power:<8} {name}")
    for name, board, power in found.by_player:
        click.echo(f"{name:<24} board {board}  {power}")
