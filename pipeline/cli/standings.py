"""``ordersheets standings`` and ``export``: the workbook and what is pinned up; what is public, for any web space."""

from pathlib import Path

import click

from pipeline.cli.common import on_event, open_for_command, print_problems
from pipeline.desk.publish.public_record import PublicRecord
from pipeline.desk.results.results import warn_two_readings
from pipeline.desk.results.standings_workbook import pdf_of, write_standings
from pipeline.export import (
    MAPS,
    What,
    contents_of,
    maps,
    order_files,
    record_to_export,
    results,
    saved_games,
    write_folder,
)
from pipeline.ledger.files import keep_file
from pipeline.problems import stop
from pipeline.workbook.standings_sheet import doubt_in_words
from pipeline.workbook.write import WorkbookForm, WrittenWorkbook

FORMS = {  # by the file's ending: what it is without and with --wall
    ".xlsx": (WorkbookForm.BOOK, WorkbookForm.WALL),
    ".pdf": (WorkbookForm.WALL, WorkbookForm.WALL),
    ".csv": (WorkbookForm.LIST, None),
}


@click.command("standings")
@on_event
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="What to write: .xlsx, .pdf or .csv."
)
@click.option("--wall", is_flag=True, help="Only the sheets to pin up, as .xlsx; a .pdf has no others.")
@click.option("--running", is_flag=True, help="Count games that are still being played, as they stand.")
@click.option(
    "--sealed/--open", default=None, help="Hide or show the places before the awards.  [default: as the rules say]"
)
def standings_command(event: Path, output: Path, wall: bool, running: bool, sealed: bool | None) -> None:
    """Write the standings of all games that are over, and print what is in doubt.

    As .xlsx a workbook with live formulas; as .pdf the sheets to pin up, ready to print; as .csv the list of places.
    """
    form = _form_asked(output, wall=wall)
    with open_for_command(event) as the_event:
        written = write_standings(the_event, running=running, sealed=sealed)
        readings = warn_two_readings(the_event, running=running)
    data = written.in_form(form)
    if output.suffix.lower() == ".pdf":
        data = pdf_of(data)
    keep_file(output, data, "close it in the spreadsheet, or name another place")
    print_problems((*written.problems, *readings))
    _print_doubts(written)
    click.echo(f"{output}: {len(data) // 1024} kB")


def _form_asked(output: Path, *, wall: bool) -> WorkbookForm:
    forms = FORMS.get(output.suffix.lower())
    if forms is None:
        ending = f"unknown ending {output.suffix!r}" if output.suffix else "no ending"
        raise stop(f"{ending}; .xlsx is the workbook, .pdf the sheets to pin up, .csv the list of places", str(output))
    form = forms[int(wall)]
    if form is None:
        raise stop("--wall is for .xlsx and .pdf; a .csv holds the list of places alone", str(output))
    return form


def _print_doubts(written: WrittenWorkbook) -> None:
    """Print the doubts to standard error, the most important first; of sealed standings only their number."""
    if written.is_sealed and written.doubts:
        many = len(written.doubts)
        said = f"{many} doubt{'s' if many > 1 else ''}; the standings are sealed; --open shows what is in doubt"
        click.echo(said, err=True)
        return
    for doubt in written.doubts:
        click.echo(doubt_in_words(doubt), err=True)


@click.command("export")
@on_event
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="A new folder, or one of an earlier export."
)
@click.option(
    "--what",
    "wanted",
    multiple=True,
    type=click.Choice([str(what) for what in What]),
    help="Several times.  [default: all]",
)
@click.option(
    "--sealed/--open",
    default=None,
    help="Without places and scores, or with them.  [default: as was said, or the rules]",
)
def export_command(event: Path, output: Path, wanted: tuple[str, ...], sealed: bool | None) -> None:
    """Write what is public into a folder: results as CSV and JSON, games, orders, maps as SVG, web pages.

    Only what is public is in it: no draw before it is announced, no standings while they are sealed.
    """
    contents_of(output)  # first, so that a folder with other files in it is refused before the work begins
    with open_for_command(event) as the_event:
        record = record_to_export(the_event, sealed)
    made = {what: _files_of(record, what) for what in What if what in (wanted or tuple(What))}
    write_folder(output, record.title, made)
    for what, files in made.items():
        click.echo(f"{what}: {len(files)} file{'s' if len(files) != 1 else ''}")
    if record.places is None:
        click.echo("the standings are sealed: no places, no scores; --open writes them", err=True)
    if What.GAMES in made and (left := [g.name for g in record.games.values() if g.map_name not in MAPS]):
        click.echo(f"games: the package 'diplomacy' has no map for board {', '.join(left)}", err=True)
    click.echo(f"{output}")


def _files_of(record: PublicRecord, what: What) -> dict[str, bytes]:
    match what:
        case What.RESULTS:
            return results(record)
        case What.GAMES:
            return saved_games(record)
        case What.ORDERS:
            return order_files(record)
        case What.MAPS:
            return maps(record)
        case What.SITE:
            from pipeline.web.live import site  # noqa: PLC0415 - the tables need no templates

            return site(record)
