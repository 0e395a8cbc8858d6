"""``ordersheets rehearse``: a whole event alone."""

from pathlib import Path
from tempfile import mkdtemp

import click

from pipeline.cli.common import as_json, print_json
from pipeline.cli.machine.demo import shown
from pipeline.desk.hands.reader import best_recogniser
from pipeline.paper.sheet.field_rows import Design
from pipeline.problems import ExitCode
from pipeline.rehearsal.rehearse import Plan, rehearse

FAULTS = ("wrong_unasked", "differs_after_ruling", "season_slips_unasked", "ends_wrong")


@click.command("rehearse")
@click.option("--tournament", default="weaselmoot", show_default=True)
@click.option("--boards", type=click.IntRange(1, 30), default=2, show_default=True)
@click.option("--seasons", type=click.IntRange(1, 30), default=4, show_default=True, help="Movement phases.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option(
    "--design",
    type=click.Choice([str(design) for design in Design]),
    help="How the rows are made.  [default: as 'sheets' prints them]",
)
@click.option("--pads", is_flag=True, help="On pads, one print-out for the round; some are ticked wrongly.")
@click.option("--out", type=click.Path(path_type=Path), help="Where it all goes.  [default: a new folder under /tmp]")
@as_json
def command(
    tournament: str,
    boards: int,
    seasons: int,
    seed: int,
    design: str | None,
    pads: bool,
    out: Path | None,
    wants_json: bool,
) -> None:
    """Rehearse an event: invent it, print, write, scan, read, rule, judge, score, and compare with what was written.

    A player is replaced on the way, and beside it a game ends in every way that the tournament knows. Exit code 1 if
    any order or end differs, or if nobody was asked about a pad with the wrong season.
    """
    folder = out or Path(mkdtemp(prefix="rehearsal-"))
    chosen = Design(design) if design else None
    plan = Plan(tournament=tournament, boards=boards, seasons=seasons, seed=seed, design=chosen, on_pads=pads)
    with shown() as listener:
        found = rehearse(plan, folder, best_recogniser(), listener)
    if wants_json:
        print_json(found)
    else:
        for name, value in found.items():
            if name != "differences":
                click.echo(f"{name.replace('_', ' '):<22} {value}")
        for difference in found["differences"]:
            click.echo(f"  {difference}")
        click.echo(f"all of it is in {folder}")
    raise SystemExit(ExitCode.WITH_FAULTS if any(found[name] for name in FAULTS) else ExitCode.DONE)
