"""``ordersheets seats``: who sits where, by board and by player; told to everybody, or as a PDF to hang up."""

from pathlib import Path

import click

from pipeline.cli.common import as_json, on_event, opened, print_json, signed
from pipeline.desk.draw.seat_lists import of_games, seats_of, seats_pdf
from pipeline.desk.draw.told import tell_seats, told_rounds
from pipeline.desk.event.games import Game, games
from pipeline.ledger.files.disk import keep_file
from pipeline.problems import stop


@click.command("seats")
@on_event
@click.option("--round", "round_number", type=int, help="One round only.  [default: all that are drawn]")
@click.option("--tell", is_flag=True, help="Show the seats of --round on the screen and on telephones from now on.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="A PDF of --round to hang up.")
@signed
@as_json
def command(event: Path, round_number: int | None, tell: bool, output: Path | None, by: str, wants_json: bool) -> None:
    """Say who sits where, and which rounds everybody may see; with --tell, tell everybody.

    A round's seats are told with its first result at the latest. A draw that is made anew is told anew.
    """
    if round_number is None and (tell or output):
        raise stop("say of which round", "--round")
    with opened(event) as the_event:
        if round_number is not None:
            found = seats_of(the_event, round_number)
            if output:
                keep_file(output, seats_pdf(the_event, found))
            if tell:
                tell_seats(the_event, round_number, by)
        every = games(the_event)
        told = told_rounds(the_event, every.values())
    wanted = [game for game in every.values() if round_number in (None, game.seating.round)]
    if wants_json:
        print_json([as_told(game, is_told=game.seating.round in told) for game in wanted])
        return
    for game in wanted:
        show(game, is_told=game.seating.round in told)
    if round_number is not None:
        for name, board, power in of_games(wanted, round_number).by_player:
            click.echo(f"{name:<24} board {board}  {power.title()}")
    if output:
        click.echo(f"{output}: the seats of round {round_number}, by board and by player")


def show(game: Game, *, is_told: bool) -> None:
    """Print one board."""
    click.echo(f"Board {game.name}{'' if is_told else ', not told yet'}")
    for power, player in game.seating.players.items():
        click.echo(f"  {power.title():8} {player or 'nobody'}")


def as_told(game: Game, *, is_told: bool) -> dict[str, object]:
    """One board for scripts."""
    seats = {str(power): player for power, player in game.seating.players.items()}
    return {"board": game.name, "round": game.seating.round, "seats": seats, "told": is_told}
