"""``ordersheets orders``: every row of a board, from its ink to its order."""

from pathlib import Path

import click

from pipeline.cli.common import as_json, on_event, opened, print_json
from pipeline.desk.event.games import at_phase, find_game
from pipeline.desk.review.orders_shown import board_orders


@click.command("orders")
@on_event
@click.option("--board", required=True)
@click.option("--phase", help="A phase that was played before.  [default: the phase the board is in]")
@as_json
def command(event: Path, board: str, phase: str | None, wants_json: bool) -> None:
    """Show every row: ink, reading, confidence, entry, flags, ruling."""
    with opened(event) as the_event:
        game = find_game(the_event, board)
        found = board_orders(the_event, at_phase(game, phase) if phase else game)
    if wants_json:
        print_json(found)
        return
    click.echo(f"board {found['board']}  {found['phase']}")
    for power, rows in found["powers"].items():
        click.echo(f"{power}  sheet: {rows['sheet']}")
        for problem in rows["problems"]:
            click.echo(f"  ! {problem}")
        for row in rows["rows"]:
            mark = "?" if row["needs_director"] else " "
            told = f"{row['ink']:<26} {row['order'] or '-':<26} {row['status']:<10} {row['rule']}"
            click.echo(f"  {mark} {row['line']:>2}  {told}")
            if row["needs_director"]:
                click.echo(f"        {row['reason']}")
