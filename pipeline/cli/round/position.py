"""``ordersheets position``: show a game, take one over in the middle, or take off what should not be there."""

import json
from pathlib import Path

import click

from pipeline.board.map import Map
from pipeline.board.position import Position
from pipeline.cli.common import as_json, on_event, opened, print_json, signed
from pipeline.desk.event.games import find_game
from pipeline.desk.publish.dutchmen import dutchmen, without
from pipeline.ledger.events import PositionSet
from pipeline.orders.positions import read_position, write_position
from pipeline.problems import stop


@click.command("position")
@on_event
@click.argument("board")
@click.option("--set", "file", type=click.Path(path_type=Path), help="JSON with phase, units, centers, dislodged.")
@click.option("--off", "units", multiple=True, metavar="UNIT", help="Take a unit off: 'F BRE'. Once for each.")
@signed
@as_json
def command(event: Path, board: str, file: Path | None, units: tuple[str, ...], by: str, wants_json: bool) -> None:
    """Show the position of BOARD, or set it by hand: a game taken over in the middle, a unit taken off."""
    if file is not None and units:
        raise stop("give --set or --off, not both", board)
    with opened(event, leaves_status=True) as the_event:
        game = find_game(the_event, board)
        if (file is not None or units) and game.ended:
            raise stop(f"the game is over: {game.ended}; take its end back first ('end --undo')", game.name)
        if file is not None or units:
            position = position_in(file, game.map) if file is not None else without(game.position, units)
            the_event.facts.write(PositionSet(board=game.name, position=write_position(position)), by)
            game = find_game(the_event, game.name)
        problems = list(dutchmen(the_event, game))
        if wants_json:
            told = [{"where": problem.where, "text": problem.text} for problem in problems]
            print_json({"board": game.name, "ended": game.ended} | write_position(game.position) | {"problems": told})
        else:
            click.echo(f"board {game.name}\n{game.position}")
            for problem in problems:
                click.echo(str(problem))


def position_in(file: Path, board: Map) -> Position:
    """Read a position from a file, or stop with all that is wrong with it."""
    try:
        value = json.loads(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise stop(f"cannot be read as JSON: {error}", str(file)) from error
    if not isinstance(value, dict):
        raise stop("expected an object with phase, units, centers", str(file))
    return read_position(value, board)
