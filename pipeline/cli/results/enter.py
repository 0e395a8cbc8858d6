"""``ordersheets enter``: what no sheet says: penalties, scores by ruling, newcomers, lots, results of other games."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from pipeline.cli.common import as_json, on_event, opened, print_json, signed
from pipeline.desk.draw.void_sheets import paper_of
from pipeline.desk.event.note_values import YES, AskedValue, NoteField
from pipeline.desk.results.note_kinds import KINDS, NoteKind
from pipeline.desk.results.notes import enter, notes, take_back
from pipeline.desk.ruling.said_again import in_words

MANY = (AskedValue.PLAYERS, AskedValue.POWERS, AskedValue.ROUNDS)  # as many words as there are
MEANT = "; where it happened again, say so in --why"
LINES = {"years": "--year", "players": "--player"}  # one option a line


@click.group("enter")
@on_event
@click.pass_context
def command(context: click.Context, event: Path) -> None:
    """Enter what no sheet says, with who, when and why; list it; take it back."""
    context.obj = event


def parameter(field: NoteField) -> click.Parameter:
    """The argument or the option of a field: what is needed stands in its place, the rest is named."""
    if field.asked is AskedValue.LINES:
        help_ = f"{field.label}, {field.help}; once for each."
        return click.Option([LINES[field.name], field.name], multiple=True, required=field.needed, help=help_)
    if field.words == YES:
        return click.Option(
            [f"--{field.name}"], is_flag=True, help=f"{field.label}{f', {field.help}' * bool(field.help)}."
        )
    if field.needed:
        return click.Argument([field.name], nargs=-1 if field.asked in MANY else 1, required=True)
    return click.Option([f"--{field.name}"], default="", help=field.help or field.label)


def entering(kind: NoteKind) -> click.Command:
    """The command that enters one kind of note."""

    def run(by: str, why: str, wants_json: bool, **typed: Any) -> None:
        event = click.get_current_context().obj
        with opened(event) as the_event:
            newest = the_event.facts.last_number()
            fact = enter(the_event, kind.word, dict(as_typed(typed)), by=by, why=why)
            paper = tuple(paper_of(the_event, fact))
        if wants_json:
            is_new = fact.number > newest
            print_json({"number": fact.number, "kind": fact.said.KIND, "new": is_new, "paper": list(paper)})
            return
        click.echo(f"{kind.word}: {in_words((fact,), newest)}{MEANT if fact.number <= newest else ''}")
        for line in paper:
            click.echo(line)

    why_help = "Kept with the fact, and shown beside it." + (" Needed." if kind.needs_why else "")
    made = click.Command(
        kind.word,
        params=[parameter(field) for field in kind.fields],
        callback=run,
        help=f"{kind.title} ({kind.rules}). {' '.join(explained(field) for field in kind.fields if field.needed)}",
    )
    return signed(as_json(click.option("--why", default="", help=why_help)(made)))


def as_typed(typed: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The arguments and options, as the page has its fields."""
    for name, value in typed.items():
        if isinstance(value, bool):
            yield name, YES[0] if value else ""
        else:
            yield name, list(value) if isinstance(value, tuple) else value


def explained(field: NoteField) -> str:
    """Say what an argument is."""
    words = f": {', '.join(field.words)}" if field.words else f", {field.help}" if field.help else ""
    return f"{field.name.upper()}: {field.label}{words}." if field.asked is not AskedValue.LINES else ""


for each in KINDS.values():
    command.add_command(entering(each))


@command.command("list")
@as_json
@click.pass_obj
def listing(event: Path, wants_json: bool) -> None:
    """List what was entered and stands."""
    with opened(event) as the_event:
        found = notes(the_event)
    if wants_json:
        print_json([note.as_json() for note in found])
        return
    for note in found:
        why = f"  ({note.fact.said.why})" if note.fact.said.why else ""
        click.echo(f"{note.fact.number:>4}  {note.fact.at}  {note.fact.by}  {note.words}{why}")


@command.command("undo")
@click.argument("number", type=int)
@signed
@click.option("--why", default="", help="Kept with the fact.")
@click.pass_obj
def undo(event: Path, number: int, by: str, why: str) -> None:
    """Take fact NUMBER back; 'list' shows the numbers."""
    with opened(event) as the_event:
        newest = the_event.facts.last_number()
        fact = take_back(the_event, number, by=by, why=why)
    click.echo(f"fact {number} is taken back: {in_words((fact,), newest)}")
