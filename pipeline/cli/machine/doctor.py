"""``ordersheets doctor``: what is installed, what is missing, how to get it."""

from dataclasses import asdict
from pathlib import Path

import click

from pipeline.cli.common import as_json, print_json
from pipeline.desk.machine.doctor import examine
from pipeline.problems import ExitCode


@click.command("doctor")
@click.argument("event", metavar="[EVENT]", required=False, type=click.Path(path_type=Path))
@as_json
def command(event: Path | None, wants_json: bool) -> None:
    """Say what is installed, what is missing, how to get it, and who reads. Exit code 4 if something is missing."""
    findings = examine(event or Path.cwd())
    if wants_json:
        print_json([asdict(finding) for finding in findings])
    else:
        for finding in findings:
            click.echo(f"{'ok      ' if finding.is_well else 'MISSING '} {finding.what:<18} {finding.text}")
    raise SystemExit(ExitCode.DONE if all(finding.is_well for finding in findings) else ExitCode.MACHINE_LACKS)
