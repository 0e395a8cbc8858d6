"""``ordersheets scan``: take scans in."""

from pathlib import Path

import click

from pipeline.cli.common import on_event, open_for_command, with_by_option
from pipeline.desk.intake.watching import MOST_HELPERS
from pipeline.problems import stop


@click.command("scan")
@on_event
@click.argument("files", nargs=-1, type=click.Path(readable=False, path_type=Path))
@click.option(
    "--watch", type=click.Path(path_type=Path), help="Read every file that appears in this folder, until Ctrl-C."
)
@click.option(
    "--processes",
    type=click.IntRange(1, 1 + MOST_HELPERS),
    help="How many pages are read at once.  [default: one a core, at most four]",
)
@click.option("--pass-over", "skipped", metavar="NAME", help="Skip a file that waits, or is being read.")
@with_by_option
def scan_command(
    event: Path,
    files: tuple[Path, ...],
    watch: Path | None,
    processes: int | None,
    skipped: str | None,
    by: str,
) -> None:
    """Take in PDF, TIFF, JPEG, PNG and HEIC files, any side up. Without FILES: finish an interrupted scan."""
    if skipped is not None:
        if files or watch is not None:
            raise stop("it reads nothing; scan the files, or watch the folder, by a command of its own", "--pass-over")
        from pipeline.desk.intake.ingest import pass_over  # noqa: PLC0415 - it loads the reader

        with open_for_command(event) as the_event:
            for page in pass_over(the_event, skipped, by):
                click.echo(f"{skipped}: {page.text}")
        return
    if watch is not None and not watch.is_dir():
        raise stop("no such folder to watch", str(watch))
    from pipeline.cli.scanning import read_all  # noqa: PLC0415 - likewise, and --help must be fast

    raise SystemExit(read_all(event, files, watch, processes))
