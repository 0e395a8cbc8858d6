"""``ordersheets position``: show a game, or take one over in the middle."""

import json
from pathlib import Path

import click

from pipeline.cli.common import as_json, on_event, opened, print_json, signed
from pipeline.desk.games import find_game
from pipeline.orders.positions import read_position, write_position
from pipeline.problems import stop


@click.command("position")
@on_event
@click.argument("board")
@click.option("--set", "file", type=click.Path(path_type=Path), help="JSON with phase, units, centers, dislodged.")
@signed
@as_json
def command(event: Path, board: str, file: Path | None, by: str, wants_json: bool) -> None:
    """Show the position of BOARD, or set it by hand: a game taken over in the middle."""
    with opened(event) as the_event:
        game = find_game(the_event, board)
        if file is not None:
            try:
                value = json.loads(file.read_text("utf-8"))
            except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
                raise stop(f"cannot be read as JSON: {error}", str(file)) from error
            if not isinstance(value, dict):
                raise stop("expected an object with phase, units, centers", str(file))
            position = read_position(value, the_event.board)
            the_event.facts.append("position set", {"board": game.name, "position": write_position(position)}, by)
            game = find_game(the_event, game.name)
        if wants_json:
            print_json({"board": game.name, "ended": game.ended} | write_position(game.position))
        else:
            click.echo(f"board {game.name}\n{game.position}")
