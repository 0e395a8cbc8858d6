"""``ordersheets vote``: hold a draw vote, from the slips that were scanned."""

from pathlib import Path

import click

from pipeline.board.map import Power
from pipeline.cli.common import on_event, opened, signed
from pipeline.desk.games import check_plays, find_game
from pipeline.desk.vote_slips import vote_by_slips
from pipeline.desk.votes import Asking
from pipeline.tournament.ending import Moment


@click.command("vote")
@on_event
@click.option("--board", required=True)
@click.option("--asked-by", required=True, type=click.Choice([str(power) for power in Power], case_sensitive=False))
@click.option("--moment", type=click.Choice([str(moment) for moment in Moment]), default=str(Moment.NEGOTIATION))
@click.option("--absent", type=click.IntRange(0, 7), default=0, help="Players with a centre who are not there.")
@click.option("--all-agree", is_flag=True, help="Every survivor agrees to hold a vote.")
@click.option("--vetoed", is_flag=True, help="Somebody objects openly.")
@click.option("--stalemate", is_flag=True, help="The position is a stalemate.")
@click.option("--ruled", is_flag=True, help="Hold it where the rules leave that to the director.")
@signed
def command(
    event: Path,
    board: str,
    asked_by: str,
    moment: str,
    absent: int,
    all_agree: bool,
    vetoed: bool,
    stalemate: bool,
    ruled: bool,
    by: str,
) -> None:
    """Count the slips of BOARD's vote, printed with 'forms EVENT vote' and scanned; a vote that is carried ends it."""
    asking = Asking(
        power=Power(asked_by.upper()),
        moment=Moment(moment),
        all_agree=all_agree,
        vetoed=vetoed,
        stalemate=stalemate,
    )
    with opened(event) as the_event:
        game = find_game(the_event, board)
        check_plays(game, asking.power)
        fact = vote_by_slips(the_event, game, asking, absent, ruled=ruled, by=by)
    word = "carried: the game is over" if fact.body["carried"] else "not carried: the game goes on"
    click.echo(f"{game.name}: {word}; written down as fact {fact.number}")
