"""``ordersheets roll``: the roll call of a round: who is here, who comes later, who is away."""

from pathlib import Path

import click

from pipeline.cli.common import as_json, on_event, opened, print_json, signed
from pipeline.desk.draw.roll_call import SAID, Called, RollCall, call_roll, roll_call

WORDS = {
    Called.HERE: "here",
    Called.LATER: "comes later",
    Called.AWAY: "away",
    Called.NOT_YET: "not called yet",
    Called.GONE: "has left",
}


@click.command("roll")
@on_event
@click.option("--round", "round_number", type=int, required=True)
@click.option("--here", multiple=True, metavar="NAME", help="Is here, and is drawn. Give it once for each.")
@click.option("--later", multiple=True, metavar="NAME", help="Comes later: is not drawn before he is here.")
@click.option("--away", multiple=True, metavar="NAME", help="Does not play this round.")
@click.option("--others", type=click.Choice([str(each) for each in SAID]), help="Of all who were not called yet.")
@signed
@as_json
def command(
    event: Path,
    round_number: int,
    here: tuple[str, ...],
    later: tuple[str, ...],
    away: tuple[str, ...],
    others: str | None,
    by: str,
    wants_json: bool,
) -> None:
    """Call the roll of a round, or show it; first names are enough where they are unique.

    A draw then seats those who are here. Without a roll call it seats everybody. What is said last of somebody counts.
    Who came and is not on the list: players --add; who goes home: players --left.
    """
    said = {Called.HERE: here, Called.LATER: later, Called.AWAY: away}
    with opened(event) as the_event:
        if others or any(said.values()):
            call_roll(the_event, round_number, said, by=by, others=Called(others) if others else None)
        found = roll_call(the_event, round_number)
        quotes = the_event.tournament.stated(("conduct.registration", "ending.round_times"))
    if wants_json:
        print_json(found.as_json())
    else:
        show(found)
        for quote in quotes:
            click.echo(str(quote))


def show(found: RollCall) -> None:
    """Print who is what."""
    for called in Called:
        if names := found.those(called):
            click.echo(f"{WORDS[called]:<15} {len(names):>3}  {', '.join(names)}")
