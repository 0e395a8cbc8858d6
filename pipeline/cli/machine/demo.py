"""``ordersheets demo``: the main job on the sample event."""

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from pipeline.desk.hands.reader import best_recogniser
from pipeline.desk.intake.ingest import PageIn
from pipeline.ink import page_in_words
from pipeline.problems import ExitCode
from pipeline.rehearsal.demo import run_demo
from pipeline.rehearsal.sample import ROUND
from pipeline.rehearsal.simulation import Listener

TOLD = ("reader", "pages", "rows_written", "read_alone", "typed", "asked", "wrong_unasked")
NAME = "ordersheets"
FAULTS = ("wrong_unasked", "differs_after_ruling", "ends_wrong")


@click.command("demo")
@click.option("--out", type=click.Path(path_type=Path), default=Path("out"), show_default=True, help="Where it goes.")
def command(out: Path) -> None:
    """Run the sample event from printed sheets to standings; exit code 1 if any order or end differs."""
    began = monotonic()
    with shown() as listener:
        summary = run_demo(out, best_recogniser(), listener)
    table = Table("", "", show_header=False, title="The sample event")
    for name in TOLD:
        table.add_row(name.replace("_", " "), told(summary[name]))
    table.add_row("seconds", f"{monotonic() - began:.0f}")
    Console().print(table)
    click.echo(f"{out}: standings.xlsx, flagged-row.png, summary.json, sheets, scans and the event")
    click.echo(f"look at it in the browser, 'round {ROUND}' shows it finished: {this_program()} desk {out / 'event'}")
    raise SystemExit(ExitCode.WITH_FAULTS if any(summary[name] for name in FAULTS) else ExitCode.DONE)


def told(found: object) -> str:
    """Write a value of the summary: counts by name stand in a row.

    >>> told({"unread": 5, "sheet": 1}), told({}), told(0)
    ('5 unread, 1 sheet', 'nothing', '0')
    """
    if not isinstance(found, dict):
        return str(found)
    return ", ".join(f"{count} {name}" for name, count in found.items()) or "nothing"


def this_program() -> str:
    """How this program is called from here: by its name where that is found, else by where it lies."""
    called = Path(sys.argv[0])
    return str(called) if called.stem == NAME and shutil.which(NAME) is None else NAME


@contextmanager
def shown() -> Iterator[Listener]:
    """Show a simulated event on the terminal, with a bar for the pages; standard output stays free for the result."""
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed}/{task.total} pages"))
    with Progress(
        *columns, TimeElapsedColumn(), console=Console(stderr=True, highlight=False, soft_wrap=True)
    ) as progress:
        yield Shown(progress)


class Shown(Listener):
    """Shows what happens."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.task = progress.add_task("reading", total=0)
        self.pages = 0

    def step(self, text: str) -> None:
        """Print a heading."""
        self.progress.console.print(f"[bold]{text}[/bold]")

    def say(self, text: str) -> None:
        """Print a line."""
        self.progress.console.print(f"  {text}", markup=False)

    def page(self, page: PageIn) -> None:
        """Move the bar; say so only where a page was not filed."""
        self.progress.advance(self.task)
        if page.tray != "filed":
            self.say(f"{page.tray}: {page.name} {page_in_words(page.page)}: {page.text}")

    def pages_to_come(self, count: int) -> None:
        """Make the bar longer."""
        self.pages += count
        self.progress.update(self.task, total=self.pages)
