"""``ordersheets status``: who is in, what is missing, what waits for the director."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from pipeline.cli.common import as_json, on_event, opened, print_json
from pipeline.desk.review.status import status
from pipeline.desk.sheets.sheet_states import SheetState


@click.command("status")
@on_event
@as_json
def command(event: Path, wants_json: bool) -> None:
    """Say who is in, what is missing, and what waits for the director."""
    with opened(event) as the_event:
        found = status(the_event)
    if wants_json:
        print_json(found)
        return
    click.echo(f"{found['event']}  ({found['tournament']}, {found['players']} players), read by {found['reader']}")
    for board in found["boards"]:
        variant = "" if board["map"] == "standard" else f"  {board['map']}"
        click.echo(f"board {board['board']}  {board['phase']}  {state_of(board)}{variant}")
        for power, state in board["powers"].items():
            waits = f"{state['open']} rows wait" if state["open"] else ""
            click.echo(f"  {power:<8} {state['sheet']:<11} {state['rows']:>2} rows  {waits}")
            for problem in state["problems"]:
                click.echo(f"           {problem}")
    for form in found["forms"]:
        click.echo(f"form {form['form']}  {form['kind']}  {form['about']}  {form['state']}")
        for doubt in form["doubts"]:
            click.echo(f"           {doubt['field']}: {doubt['text']}  ({doubt['picture']})".replace(" : ", " "))
    for line in backup_lines(found["backup"]):
        click.echo(line)
    for problem in found["problems"]:
        click.echo(f"{problem['where']}: {problem['text']}", err=True)


def state_of(board: dict[str, Any]) -> str:
    """What a board is doing, in a few words."""
    if board["to_end"]:
        return f"to be ended: {board['to_end']['text']}"
    return str(board["ended"] or ("ready to adjudicate" if board["ready"] else came(board)))


def came(board: dict[str, Any]) -> str:
    """How many sheets of a board are in, and how many rows wait for the director."""
    powers = board["powers"].values()
    rows = sum(power["open"] for power in powers)
    sheets = sum(power["sheet"] != SheetState.MISSING for power in powers)
    return f"{sheets} of {len(powers)} in" + (f", {rows} rows wait" if rows else "")


def backup_lines(backup: dict[str, Any]) -> Iterator[str]:
    """How old the newest copies are."""
    yield f"backup  {in_words(backup)}  ({backup['place']})"
    if (second := backup["second"]) is not None:
        trouble = f"none: {second['trouble']}" if second["trouble"] else in_words(second)
        same = "; it is on the same disk as the event, and would be lost with it" if second["same_disk"] else ""
        yield f"second  {trouble}{same}  ({second['place']})"


def in_words(backup: dict[str, Any]) -> str:
    """When a copy was made, and what is not in it."""
    if backup["at"] is None:
        return "none yet"
    at = datetime.fromisoformat(backup["at"]).astimezone().strftime("%a %H:%M")
    age = "the clock was set back since" if backup["minutes"] is None else f"{backup['minutes']} minutes ago"
    since = backup["facts_since"]
    return f"{at}, {age}, {'everything is in it' if not since else f'{since} facts are not in it'}"
