"""``ordersheets form``: look at one form that is in, say what stands in its fields, accept it or set it aside."""

from pathlib import Path
from typing import Any

import click

from pipeline.cli.common import as_json, on_event, opened, print_json, signed
from pipeline.desk.event.event import Event
from pipeline.desk.forms.form_rulings import find_form, rule_field
from pipeline.desk.review.form_status import accept, form_shown, set_aside
from pipeline.ledger.events import LedgerEvent
from pipeline.ledger.ledger import Fact
from pipeline.problems import stop


@click.command("form")
@on_event
@click.argument("form")
@click.option("--field", help="The field that is ruled on.")
@click.option("--is", "value", help="What stands in it; 'nothing', 'signed', or the word beside the box.")
@click.option("--accept", "accepts", is_flag=True, help="The form is good: its result, or its team, is entered.")
@click.option("--aside", is_flag=True, help="The form does not count.")
@signed
@click.option("--why", default="", help="Kept with the fact.")
@as_json
def command(
    event: Path,
    form: str,
    field: str | None,
    value: str | None,
    accepts: bool,
    aside: bool,
    by: str,
    why: str,
    wants_json: bool,
) -> None:
    """Show FORM (its id, as it is printed on it) with every field and every doubt; or decide about it."""
    if (field is None) != (value is None) or sum((field is not None, accepts, aside)) > 1:
        raise stop("give --field with --is, or --accept, or --aside, or none of them to look at it", form)
    with opened(event, leaves_status=True) as the_event:
        printed = find_form(the_event, form)
        name = str(printed.request.id)
        fact: Fact[LedgerEvent] | None = None
        if field is not None and value is not None:
            fact = rule_field(the_event, printed, field, value, by=by, why=why)
        elif accepts:
            fact = accept(the_event, name, by=by, why=why)
        elif aside:
            fact = set_aside(the_event, printed, by=by, why=why)
        if fact is None:
            show(the_event, name, wants_json=wants_json)
            return
    click.echo(f"{name}: written down as fact {fact.number}")


def show(event: Event, name: str, *, wants_json: bool) -> None:
    """Print a form as it was read."""
    found: dict[str, Any] = form_shown(event, name)
    if wants_json:
        print_json(found)
        return
    click.echo(f"{found['form']}  {found['kind']}  {found['about']}  {found['state']}  ({found['picture']})")
    for field in found["fields"]:
        value = "?" if field["value"] is None else field["value"] or "-"
        offered = ", ".join(f"{r['text']} {r['confidence']:.3f}" for r in field["readings"])
        ruled = f"  ruled by {field['ruled_by']}" if field["ruled_by"] else ""
        click.echo(f"  {field['field']:<22} {value:<12} {offered}{ruled}")
    for doubt in found["doubts"]:
        click.echo(f"  asks  {doubt['field']}: {doubt['text']}  ({doubt['picture']})")
