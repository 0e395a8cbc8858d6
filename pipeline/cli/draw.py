"""``ordersheets draw``: boards and powers of a round."""

from pathlib import Path

import click

from pipeline.cli.common import on_event, open_for_command, print_json, with_by_option, with_json_option
from pipeline.desk import draw_request, drawing, drawn_again
from pipeline.desk.drawn_round import Drawn
from pipeline.desk.event.event import Event
from pipeline.draw.field import RoundDecisions
from pipeline.draw.offers import OfferWay, Uneven
from pipeline.ledger.parts import board_name
from pipeline.problems import ExitCode, stop

NONE_FOUND = "no draw was found that keeps what must be kept; change who plays, try another --seed, or say --even-so"


@click.command("draw")
@on_event
@click.option("--round", "round_number", type=int, required=True)
@click.option("--seed", type=int, help="The same seed gives the same draw.  [default: by lot, and kept]")
@click.option("--absent", multiple=True, metavar="NAME", help="Is not here. Give it once for each.")
@click.option("--aside", multiple=True, metavar="NAME", help="Sits out this round voluntarily.")
@click.option("--out", "sent", multiple=True, metavar="NAME", help="Is left out of this round.")
@click.option("--twice", multiple=True, metavar="NAME", help="Plays on two boards.")
@click.option("--plays", multiple=True, metavar="NAME", help="A director who plays; once for each board.")
@click.option("--six", type=click.IntRange(0, 30), default=0, help="How many boards of six, without Turkey (Sandard).")
@click.option(
    "--take", "ways", multiple=True, type=click.Choice([str(way) for way in OfferWay]), help="Accept an offer."
)
@click.option("--word", help="The word called in the room; it completes a sealed lot.")
@click.option("--why", default="", help="Your reason, for what the rules do not offer.")
@click.option("--wish", multiple=True, metavar="AIM=must|should|no", help="A wish; the most important first.")
@click.option("--meetings-most", metavar="N", help="How often two players may meet; none: as often as they like.")
@click.option("--like", metavar="TOURNAMENT", help="Take what the rules leave open from another tournament's rules.")
@click.option("--finalist", "finalists", multiple=True, metavar="NAME", help="Takes an open seat of the final table.")
@click.option(
    "--final-lot", is_flag=True, help="A lot decides among those level for the last seats of the final or a pool."
)
@click.option("--declines", multiple=True, metavar="NAME", help="Plays, but not at the final table nor in a pool.")
@click.option("--final", "chosen", multiple=True, metavar="NAME=POWER", help="A finalist's choice, in their order.")
@click.option("--again", is_flag=True, help="Draw again although the draw is binding, or its sheets are printed.")
@click.option("--even-so", is_flag=True, help="Seat the draw although it breaks a wish that must be kept.")
@click.option("--dry-run", is_flag=True, help="Show the draw and write nothing down.")
@with_by_option
@with_json_option
def draw_command(
    event: Path,
    round_number: int,
    seed: int | None,
    absent: tuple[str, ...],
    aside: tuple[str, ...],
    sent: tuple[str, ...],
    twice: tuple[str, ...],
    plays: tuple[str, ...],
    six: int,
    ways: tuple[str, ...],
    word: str | None,
    why: str,
    wish: tuple[str, ...],
    meetings_most: str | None,
    like: str | None,
    finalists: tuple[str, ...],
    final_lot: bool,
    declines: tuple[str, ...],
    chosen: tuple[str, ...],
    again: bool,
    even_so: bool,
    dry_run: bool,
    by: str,
    wants_json: bool,
) -> None:
    """Draw who sits at which board as which power, and say what could not be met.

    Where players do not fill their boards it stops and offers, by name, what the rules offer.
    """
    request = draw_request.Request(
        round=round_number,
        seed=draw_request.random_seed() if seed is None else seed,
        decisions=RoundDecisions(absent=absent, aside=aside, sent=sent, twice=twice, plays=plays, six=six, why=why),
        take=draw_request.read_ways(ways),
        answers=draw_request.read_wishes(wish, meetings_most),
        like=like,
        finalists=finalists,
        final_lot=final_lot,
        declines=declines,
        chosen=tuple(draw_request.read_choice(text) for text in chosen),
        again=again,
    )
    with open_for_command(event) as the_event:
        drawn = _drawn_or_choice(the_event, request, word, by, may_write=not dry_run, wants_json=wants_json)
        is_seated = not dry_run and (even_so or not drawn.broken)
        if is_seated:
            drawn_again.seat_drawn(the_event, drawn, by=by)
    if wants_json:
        print_json({**drawn.as_json(), "seated": is_seated})
    else:
        _print_draw(drawn)
    if drawn.broken and not (even_so or dry_run):
        raise stop(NONE_FOUND, f"round {round_number}", ExitCode.RULE_FIRST)


def _drawn_or_choice(
    event: Event, request: draw_request.Request, word: str | None, by: str, *, may_write: bool, wants_json: bool
) -> Drawn:
    """Draw a round; if players do not fill the boards it stops, and with --json the choices are printed first."""
    try:
        return drawing.drawn_with_lots(event, request, word, by, may_write=may_write)
    except Uneven as uneven:
        if wants_json:
            print_json(uneven.choice.as_json())
        raise


def _print_draw(drawn: Drawn) -> None:
    """Print the boards as they are read out, then the notes."""
    for board, seats in drawn.boards.items():
        named = "final table" if board == drawn.final else drawn.pools.get(board, "") or drawn.maps.get(board, "")
        what = f"  {named}" if named else ""
        click.echo(f"board {board_name(drawn.round, board)}{what}")
        for power, name in seats.items():
            click.echo(f"  {power:<8} {name}")
    for note in drawn.notes:
        click.echo(note)
