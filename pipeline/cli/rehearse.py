"""``ordersheets demo``, ``rehearse``, ``testdeck`` and ``calibrate``: simulate events; test and fit the reading."""

import shutil
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import mkdtemp
from time import monotonic

import click
from msgspec import to_builtins

from pipeline.cli.common import open_for_command, print_json, with_json_option
from pipeline.cli.page_bar import PageBar
from pipeline.desk.hands.calibrating import Calibration, calibrate, known_to_the_letter, write_to
from pipeline.desk.hands.reader import best_recogniser, net_for
from pipeline.desk.intake.ingest import PageIn
from pipeline.desk.testdeck import check_deck, write_deck
from pipeline.ink import page_of_file
from pipeline.ledger.files import keep_file
from pipeline.paper.deck_layout import PAPERS
from pipeline.paper.sheet_rows import Design
from pipeline.problems import ExitCode, stop
from pipeline.reading.gate import Gates
from pipeline.rehearsal.rehearse import ROUND, Plan, rehearse, run_demo
from pipeline.rehearsal.simulation import Listener

# ``ordersheets demo``: the main job on the sample event.

SHOWN = ("reader", "pages", "rows_written", "read_alone", "typed", "asked", "wrong_unasked")
WIDTH = 22  # columns for what is counted
NAME = "ordersheets"
DEMO_FAULTS = ("wrong_unasked", "differs_after_ruling", "ends_wrong")


@click.command("demo")
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("out"), show_default=True, help="The folder for all files."
)
def demo_command(out: Path) -> None:
    """Run the sample event from printed sheets to standings; exit code 1 if anything differs from what was written."""
    began = monotonic()
    with ProgressListener() as listener:
        summary = run_demo(out, best_recogniser(), listener)
    click.echo("The sample event")
    for name in SHOWN:
        click.echo(f"{name.replace('_', ' '):<{WIDTH}} {_summary_value(summary[name])}")
    click.echo(f"{'seconds':<{WIDTH}} {monotonic() - began:.0f}")
    click.echo(f"{out}: standings.xlsx, flagged-row.png, summary.json, sheets, scans and the event")
    click.echo(f"look at it in the browser, 'Round {ROUND}' shows it finished: {_this_program()} desk {out / 'event'}")
    raise SystemExit(ExitCode.WITH_FAULTS if any(summary[name] for name in DEMO_FAULTS) else ExitCode.DONE)


def _summary_value(value: object) -> str:
    """Write a value of the summary; counts by name on one line.

    >>> _summary_value({"unread": 5, "sheet": 1}), _summary_value({}), _summary_value(0)
    ('5 unread, 1 sheet', 'nothing', '0')
    """
    if not isinstance(value, dict):
        return str(value)
    return ", ".join(f"{count} {name}" for name, count in value.items()) or "nothing"


def _this_program() -> str:
    """The command that calls this program: its name if it is on the PATH, else its path."""
    called = Path(sys.argv[0])
    return str(called) if called.stem == NAME and shutil.which(NAME) is None else NAME


class ProgressListener(PageBar, Listener):
    """Shows the steps of a simulated event on the terminal; standard output stays free for the result."""

    def step(self, text: str) -> None:
        self.echo(click.style(text, bold=True), self.terminal)

    def say(self, text: str) -> None:
        self.echo(f"  {text}", self.terminal)

    def page(self, page: PageIn) -> None:
        """Advance the progress bar; print a line only for a page that was not filed."""
        self.advance()
        if page.tray != "filed":
            self.say(f"{page.tray}: {page_of_file(page.name, page.page)}: {page.text}")

    def pages_to_come(self, count: int) -> None:
        """Begin a bar for the pages of the next scan."""
        self.begin(count)


FAULTS = ("wrong_unasked", "differs_after_ruling", "season_slips_unasked", "ends_wrong")


@click.command("rehearse")
@click.option("--tournament", default="weaselmoot", show_default=True)
@click.option("--boards", type=click.IntRange(1, 30), default=2, show_default=True)
@click.option("--seasons", type=click.IntRange(1, 30), default=4, show_default=True, help="Movement phases.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option(
    "--design",
    type=click.Choice([str(design) for design in Design]),
    help="How the rows are made.  [default: as 'sheets' prints them]",
)
@click.option("--pads", is_flag=True, help="On pads, one print-out for the round; some are ticked wrongly.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="The folder for all files.  [default: a new temporary folder]"
)
@with_json_option
def rehearse_command(
    tournament: str,
    boards: int,
    seasons: int,
    seed: int,
    design: str | None,
    pads: bool,
    out: Path | None,
    wants_json: bool,
) -> None:
    """Rehearse an event: invent it, print, write, scan, read, rule, judge, score, and compare with what was written.

    A player is replaced meanwhile, and further games end in every way that the tournament knows. Exit code 1 if any
    order or end differs, or if a pad with the wrong season was accepted without a question.
    """
    folder = out or Path(mkdtemp(prefix="rehearsal-"))
    chosen = Design(design) if design else None
    plan = Plan(tournament=tournament, boards=boards, seasons=seasons, seed=seed, design=chosen, on_pads=pads)
    with ProgressListener() as listener:
        report = rehearse(plan, folder, best_recogniser(), listener)
    if wants_json:
        print_json(report)
    else:
        for name, value in report.items():
            if name != "differences":
                click.echo(f"{name.replace('_', ' '):<{WIDTH}} {value}")
        for difference in report["differences"]:
            click.echo(f"  {difference}")
        click.echo(f"all of it is in {folder}")
    raise SystemExit(ExitCode.WITH_FAULTS if any(report[name] for name in FAULTS) else ExitCode.DONE)


# ``ordersheets testdeck``: two pages that test printer and scanner the day before.


@click.command("testdeck")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The PDF to write.")
@click.option("--paper", type=click.Choice(PAPERS, case_sensitive=False), default="a4", show_default=True)
@click.option("--check", "is_check", is_flag=True, help="Check the scanned deck in FILE…")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@with_json_option
def testdeck_command(
    output: Path | None, paper: str, is_check: bool, files: tuple[Path, ...], wants_json: bool
) -> None:
    """Print a test deck (-o deck.pdf), or check printer and scanner by scans of it (--check FILE…).

    It needs no event. With --check the exit code is 1 if something should be mended.
    """
    if is_check == (output is not None) or is_check != bool(files):
        raise stop("give -o FILE.pdf to print the deck, or --check with its scans", "testdeck")
    if output is not None:
        keep_file(output, write_deck(paper.lower()))
        click.echo(f"{output}: print it at 100 %, fill in page 2, scan it, then: ordersheets testdeck --check SCAN…")
        return
    if missing := [file for file in files if not file.is_file()]:
        raise stop("no such file; check the name", ", ".join(map(str, missing)))
    checked = list(check_deck(files, best_recogniser()))
    if wants_json:
        print_json([to_builtins(page) | {"is_well": page.is_well} for page in checked])
    else:
        for page in checked:
            click.echo(f"{page.name} page {page.page}")
            for finding in page.findings:
                click.echo(f"  {'ok  ' if finding.is_well else 'MEND'}  {finding.what:<12} {finding.text}")
    raise SystemExit(ExitCode.DONE if all(page.is_well for page in checked) else ExitCode.WITH_FAULTS)


# ``ordersheets calibrate``: fit the thresholds on the rows that a director has confirmed.


@click.command("calibrate")
@click.argument("events", metavar="EVENT...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--write", "writes", is_flag=True, help="Put the thresholds into the last EVENT, which is read with them."
)
@with_json_option
def calibrate_command(events: tuple[Path, ...], writes: bool, wants_json: bool) -> None:
    """Show which reading thresholds the confirmed rows of some EVENTs suggest. Nothing changes without --write."""
    with ExitStack() as stack:
        opened_events = [stack.enter_context(open_for_command(event)) for event in events]
        last = opened_events[-1]
        click.echo("weighing the confirmed rows; a thousand take about 20 seconds", err=True)
        calibration = calibrate(opened_events, net_for(last))
        written = write_to(last, calibration.after) if writes and calibration.moves else None
    if wants_json:
        print_json(_calibration_as_object(calibration) | {"written": str(written) if written else None})
        return
    for line in calibration.lines():
        click.echo(line)
    if written:
        click.echo(f"written to {written}, and named in {written.parent / 'event.toml'}")
    elif writes:
        click.echo("nothing is written")


def _calibration_as_object(calibration: Calibration) -> dict[str, object]:
    known = known_to_the_letter(calibration.rows)
    return {
        "reader": calibration.reader,
        "rows": len(known),
        "read_wrongly": sum(not row.is_right for row in known),
        "now": _as_numbers(calibration.before),
        "would_be": _as_numbers(calibration.after),
        "moves": calibration.moves,
        "why": calibration.why,
        "text": list(calibration.lines()),
    }


def _as_numbers(gates: Gates) -> dict[str, float]:
    """The thresholds in use; with several readers also those at which the first, or the first two, are enough."""
    numbers = {"marked": gates.last.marked, "accepted": gates.last.accepted}
    if not gates.is_alone:
        numbers["enough"] = gates.enough
        if gates.three is not None:
            numbers["enough_of_two"] = gates.both.marked
    return numbers
