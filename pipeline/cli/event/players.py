"""``ordersheets players``: who there is, who is called otherwise, who came later, who has gone home."""

from pathlib import Path

import click

from pipeline.cli.common import as_json, on_event, opened, print_json, signed
from pipeline.desk.draw.players import Listed, add_player, leaving, listed, mark_left, rename
from pipeline.desk.event.event import Event
from pipeline.problems import stop


@click.command("players")
@on_event
@click.option("--rename", "renamed", nargs=2, metavar="OLD NEW", help="All that OLD did stays his.")
@click.option("--add", "added", metavar="NAME", help="Somebody who came later.")
@click.option("--club", default="", help="Of who is added.")
@click.option("--country", default="", help="Of who is added.")
@click.option("--team", default="", help="Of who is added.")
@click.option("--distance", "distance_km", type=click.IntRange(0), help="Kilometres from home, of who is added.")
@click.option("--left", "gone", multiple=True, metavar="NAME", help="Has gone home: no draw seats him.")
@click.option("--back", "returned", multiple=True, metavar="NAME", help="Is back.")
@signed
@click.option("--why", default="", help="Kept with the fact.")
@as_json
def command(
    event: Path,
    renamed: tuple[str, str] | None,
    added: str | None,
    club: str,
    country: str,
    team: str,
    distance_km: int | None,
    gone: tuple[str, ...],
    returned: tuple[str, ...],
    by: str,
    why: str,
    wants_json: bool,
) -> None:
    """List the players with their numbers, by which facts know them; or say what has become of them."""
    said = [bool(renamed), bool(added), bool(gone), bool(returned)]
    if sum(said) > 1:
        raise stop("one thing at a time: --rename, --add, --left or --back", str(event))
    with opened(event) as the_event:
        if renamed:
            fact = rename(the_event, *renamed, by=by, why=why)
            click.echo(f"{renamed[0]} is now {renamed[1]}, written down as fact {fact.number}")
        elif added:
            more = {"club": club, "country": country, "team": team, "distance_km": distance_km}
            new = add_player(the_event, added, more, by=by, why=why)
            click.echo(f"{added} is player {new.said.player.number}, written down as fact {new.number}")
        elif gone or returned:
            for gone_or_back in mark_left(the_event, gone or returned, left=bool(gone), by=by, why=why):
                word = "has left" if gone else "is back"
                click.echo(f"{gone_or_back.said.name} {word}, written down as fact {gone_or_back.number}")
            for warning in (leaving(the_event, name) for name in gone):
                click.echo(warning, nl=bool(warning), err=True)
        else:
            show(the_event, wants_json=wants_json)


def show(event: Event, *, wants_json: bool) -> None:
    """Print everybody."""
    found = listed(event)
    if wants_json:
        print_json([each.as_json() for each in found])
        return
    for each in found:
        click.echo(line(each))
    for problem in event.people.strangers:
        click.echo(f"{problem.where}: {problem.text}", err=True)


def line(each: Listed) -> str:
    """One player in a line."""
    player = each.player
    more = [player.club, player.country, player.team]
    more += [f"{player.distance_km} km"] if player.distance_km is not None else []
    more += [f"once {' and '.join(each.once)}"] if each.once else []
    more += ["has left"] if player.left else []
    words = "  ".join(word for word in (*more, ", ".join(each.boards)) if word)
    return f"{player.number:>4}  {player.name:<24}  {words}".rstrip()
