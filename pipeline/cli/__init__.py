"""The commands: words over ``desk`` and over the pure floors, nothing else.

They leave with an `ExitCode`.
"""

import codecs
import gc
import io
import json
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import click

from pipeline.cli.short_help import SHORT_HELP
from pipeline.ledger.files import MEND, is_closed, is_full, write_refused
from pipeline.problems import ExitCode, Stopped, stop

OBJECTS = 100_000  # that are made before dead circles are looked for: at Python's 700 that took a tenth of the start
# these go on for hours, read paper or take any number of lines; what the others make is needed until they end, soon
LONG_LIVED = frozenset(
    {"desk", "review", "scan", "rehearse", "demo", "testdeck", "calibrate", "judge", "interpret", "score"}
)

# name -> module with a function `NAME_command`; loaded when it is used, so that `judge` does not wait for OpenCV
COMMANDS = {
    "desk": "pipeline.cli.event",
    "new": "pipeline.cli.event",
    "players": "pipeline.cli.event",
    "roll": "pipeline.cli.tables",
    "draw": "pipeline.cli.draw",
    "seats": "pipeline.cli.tables",
    "position": "pipeline.cli.tables",
    "sheets": "pipeline.cli.prints",
    "forms": "pipeline.cli.prints",
    "scan": "pipeline.cli.scan",
    "page": "pipeline.cli.rulings",
    "status": "pipeline.cli.status",
    "journal": "pipeline.cli.status",
    "undo": "pipeline.cli.publish",
    "orders": "pipeline.cli.rulings",
    "review": "pipeline.cli.review",
    "rule": "pipeline.cli.rulings",
    "form": "pipeline.cli.rulings",
    "hands": "pipeline.cli.status",
    "rulings": "pipeline.cli.rulings",
    "adjudicate": "pipeline.cli.publish",
    "correct": "pipeline.cli.publish",
    "cards": "pipeline.cli.publish",
    "vote": "pipeline.cli.tables",
    "end": "pipeline.cli.tables",
    "enter": "pipeline.cli.tables",
    "standings": "pipeline.cli.standings",
    "export": "pipeline.cli.export",
    "calibrate": "pipeline.cli.rehearse",
    "explain": "pipeline.cli.tables",
    "check": "pipeline.cli.status",
    "backup": "pipeline.cli.event",
    "restore": "pipeline.cli.event",
    "rehearse": "pipeline.cli.rehearse",
    "demo": "pipeline.cli.rehearse",
    "doctor": "pipeline.cli.status",
    "testdeck": "pipeline.cli.rehearse",
    "judge": "pipeline.cli.judge",
    "interpret": "pipeline.cli.judge",
    "score": "pipeline.cli.score",
    "rules": "pipeline.cli.rules",
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
        command: click.Command = getattr(import_module(COMMANDS[cmd_name]), f"{cmd_name}_command")
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
                raise write_refused(error, where, "it cannot be written", MEND) from error
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


def _escape(error: UnicodeError) -> tuple[str, int]:
    """Write what an encoding has no letters for as JSON does: so it is read by people, and by programs."""
    assert isinstance(error, UnicodeEncodeError)
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


def _leave(stopped: Stopped) -> NoReturn:
    """Say why nothing more is done, and leave."""
    for problem in stopped.problems:
        click.echo(f"{problem.where}: {problem.text}", err=True)
    sys.exit(stopped.code)


def main() -> None:
    """Run a command; print every fault as ``what: where: how to mend`` and leave with its exit code."""
    for library in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(library, "1")  # the reader's matrices are small: threads cost 5 to 13 times the time
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by who started this: else a file of the event may get its number
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - until the end
    codecs.register_error("escape", _escape)
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="escape")  # a pipe on Windows knows Western letters only
    if (sys.argv[1:2] or ["desk"])[0] not in LONG_LIVED:
        gc.disable()
    gc.set_threshold(OBJECTS)
    try:
        group(prog_name="ordersheets")
    except Stopped as stopped:
        _leave(stopped)
    except OSError as error:  # of help that cannot be printed: no command was found yet
        _leave(write_refused(error, "writing", "it cannot be written", MEND))
    finally:
        gc.freeze()  # the process ends: nobody looks for dead circles any more
