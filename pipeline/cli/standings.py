"""``ordersheets standings``: the workbook, the sheets to pin up, or the list of places."""

from collections.abc import Sequence
from contextlib import nullcontext
from itertools import count
from pathlib import Path

import click

from pipeline.cli.common import on_event, open_for_command, print_problems, with_by_option
from pipeline.desk.event.event import Event
from pipeline.desk.results.final_results import publish_results
from pipeline.desk.results.results import event_results, newest_moment, scored_event
from pipeline.desk.results.standings_workbook import write_standings, write_wall
from pipeline.ledger.files import keep_file, write_refused
from pipeline.problems import Problem, Weight, stop
from pipeline.rules.convert import convert_value
from pipeline.rules.table import Table
from pipeline.scoring.interim import moments_reached
from pipeline.scoring.rules import StandingsMoment
from pipeline.scoring.stakes import WeighedDoubt, doubts_in_short, level_so_far_in_short, list_due
from pipeline.workbook.package import was_saved_elsewhere
from pipeline.workbook.standings_sheet import doubt_in_words
from pipeline.workbook.write import WrittenWorkbook

BY_RULES = "rules"
ENDINGS = ("xlsx", "pdf", "csv")
CLOSE_IT = "close it in the spreadsheet, or name another place"


@click.command("standings")
@on_event
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="What to write: .xlsx, .pdf or .csv."
)
@click.option("--wall", is_flag=True, help="Only the sheets to pin up, as .xlsx; a .pdf has no others.")
@click.option("--running", is_flag=True, help="Count games that are still being played, as if time were called now.")
@click.option(
    "--at",
    "moment",
    metavar="ROUND[:YEAR]|rules",
    help="As after a round, or after a Fall within it, such as 3:1904; 'rules': the newest moment that the rules name.",
)
@click.option(
    "--final", is_flag=True, help="Publish the results as final, where the rules call them interim until then."
)
@click.option(
    "--sealed/--open", default=None, help="Hide or show the places before the awards.  [default: as the rules say]"
)
@click.option("--semicolons", is_flag=True, help="A .csv with semicolons and decimal commas.")
@with_by_option
@click.option("--why", default="", help="Your reason, where --final asks for one.")
def standings_command(
    event: Path,
    output: Path,
    wall: bool,
    running: bool,
    moment: str | None,
    final: bool,
    sealed: bool | None,
    semicolons: bool,
    by: str,
    why: str,
) -> None:
    """Write the standings of all games that are over, and print what is in doubt.

    As .xlsx a workbook with live formulas; as .pdf the sheets to pin up, ready to print; as .csv the list of places.
    """
    ending = _ending_asked(output, wall=wall, semicolons=semicolons)
    if moment and (running or final):
        raise stop(
            "--at says by itself which games count, and is before the end; leave --running and --final out", "--at"
        )
    with open_for_command(event) as the_event, the_event.facts.transaction() if final else nullcontext():
        at = _moment_asked(the_event, moment) if moment else None
        fact = publish_results(the_event, by=by, why=why) if final else None
        written = write_standings(the_event, running=running, sealed=sealed, moment=at)
        scored = scored_event(the_event, running=running, moment=at)
        readings = tuple(Problem(Weight.ASKS, str(each), "final table") for each in scored.readings)
        if ending == "csv":
            data = written.as_csv(has_semicolons=semicolons)
        elif ending == "pdf" or wall:
            data = write_wall(the_event, as_pdf=ending == "pdf", running=running, sealed=sealed, moment=at)
        else:
            data = written.data
        keep_what_was_typed(output)
        keep_file(output, data, CLOSE_IT)  # if it fails, the results are not final
    if fact is not None:
        click.echo(f"the results are final, number {fact.number} in the journal")
    print_problems((*written.problems, *readings))
    _print_doubts(written)
    click.echo(f"{output}: {len(data) // 1024} kB")


def keep_what_was_typed(output: Path) -> None:
    """Rename a workbook that a spreadsheet program has saved since it was written: somebody may have typed into it."""
    if output.suffix.lower() != ".xlsx" or not output.is_file():
        return
    names = (output.with_stem(f"{output.stem} (changed {number})") for number in count(1))
    aside = next(path for path in names if not path.exists())
    try:
        if not was_saved_elsewhere(output.read_bytes()):
            return
        output.rename(aside)
    except OSError as error:  # on Windows also while a spreadsheet program has it open
        raise write_refused(error, str(output), "it cannot be kept under another name", CLOSE_IT) from error
    click.echo(f"{output} was changed in a spreadsheet program; as it was it is kept as {aside}", err=True)


def _moment_asked(event: Event, text: str) -> StandingsMoment:
    """The moment that is asked for, or stop if it has not come."""
    if text == BY_RULES:
        if newest := newest_moment(event):
            return newest
        interim = event.tournament.scoring.interim
        named = ", ".join(map(str, interim.moments)) if interim else ""
        raise stop(
            f"none of the moments {named} has come" if named else "the rules name none (interim.moments)", "--at"
        )
    table = Table({}, "")
    moment: StandingsMoment = convert_value(text, StandingsMoment, table, "--at")
    if table.problems:
        raise stop(f"{table.problems[0].text}; or '{BY_RULES}'", "--at")
    if not any(moments_reached(event_results(event, running=True), (moment,))):
        raise stop(f"{moment} has not come: some of its boards are not that far", "--at")
    return moment


def _ending_asked(output: Path, *, wall: bool, semicolons: bool) -> str:
    """Which of `ENDINGS` is to be written; `Stopped` where the options do not fit it."""
    ending = output.suffix.lower().removeprefix(".")
    if ending not in ENDINGS:
        fault = f"unknown ending {output.suffix!r}" if ending else "no ending"
        raise stop(f"{fault}; .xlsx is the workbook, .pdf the sheets to pin up, .csv the list of places", str(output))
    if wall and ending == "csv":
        raise stop("--wall is for .xlsx and .pdf; a .csv holds the list of places alone", str(output))
    if semicolons and ending != "csv":
        raise stop("--semicolons is for .csv", str(output))
    return ending


def _print_doubts(written: WrittenWorkbook) -> None:
    """Print the doubts to standard error, the most important first; of sealed standings only their number."""
    if not written.doubts:
        return
    if written.is_sealed:
        said = f"{doubts_in_short(written.doubts)}; the standings are sealed; --open shows what is in doubt"
        click.echo(said, err=True)
        return
    print_doubts(written.doubts)


def print_doubts(doubts: Sequence[WeighedDoubt]) -> None:
    """Print the doubts that are to be settled now to standard error, and how many others there are."""
    for doubt in list_due(doubts):
        click.echo(doubt_in_words(doubt), err=True)
    if waiting := level_so_far_in_short(doubts):
        click.echo(waiting, err=True)
