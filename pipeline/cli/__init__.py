"""The commands: words over ``desk`` and over the pure floors, nothing else.

They leave with an `ExitCode`.
"""

import gc
import os
import sys
from importlib import import_module

import click

from pipeline.cli.short_help import SHORT_HELP
from pipeline.ledger.files.disk import MEND, is_closed, is_full, refused
from pipeline.problems import ExitCode, Stopped, stop

OBJECTS = 100_000  # that are made before dead circles are looked for: at Python's 700 that took a tenth of the start
# these go on for hours, read paper or take any number of lines; what the others make is needed until they end, soon
LONG_LIVED = frozenset(
    {"desk", "review", "scan", "rehearse", "demo", "testdeck", "calibrate", "judge", "interpret", "score"}
)

# name -> module with a function `command`; loaded when it is used, so that `judge` does not wait for OpenCV
COMMANDS = {
    "desk": "pipeline.cli.event.desk",
    "new": "pipeline.cli.event.new",
    "players": "pipeline.cli.event.players",
    "roll": "pipeline.cli.round.roll",
    "draw": "pipeline.cli.round.draw",
    "seats": "pipeline.cli.round.seats",
    "position": "pipeline.cli.round.position",
    "sheets": "pipeline.cli.sheets.sheets",
    "forms": "pipeline.cli.sheets.forms",
    "scan": "pipeline.cli.sheets.scan",
    "page": "pipeline.cli.sheets.page",
    "status": "pipeline.cli.event.status",
    "journal": "pipeline.cli.event.journal",
    "undo": "pipeline.cli.event.undo",
    "orders": "pipeline.cli.sheets.orders",
    "review": "pipeline.cli.sheets.review",
    "rule": "pipeline.cli.sheets.rule",
    "form": "pipeline.cli.sheets.form",
    "hands": "pipeline.cli.event.hands",
    "rulings": "pipeline.cli.sheets.rulings",
    "adjudicate": "pipeline.cli.round.adjudicate",
    "correct": "pipeline.cli.round.correct",
    "cards": "pipeline.cli.round.cards",
    "vote": "pipeline.cli.round.vote",
    "end": "pipeline.cli.round.end",
    "enter": "pipeline.cli.results.enter",
    "standings": "pipeline.cli.results.standings",
    "export": "pipeline.cli.results.export",
    "calibrate": "pipeline.cli.machine.calibrate",
    "explain": "pipeline.cli.results.explain",
    "check": "pipeline.cli.event.check",
    "backup": "pipeline.cli.event.backup",
    "restore": "pipeline.cli.event.restore",
    "rehearse": "pipeline.cli.machine.rehearse",
    "demo": "pipeline.cli.machine.demo",
    "doctor": "pipeline.cli.machine.doctor",
    "testdeck": "pipeline.cli.machine.testdeck",
    "judge": "pipeline.cli.streams.judge",
    "interpret": "pipeline.cli.streams.interpret",
    "score": "pipeline.cli.streams.score",
    "rules": "pipeline.cli.rules.rules",
}


class Commands(click.Group):
    """A group whose commands are imported when they are called for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands in the order of a director's day."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(COMMANDS[cmd_name]).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, each with the beginning of its help; none is imported for that."""
        limit = formatter.width - 6 - max(map(len, COMMANDS))
        told = [(name, click.Command(name, help=SHORT_HELP[name]).get_short_help_str(limit)) for name in COMMANDS]
        with formatter.section("Commands"):
            formatter.write_dl(told)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; a full disk, and what may not be read or written, are called so wherever it meets them."""
        try:
            return super().invoke(ctx)
        except PermissionError as error:
            text = f"{error.strerror}; see who may read and write it"
            raise stop(text, str(error.filename or "a file"), ExitCode.MACHINE_LACKS) from error
        except OSError as error:
            where = str(error.filename or "writing")
            if is_full(error, where) or is_closed(error, where):
                raise refused(error, where, "it cannot be written", MEND) from error
            if isinstance(error, BrokenPipeError):  # who read what is printed has gone
                raise
            text = f"{error.strerror or error}; see what is at this place"
            raise stop(text, where, ExitCode.MACHINE_LACKS) from error


@click.group(cls=Commands, invoke_without_command=True)
@click.version_option(package_name="ordersheets")
@click.pass_context
def group(ctx: click.Context) -> None:
    """Run a face-to-face Diplomacy tournament from paper: orders in, standings out, and back to the ink.

    Without a command it opens the desk in the browser.
    """
    if ctx.invoked_subcommand is None:
        desk = group.get_command(ctx, "desk")
        assert desk is not None
        ctx.invoke(desk)


def main() -> None:
    """Run a command; print every fault as ``what: where: how to mend`` and leave with its exit code."""
    for library in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(library, "1")  # the reader's matrices are small: threads cost 5 to 13 times the time
    if (sys.argv[1:2] or ["desk"])[0] not in LONG_LIVED:
        gc.disable()
    gc.set_threshold(OBJECTS)
    try:
        group(prog_name="ordersheets")
    except Stopped as stopped:
        for problem in stopped.problems:
            click.echo(f"{problem.where}: {problem.text}", err=True)
        sys.exit(stopped.code)
    finally:
        gc.freeze()  # the process ends: nobody looks for dead circles any more
