"""``ordersheets testdeck``: two pages that tell the day before whether printer and scanner serve."""

from dataclasses import asdict
from pathlib import Path

import click

from pipeline.cli.common import as_json, print_json
from pipeline.desk.hands.reader import best_recogniser
from pipeline.desk.machine.testdeck import check_deck, write_deck
from pipeline.ledger.files.disk import keep_file
from pipeline.paper.layout.deck_layout import PAPERS
from pipeline.problems import ExitCode, stop


@click.command("testdeck")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The PDF to write.")
@click.option("--paper", type=click.Choice(PAPERS, case_sensitive=False), default="a4", show_default=True)
@click.option("--check", "is_check", is_flag=True, help="Read the scans FILE… of the deck back.")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@as_json
def command(output: Path | None, paper: str, is_check: bool, files: tuple[Path, ...], wants_json: bool) -> None:
    """Print a test deck (-o deck.pdf), or say what scans of it tell about printer and scanner (--check FILE…).

    It needs no event. With --check the exit code is 1 where something should be mended.
    """
    if is_check == (output is not None) or is_check != bool(files):
        raise stop("give -o FILE.pdf to print the deck, or --check with its scans", "testdeck")
    if output is not None:
        write(output, paper)
        return
    if missing := [file for file in files if not file.is_file()]:
        raise stop("no such file; check the name", ", ".join(map(str, missing)))
    checked = list(check_deck(files, best_recogniser()))
    if wants_json:
        print_json([asdict(page) | {"is_well": page.is_well} for page in checked])
    else:
        for page in checked:
            click.echo(f"{page.name} page {page.page}")
            for finding in page.findings:
                click.echo(f"  {'ok  ' if finding.is_well else 'MEND'}  {finding.what:<12} {finding.text}")
    raise SystemExit(ExitCode.DONE if all(page.is_well for page in checked) else ExitCode.WITH_FAULTS)


def write(output: Path, paper: str) -> None:
    """Write the deck."""
    keep_file(output, write_deck(paper.lower()))
    click.echo(f"{output}: print it at 100 %, fill in page 2, scan it, then: ordersheets testdeck --check SCAN…")
