"""``ordersheets restore``: an event goes on from one of its copies."""

from datetime import datetime
from pathlib import Path

import click

from pipeline.cli.common import as_json, on_event, opened, print_json, print_problems, signed
from pipeline.desk.backup.taking_over import NEWEST, TakenOver, chosen, not_offered, offered, places_of, take_over
from pipeline.ledger.clock import now
from pipeline.ledger.copies.copies import Copy
from pipeline.problems import ExitCode


@click.command("restore")
@on_event
@click.option("--from", "place", type=click.Path(path_type=Path), help="Where the copies lie, such as a stick.")
@click.option("--copy", "wanted", metavar="NAME", help=f"Restore this one; '{NEWEST}': the newest. Without: list them.")
@click.option("--replace", "replaces", is_flag=True, help="Also over the event that is there; it is kept beside.")
@signed
@as_json
def command(event: Path, place: Path | None, wanted: str | None, replaces: bool, by: str, wants_json: bool) -> None:
    """List the copies of EVENT, which may be gone; with --copy make the event of one in the folder EVENT.

    The scans come with it. What is in the folder is never written over without --replace, and is kept beside then.
    """
    if wanted is None:
        tell_copies(event, place, wants_json)
        return
    found = take_over(chosen(event, place, wanted), event, by, now, replaces=replaces)
    print_problems(found.problems)
    with opened(event, makes_files=True):  # it is an event like any other, and has a copy
        pass
    if wants_json:
        print_json(as_answer(found))
        return
    tell(found, event)


def tell_copies(event: Path, place: Path | None, wants_json: bool) -> None:
    """List the copies; exit code 1 where there is none."""
    copies = offered(event, place)
    print_problems(not_offered(event, place))
    if wants_json:
        print_json([copy_json(copy) for copy in copies])
    for copy in () if wants_json else copies:
        at = datetime.fromisoformat(copy.at).astimezone().strftime("%Y-%m-%d %H:%M")
        click.echo(f"{copy.folder.name}  {at}  {copy.tip.facts} facts  {copy.name}  ({copy.place})")
    if not copies:
        click.echo(f"no copy is in {' or '.join(map(str, places_of(event, place)))}", err=True)
        raise SystemExit(ExitCode.WITH_FAULTS)
    if not wants_json:
        click.echo(
            f"ordersheets restore {event} --copy NAME makes the event of one of them, --copy {NEWEST} of the newest"
        )


def copy_json(copy: Copy) -> dict[str, object]:
    """One copy, for scripts."""
    return {
        "copy": copy.folder.name,
        "event": copy.name,
        "code": copy.code,
        "at": copy.at,
        "facts": copy.tip.facts,
        "place": str(copy.place),
    }


def as_answer(found: TakenOver) -> dict[str, object]:
    """What was done, for scripts."""
    return copy_json(found.copy) | {
        "kept": str(found.done.kept) if found.done.kept else None,
        "unknown_scans": list(found.done.unknown),
        "first_serial": found.first_serial,
        "is_new": found.done.is_new,
    }


def tell(found: TakenOver, event: Path) -> None:
    """Say what was done, and what the copy does not know."""
    copy, done = found.copy, found.done
    click.echo(
        f"{event}: {copy.name}, {copy.tip.facts} facts as of {copy.at}" if done.is_new else f"{event}: is restored"
    )
    if done.kept:
        click.echo(f"what was there is kept in {done.kept}")
    if done.unknown:
        click.echo(
            f"{len(done.unknown)} scans in {event}/scans came later; to take them in: ordersheets scan {event} …"
        )
        for name in done.unknown:
            click.echo(f"  {event}/scans/{name}")
    last = found.first_serial - 1
    click.echo(
        f"sheets are numbered from {found.first_serial} on; one up to {last} that the other machine printed after this "
        "copy is not known here: it comes in as unidentified and counts for nobody until its lines are typed"
    )
    click.echo("from now on use this event only: what another machine still writes does not come here")
