"""``ordersheets vote``: hold a draw vote, from the slips that were scanned or by a count."""

from pathlib import Path

import click

from pipeline.board.map import Power
from pipeline.cli.common import on_event, opened, signed
from pipeline.desk.event.games import check_plays, find_game
from pipeline.desk.forms.vote_slips import MissingSlip, vote_by_slips
from pipeline.desk.forms.votes import Asking, Count, Says, hold_counted, record_veto, undo_vote
from pipeline.ledger.events import VoteHeld
from pipeline.ledger.ledger import Fact
from pipeline.problems import stop
from pipeline.rules.end_conditions import Moment

SEVEN = click.IntRange(0, 7)


@click.command("vote")
@on_event
@click.option("--board", required=True)
@click.option("--asked-by", type=click.Choice([str(power) for power in Power], case_sensitive=False))
@click.option(
    "--moment", type=click.Choice([str(moment) for moment in Moment]), help="[default: as the open phase says]"
)
@click.option("--yes", type=SEVEN, help="Votes for the draw, where no slips were printed; with --no.")
@click.option("--no", type=SEVEN, help="Votes against it.")
@click.option("--absent", type=SEVEN, default=0, help="Players with a centre who are not there.")
@click.option("--gone", type=SEVEN, default=0, help="Players with a centre who have abandoned the game.")
@click.option("--absent-votes", type=click.Choice(["yes", "no"]), help="How these vote, where the rules do not say.")
@click.option("--all-agree", is_flag=True, help="Every survivor agrees to hold a vote.")
@click.option("--vetoed", is_flag=True, help="Somebody objects openly: it is written down, and no slips are counted.")
@click.option("--stalemate", is_flag=True, help="The position is a stalemate.")
@click.option("--ruled", is_flag=True, help="Hold it where the rules leave that to the director.")
@click.option("--undo", is_flag=True, help="Take the last vote of the board back; a game that it ended goes on.")
@signed
@click.option("--why", default="", help="Kept with the vote.")
def command(
    event: Path,
    board: str,
    asked_by: str | None,
    moment: str | None,
    yes: int | None,
    no: int | None,
    absent: int,
    gone: int,
    absent_votes: str | None,
    all_agree: bool,
    vetoed: bool,
    stalemate: bool,
    ruled: bool,
    undo: bool,
    by: str,
    why: str,
) -> None:
    """Hold BOARD's draw vote and count it; a vote that is carried ends the game.

    The slips are those printed with 'forms EVENT vote' and scanned; --yes and --no count what was cast without them.
    """
    with opened(event) as the_event:
        game = find_game(the_event, board)
        if undo:
            fact = undo_vote(the_event, game, by=by, why=why)
            click.echo(f"{game.name}: the vote is taken back, the game goes on; written down as fact {fact.number}")
            return
        if asked_by is None:
            raise stop("say --asked-by which power asked for the vote", game.name)
        asking = Asking(
            power=Power(asked_by.upper()),
            moment=Moment(moment) if moment else None,
            all_agree=all_agree,
            vetoed=vetoed,
            stalemate=stalemate,
        )
        check_plays(game, asking.power)
        says = Says(ruled=ruled, for_absent=None if absent_votes is None else absent_votes == "yes", why=why)
        if vetoed:
            fact = record_veto(the_event, game, asking, says, by=by)
        elif yes is not None or no is not None:
            count = Count(yes or 0, no or 0, absent, gone)
            fact = hold_counted(the_event, game, asking, count, says, by=by)
        else:
            fact = vote_by_slips(the_event, game, asking, MissingSlip(absent, gone), says, by=by)
    click.echo(f"{game.name}: {outcome(fact)}; written down as fact {fact.number}")


def outcome(fact: Fact[VoteHeld]) -> str:
    """How a vote went, in words."""
    if fact.said.vetoed:
        return "objected to openly: the game goes on"
    return "carried: the game is over" if fact.said.carried else "not carried: the game goes on"
