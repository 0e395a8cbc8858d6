"""``ordersheets review --xlsx`` and ``--from-xlsx``: settle what waits in a spreadsheet."""

import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from pipeline.cli.common import opened, print_problems
from pipeline.ledger.files.disk import keep_file
from pipeline.problems import ExitCode, stop

A_FILE = click.Path(path_type=Path, dir_okay=False)


def with_sheets(command: Callable[..., None]) -> Callable[..., None]:
    """Take ``--xlsx`` and ``--from-xlsx``; with neither of them the command goes its own way."""

    @click.option("--xlsx", type=A_FILE, metavar="FILE", help="Write what waits as a spreadsheet, to be filled in.")
    @click.option("--from-xlsx", type=A_FILE, metavar="FILE", help="Take a spreadsheet back that was filled in.")
    @click.option(
        "--anyway", is_flag=True, help="With --from-xlsx: all that is typed there is meant so, followed or not."
    )
    @wraps(command)
    def review(xlsx: Path | None, from_xlsx: Path | None, anyway: bool, **rest: Any) -> None:
        if xlsx and from_xlsx:
            raise stop("write a sheet or take one back, not both at once", "--xlsx, --from-xlsx")
        if anyway and not from_xlsx:
            raise stop("it says that what stands in a spreadsheet is meant so; give it with --from-xlsx", "--anyway")
        if xlsx:
            write_file(rest["event"], rest["board"], xlsx)
        elif from_xlsx:
            take_file(rest["event"], from_xlsx, rest["by"], anyway=anyway)
        else:
            command(**rest)

    return review


def write_file(folder: Path, board: str | None, path: Path) -> None:
    """Write the queue; a file with decisions that were not taken back is never overwritten."""
    from pipeline.desk.review.review_by_sheet import write_review_sheet  # noqa: PLC0415 - the terminal needs no openpyxl
    from pipeline.desk.review.review_from_sheet import untaken  # noqa: PLC0415 - likewise

    how = f"When it is filled in: ordersheets review {folder} --from-xlsx {path.name} --by YOUR-NAME"
    with opened(folder) as event:
        if path.exists() and (many := untaken(event, read(path), path.name)):
            raise stop(f"{many} decisions in it were not taken back; use --from-xlsx first, or another name", str(path))
        data, lines, losses = write_review_sheet(event, board, how)
    keep_file(path, data, "close it, or use another name")
    print_problems(losses)
    click.echo(f"{path}: {lines} wait" if lines else f"{path}: nothing waits")


def take_file(folder: Path, path: Path, by: str, *, anyway: bool) -> None:
    """Take a sheet back: the good lines are written down, the others listed with their cells."""
    from pipeline.desk.review.review_from_sheet import take_back  # noqa: PLC0415 - likewise

    with opened(folder, leaves_status=True) as event:
        found = take_back(event, read(path), path.name, by, anyway=anyway)
    for problem in found.refused:
        click.echo(f"{problem.where}: {problem.text}", err=True)
    told = [f"{len(found.facts)} taken" if found.facts else "nothing changed"]
    told += [f"{found.taken_before} taken before"] if found.taken_before else []
    told += [f"{len(found.refused)} refused"] if found.refused else []
    click.echo(f"{', '.join(told)}; {found.left or 'nothing'} {'wait' if found.left > 1 else 'waits'} now")
    if found.refused:
        sys.exit(ExitCode.WITH_FAULTS)


def read(path: Path) -> bytes:
    """Read a file, or say why not."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise stop(f"cannot read it: {error.strerror or error}", str(path)) from error
