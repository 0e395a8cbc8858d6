"""What ``ordersheets scan`` does: read files, show progress, watch a folder."""

import time
from functools import partial
from pathlib import Path

import click

from pipeline.cli.common import keep_copies, open_for_command, print_problems
from pipeline.cli.page_bar import PageBar
from pipeline.desk.event.event import Event
from pipeline.desk.hands.reader import best_recogniser
from pipeline.desk.hands.reader_name import reader_name
from pipeline.desk.intake.ingest import Follower, PageIn, take_in
from pipeline.desk.intake.reading_pool import Helpers
from pipeline.desk.intake.watching import EVERY_S, WatchedFolder
from pipeline.ink import PARTS, page_of_file
from pipeline.problems import ExitCode, Problem, Weight
from pipeline.reading.recogniser import Recogniser
from pipeline.words.speech import write_count


def read_all(event: Path, files: tuple[Path, ...], watch: Path | None, processes: int | None) -> ExitCode:
    """Read the files, or finish a scan that was interrupted; then watch the folder. Exit code 1 if a file failed."""
    with (
        open_for_command(event, makes_files=True) as the_event,
        Helpers(event, processes and processes - 1) as helpers,
    ):
        engine = best_recogniser()
        with PageBar() as bar:

            def count(pages: int) -> None:
                bar.begin(pages)
                helpers.expect(pages)

            problems = take_in(the_event, files, engine, partial(_tell_page, bar), helpers, Follower(_tell_wait, count))
        print_problems(problems)
        reader_name(the_event)  # kept for `status`, which would load OpenCV to ask for it
        if watch is not None:
            _watch_folder(the_event, watch, engine, helpers)
    has_failed = any(problem.weight is Weight.STOPS for problem in problems)
    return ExitCode.WITH_FAULTS if has_failed else ExitCode.DONE


def _tell_page(bar: PageBar, page: PageIn) -> None:
    """Say what became of a page. Several sheets on one picture are one page."""
    bar.echo(_page_in_line(page))
    if page.page < 2 * PARTS:
        bar.advance()


def _page_in_line(page: PageIn) -> str:
    return f"{page.state:<13} {page_of_file(page.name, page.page)}: {page.text}"


def _tell_wait() -> None:
    """Say why nothing is read just now."""
    click.echo("another program is reading scans of this event; this one continues when it has finished", err=True)


def _watch_folder(event: Event, folder: Path, engine: Recogniser, helpers: Helpers) -> None:
    """Take in every file that is completely written, until the director presses Ctrl-C."""
    watched = WatchedFolder(folder)
    click.echo(f"watching {folder}; Ctrl-C ends it")
    told = ""  # the fault that was printed last
    folders = 0  # how many folders inside were told of
    try:
        while True:
            if folders != (folders := watched.folders()) and folders:
                inside = f"{write_count(folders, 'folder')} inside {'is' if folders == 1 else 'are'}"
                click.echo(f"{folder}: {inside} not opened; let the scanner write into the folder itself", err=True)
            files = watched.take_complete_files()
            if watched.fault and watched.fault != told:
                click.echo(f"{folder}: cannot be read ({watched.fault}); it is tried again every second", err=True)
            told = watched.fault
            problems: tuple[Problem, ...] = take_in(
                event, files, engine, partial(_tell_page, PageBar()), helpers, Follower(_tell_wait)
            )
            print_problems(problems)
            if event.facts.has_written:
                keep_copies(event)
            time.sleep(EVERY_S)
    except KeyboardInterrupt:
        click.echo("no longer watching; everything that came is kept")
