"""``ordersheets export``: what is public, for other people's programs and for any web space."""

from pathlib import Path

import click

from pipeline import export
from pipeline.cli.common import on_event, open_for_command
from pipeline.desk.publish.public_record import PublicRecord
from pipeline.words.speech import write_count


@click.command("export")
@on_event
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="A new folder, or one of an earlier export."
)
@click.option(
    "--what",
    "wanted",
    multiple=True,
    type=click.Choice([str(what) for what in export.ExportKind]),
    help="Several times.  [default: all]",
)
@click.option(
    "--sealed/--open",
    default=None,
    help="Without places and scores, or with them.  [default: as you opened or closed them, else as the rules say]",
)
@click.option("--semicolons", is_flag=True, help="CSV with semicolons and decimal commas.")
def export_command(event: Path, output: Path, wanted: tuple[str, ...], sealed: bool | None, semicolons: bool) -> None:
    """Write what is public into a folder: results as CSV and JSON, games, orders, maps as SVG, web pages.

    Only what is public is in it: no draw before it is announced, no standings while they are sealed, unless you
    say --open.
    """
    export.contents_of(output)  # first, so that a folder with other files in it is refused before the work begins
    with open_for_command(event) as the_event:
        record = export.record_to_export(the_event, sealed)
    made = {
        what: _files_of(record, what, has_semicolons=semicolons)
        for what in export.ExportKind
        if what in (wanted or tuple(export.ExportKind))
    }
    export.write_folder(output, record.title, made)
    for what, files in made.items():
        click.echo(f"{what}: {write_count(len(files), 'file')}")
    if record.places is None:
        click.echo("the standings are sealed: no places, no scores; --open writes them", err=True)
    if export.ExportKind.GAMES in made and (
        left := [g.name for g in record.games.values() if g.map_name not in export.MAPS]
    ):
        click.echo(f"games: the package 'diplomacy' has no map for these boards: {', '.join(left)}", err=True)
    click.echo(output)


def _files_of(record: PublicRecord, what: export.ExportKind, *, has_semicolons: bool) -> dict[str, bytes]:
    match what:
        case export.ExportKind.RESULTS:
            return export.results(record, has_semicolons=has_semicolons)
        case export.ExportKind.GAMES:
            return export.saved_games(record)
        case export.ExportKind.ORDERS:
            return export.order_files(record)
        case export.ExportKind.MAPS:
            return export.maps(record)
        case export.ExportKind.SITE:
            from pipeline.web.public_site import site_files  # noqa: PLC0415 - the tables need no templates

            return site_files(record)
