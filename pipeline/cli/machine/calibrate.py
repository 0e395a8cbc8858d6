"""``ordersheets calibrate``: fit the thresholds on the rows that a director has confirmed."""

from contextlib import ExitStack
from pathlib import Path

import click

from pipeline.cli.common import as_json, opened, print_json
from pipeline.desk.hands.calibrating import Calibration, calibrate, known_to_the_letter, write_to
from pipeline.desk.hands.reader import net_for
from pipeline.reading.thresholds.gate import Gates


@click.command("calibrate")
@click.argument("events", metavar="EVENT...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--write", "writes", is_flag=True, help="Put the thresholds into the last EVENT, which is read with them."
)
@as_json
def command(events: tuple[Path, ...], writes: bool, wants_json: bool) -> None:
    """Say what the confirmed rows of some EVENTs make of the reader's thresholds. Nothing changes without --write."""
    with ExitStack() as stack:
        opened_events = [stack.enter_context(opened(event)) for event in events]
        last = opened_events[-1]
        click.echo("weighing the confirmed rows; a thousand take about 20 seconds", err=True)
        found = calibrate(opened_events, net_for(last))
        written = write_to(last, found.after) if writes and found.moves else None
    if wants_json:
        print_json(as_object(found) | {"written": str(written) if written else None})
        return
    for line in found.lines():
        click.echo(line)
    if written:
        click.echo(f"written to {written}, and named in {written.parent / 'event.toml'}")
    elif writes:
        click.echo("nothing is written")


def as_object(found: Calibration) -> dict[str, object]:
    """What was found, for scripts."""
    known = known_to_the_letter(found.rows)
    return {
        "reader": found.reader,
        "rows": len(known),
        "read_wrongly": sum(not row.is_right for row in known),
        "now": as_numbers(found.before),
        "would_be": as_numbers(found.after),
        "moves": found.moves,
        "why": found.why,
        "text": list(found.lines()),
    }


def as_numbers(gates: Gates) -> dict[str, float]:
    """The thresholds that decide here; with more readers also what is enough for the first alone, and for two."""
    found = {"marked": gates.last.marked, "accepted": gates.last.accepted}
    if not gates.is_alone:
        found["enough"] = gates.enough
        if gates.three is not None:
            found["enough_of_two"] = gates.both.marked
    return found
