"""``ordersheets seats``: who sits where, and telling it to everybody."""

from pathlib import Path

import click

from pipeline.cli.common import as_json, on_event, opened, print_json, signed
from pipeline.desk.event.games import Game, games
from pipeline.desk.event.told import tell_seats, told_rounds
from pipeline.problems import stop


@click.command("seats")
@on_event
@click.option("--round", "round_number", type=int, help="One round only.  [default: all that are drawn]")
@click.option("--tell", is_flag=True, help="Show the seats of --round on the screen and on telephones from now on.")
@signed
@as_json
def command(event: Path, round_number: int | None, tell: bool, by: str, wants_json: bool) -> None:
    """Say who sits where, and which rounds everybody may see; with --tell, tell everybody.

    A round's seats are told with its first result at the latest. A draw that is made anew is told anew.
    """
    if tell and round_number is None:
        raise stop("say of which round", "--round")
    with opened(event) as the_event:
        if tell and round_number is not None:
            tell_seats(the_event, round_number, by)
        found = games(the_event)
        told = told_rounds(the_event, found.values())
    wanted = [game for game in found.values() if round_number in (None, game.seating.round)]
    if round_number is not None and not wanted:
        raise stop("this round is not drawn", f"round {round_number}")
    if wants_json:
        print_json([as_told(game, is_told=game.seating.round in told) for game in wanted])
        return
    for game in wanted:
        click.echo(f"Board {game.name}{'' if game.seating.round in told else ', not told yet'}")
        for power, player in game.seating.players.items():
            click.echo(f"  {power.title():8} {player or 'nobody'}")


def as_told(game: Game, *, is_told: bool) -> dict[str, object]:
    """One board for scripts."""
    seats = {str(power): player for power, player in game.seating.players.items()}
    return {"board": game.name, "round": game.seating.round, "seats": seats, "told": is_told}
