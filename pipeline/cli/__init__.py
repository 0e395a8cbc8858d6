"""The command line: commands call ``desk``, a package below it, ``export`` or ``web``, and exit with an `ExitCode`."""

import codecs
import gc
import io
import json
import os
import signal
import sys
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import click
from msgspec import Struct

from pipeline.ledger.files import MEND, explain_system_error, write_refused
from pipeline.logs import watch_threads
from pipeline.problems import Stopped

GC_THRESHOLD = 100_000  # allocations between two garbage collections; Python's 700 make the start a tenth slower
# These run for hours or read much, so the garbage collector stays on for them; all others end soon.
LONG_LIVED = frozenset(
    {"desk", "review", "scan", "rehearse", "demo", "testdeck", "calibrate", "judge", "interpret", "score"}
)

UNTIL_CTRL_C = ("desk", "review")  # Ctrl-C is how they are ended


class LazyCommand(Struct, frozen=True):
    """A command that is not imported yet: the module of its function ``NAME_command``, and its line in the list."""

    module: str
    short_help: str


# what `ordersheets --help` lists, section by section; one line of 80 columns each
SECTIONS = {
    "Every day": {
        "desk": LazyCommand("pipeline.cli.event", "Run the event in the browser."),
        "draw": LazyCommand("pipeline.cli.draw", "Draw who sits at which board as which power."),
        "sheets": LazyCommand("pipeline.cli.prints", "Print the order sheets of a round."),
        "scan": LazyCommand("pipeline.cli.scan", "Read scanned sheets and forms, in any order, any side up."),
        "status": LazyCommand("pipeline.cli.status", "Show whose sheet is in or missing, and what waits for you."),
        "review": LazyCommand("pipeline.cli.review", "Settle every doubtful row."),
        "adjudicate": LazyCommand("pipeline.cli.publish", "Publish a board's phase, with its read-out card and map."),
        "end": LazyCommand("pipeline.cli.tables", "End a board's game, or undo that."),
        "standings": LazyCommand("pipeline.cli.standings", "Write the workbook with the standings."),
        "explain": LazyCommand("pipeline.cli.tables", "Say why an order, a player's place or a cell is as it is."),
    },
    "Before the event": {
        "new": LazyCommand("pipeline.cli.event", "Make the folder of an event."),
        "rules": LazyCommand("pipeline.cli.rules", "Show, make or check the rules of a tournament."),
        "testdeck": LazyCommand("pipeline.cli.rehearse", "Test the printer and the scanner."),
        "demo": LazyCommand("pipeline.cli.rehearse", "Run the sample event from sheets to standings."),
        "rehearse": LazyCommand("pipeline.cli.rehearse", "Play an invented event, to test this machine."),
        "doctor": LazyCommand("pipeline.cli.status", "Say what is missing on this machine, and how to get it."),
    },
    "Players and boards": {
        "players": LazyCommand("pipeline.cli.event", "List, add or rename players; mark who has left."),
        "roll": LazyCommand("pipeline.cli.tables", "Enter the roll call: who is here for a round."),
        "seats": LazyCommand("pipeline.cli.tables", "Show who sits where, and publish the seats."),
        "position": LazyCommand("pipeline.cli.tables", "Show the position of a board, or set it by hand."),
        "forms": LazyCommand("pipeline.cli.prints", "Print forms: votes, ratings, teams, results."),
        "signs": LazyCommand("pipeline.cli.prints", "Print place cards, badges, or a text to hang up."),
        "vote": LazyCommand("pipeline.cli.tables", "Count a draw vote, which may end the game."),
        "enter": LazyCommand("pipeline.cli.tables", "Enter a penalty, a substitute, a lot and more."),
    },
    "Rows, sheets and forms": {
        "orders": LazyCommand("pipeline.cli.rulings", "Show every row of a board, from writing to order."),
        "rule": LazyCommand("pipeline.cli.rulings", "Decide on a row or a sheet, or type the orders."),
        "page": LazyCommand("pipeline.cli.rulings", "Say which sheet an unknown page is, or put it aside."),
        "form": LazyCommand("pipeline.cli.rulings", "Show a scanned form, and decide about it."),
        "rulings": LazyCommand("pipeline.cli.rulings", "List your rulings: what, who and why."),
        "hands": LazyCommand("pipeline.cli.status", "Show which players' handwriting is known."),
    },
    "Mistakes and copies": {
        "journal": LazyCommand("pipeline.cli.status", "List every decision with its number."),
        "undo": LazyCommand("pipeline.cli.publish", "Undo decisions by their numbers in the journal."),
        "correct": LazyCommand("pipeline.cli.publish", "Correct a phase that was published with an error."),
        "cards": LazyCommand("pipeline.cli.publish", "Make read-out cards and maps again."),
        "check": LazyCommand("pipeline.cli.status", "Check that nothing is damaged and all results hold."),
        "backup": LazyCommand("pipeline.cli.event", "Copy the event now."),
        "restore": LazyCommand("pipeline.cli.event", "Restore an event from a copy."),
    },
    "For other programs": {
        "export": LazyCommand("pipeline.cli.export", "Write what is public as CSV, JSON, maps and web pages."),
        "judge": LazyCommand("pipeline.cli.judge", "Adjudicate phases: JSON in, JSON out."),
        "interpret": LazyCommand("pipeline.cli.judge", "Say what written lines mean: JSON in, JSON out."),
        "league": LazyCommand("pipeline.cli.league", "Write the standings of a league of several events."),
        "score": LazyCommand("pipeline.cli.score", "Score events: JSON in, JSON out."),
        "calibrate": LazyCommand("pipeline.cli.rehearse", "Fit the handwriting reader to your own scans."),
    },
}
COMMANDS = {name: command for section in SECTIONS.values() for name, command in section.items()}


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is called, so that `judge` does not wait for OpenCV."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands in the order of the list."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(COMMANDS[cmd_name].module), f"{cmd_name}_command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, the daily ones first; none is imported for that."""
        width = max(map(len, COMMANDS))
        for title, section in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), command.short_help) for name, command in section.items()])

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; a full disk and missing permissions are reported by their names, wherever they occur."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # the program that read our output has ended
            raise
        except OSError as error:
            raise explain_system_error(error) from error
        except KeyboardInterrupt:
            if ctx.invoked_subcommand not in (None, *UNTIL_CTRL_C):
                raise
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second one would only disturb the end
            click.echo("\nended; everything that was decided is kept")
            return None


@click.group(cls=LazyGroup, invoke_without_command=True)
@click.version_option(package_name="ordersheets")
@click.pass_context
def group(ctx: click.Context) -> None:
    """Run a face-to-face Diplomacy tournament from paper order sheets, from the draw to the standings.

    Without a command it opens the desk in the browser.
    """
    if ctx.invoked_subcommand is None:
        desk = group.get_command(ctx, "desk")
        assert desk is not None
        ctx.invoke(desk)


def _escape(error: UnicodeError) -> tuple[str, int]:
    """Write letters that the output's encoding lacks as JSON escapes, which people and programs can read."""
    assert isinstance(error, UnicodeEncodeError)
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


def _leave(stopped: Stopped) -> NoReturn:
    """Say why nothing more is done, and leave."""
    for problem in stopped.problems:
        click.echo(f"{problem.where}: {problem.text}", err=True)
    sys.exit(stopped.code)


def main() -> None:
    """Run a command; print every fault as ``where: what; how to mend`` and leave with its exit code."""
    for library in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(library, "1")  # the reader's matrices are small: threads cost 5 to 13 times the time
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the parent process: a file of the event could get its descriptor
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - until the end
    codecs.register_error("escape", _escape)
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="escape")  # a pipe on Windows knows Western letters only
    if (sys.argv[1:2] or ["desk"])[0] not in LONG_LIVED:
        gc.disable()
    gc.set_threshold(GC_THRESHOLD)
    watch_threads()
    try:
        group(prog_name="ordersheets")
    except Stopped as stopped:
        _leave(stopped)
    except OSError as error:  # the help could not be printed; a command catches its own
        _leave(write_refused(error, "writing", "it cannot be written", MEND))
    finally:
        gc.freeze()  # the process ends: no garbage collection is needed any more
