"""``ordersheets new``: make an event."""

from pathlib import Path

import click

from pipeline.cli.common import print_problems
from pipeline.desk.draw.roster_file import read_roster_file
from pipeline.desk.event.making import WantedEvent, make_event
from pipeline.ledger.clock import now
from pipeline.ledger.files.this_machine import keep_event
from pipeline.words.speech import languages


@click.command("new")
@click.argument("event", metavar="EVENT", type=click.Path(path_type=Path))
@click.option(
    "--tournament",
    required=True,
    help="Whose rules: nzdc1999, weaselmoot, edc2023, edc1996, wdc2008, or your own rules file.",
)
@click.option(
    "--roster", required=True, type=click.Path(path_type=Path), help="The players: CSV or XLSX with a column 'name'."
)
@click.option("--name", help="The event's name, printed on every sheet.  [default: the folder's name]")
@click.option(
    "--code", help="Four letters and digits that tell this event's sheets from all others.  [default: drawn by lot]"
)
@click.option(
    "--paper", type=click.Choice(["A4", "A5", "LETTER"], case_sensitive=False), default="A4", show_default=True
)
@click.option("--map", "map_name", type=click.Choice(["standard", "sandard"]), help="The map.  [default: the rules']")
@click.option(
    "--language", type=click.Choice(languages()), help="The language of what players see.  [default: the rules']"
)
def command(
    event: Path,
    tournament: str,
    roster: Path,
    name: str | None,
    code: str | None,
    paper: str,
    map_name: str | None,
    language: str | None,
) -> None:
    """Make an event: a folder with event.toml, event.db, scans/ and out/."""
    listed = read_roster_file(roster)
    wanted = WantedEvent(
        tournament=tournament,
        name=name or "",
        code=code or "",
        paper=paper.upper(),
        map_name=map_name or "",
        language=language or "",
    )
    made = make_event(event, wanted, listed, now)
    keep_event(event)
    print_problems(made.notes)
    click.echo(f"{event}: {len(listed[0])} players under {tournament}; sheets carry the code {made.details.code}")
