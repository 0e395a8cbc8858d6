"""``ordersheets new``: make an event."""

import secrets
from pathlib import Path

import click

from pipeline.cli.common import print_problems
from pipeline.desk.draw.roster_file import read_roster_file
from pipeline.desk.event.clock import now
from pipeline.desk.event.event import CODE_LETTERS, Details, new_event
from pipeline.problems import Problem, Weight
from pipeline.rules.load import load_tournament
from pipeline.rules.scoring.fit import misfits
from pipeline.rules.tournament import Tournament


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
def command(
    event: Path, tournament: str, roster: Path, name: str | None, code: str | None, paper: str, map_name: str | None
) -> None:
    """Make an event: a folder with event.toml, event.db, scans/ and out/."""
    players, notes = read_roster_file(roster)
    rules = load_tournament(tournament)
    details = Details(
        name=name or event.resolve().name,
        code=code or "".join(secrets.choice(CODE_LETTERS) for _ in range(4)),
        tournament=tournament,
        paper=paper,
        map_name=map_name or rules.map,
    )
    new_event(event, details, players, now)
    print_problems((*notes, *strange(rules)))
    click.echo(f"{event}: {len(players)} players under {tournament}; sheets carry the code {details.code}")


def strange(rules: Tournament) -> tuple[Problem, ...]:
    """What is well written in the rules and cannot work; the event is made all the same."""
    return tuple(Problem(Weight.NOTES, text, f"rules {where}") for where, text in misfits(rules.scoring))
