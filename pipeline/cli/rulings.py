"""``ordersheets rule``, ``rulings``, ``orders``, ``form`` and ``page``: show what was read, and decide on it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from pipeline.board import Power
from pipeline.cli.common import (
    on_event,
    open_for_command,
    print_json,
    print_published_otherwise,
    with_by_option,
    with_json_option,
    with_phase_option,
)
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, at_phase, correct_command, find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.forms.forms_in import find_form, rule_field
from pipeline.desk.review.orders_shown import accept, board_orders, form_shown, set_aside
from pipeline.desk.review.sheet_changes import LinesChange, PaperChange, RowChange, SheetChange, write_change
from pipeline.desk.ruling.desk import Desk, late_effects, published_otherwise, rulings_book
from pipeline.desk.ruling.rows import Row
from pipeline.desk.ruling.rulings import written_in_words
from pipeline.ink import part_number
from pipeline.ledger.events import Decision, DecisionUndone, LedgerEvent
from pipeline.ledger.files import keep_file
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import SheetDecision
from pipeline.orders import write
from pipeline.problems import stop
from pipeline.rules.rulings_book import as_html, write_rulings_book
from pipeline.words.speech import write_count

KEEP = "correct it, or say --anyway if it is meant so"
NO_REASON_KEPT = "no reason is kept with"


@click.command("rule")
@on_event
@click.option("--board", required=True)
@click.option("--power", required=True, type=click.Choice([str(power) for power in Power], case_sensitive=False))
@click.option("--line", type=click.IntRange(0), help="The row's printed number; 0 for a unit without a row.")
@click.option("--order", help="The order: 'A VIE - BOH', several with ';' between, or 'nothing'.")
@click.option("--text", help="What is written; the tournament's rules decide what it means.")
@click.option("--sheet", type=click.Choice([str(d) for d in SheetDecision]), help="A decision on the whole sheet.")
@click.option("--serial", type=int, help="With --sheet chosen: the sheet that counts.")
@click.option("--type", "typed", multiple=True, help="A line typed instead of a sheet; once for each line.")
@click.option(
    "--anyway", is_flag=True, help="Write it down although the rules do not follow it: the player wrote it so."
)
@with_phase_option("A phase that is published already, to correct it.  [default: the one being played]")
@with_by_option
@click.option("--why", default="", help="Your reason, kept with the ruling; not with --type.")
def rule_command(
    event: Path,
    board: str,
    power: str,
    line: int | None,
    order: str | None,
    text: str | None,
    sheet: str | None,
    serial: int | None,
    typed: tuple[str, ...],
    anyway: bool,
    phase: str | None,
    by: str,
    why: str,
) -> None:
    """Rule on a row (--line with --order or --text), on a sheet (--sheet), or type a power's lines (--type).

    Text that the rules would not follow (impossible, ambiguous, no order at all) is refused with its effect, and
    written down only with --anyway.
    """
    if sum((line is not None, sheet is not None, bool(typed))) != 1:
        raise stop("give exactly one of --line, --sheet and --type", f"{board} {power}")
    if line is None and (order is not None or text is not None):
        raise stop(
            "--order and --text are for a row: give its --line, and neither --sheet nor --type", f"{board} {power}"
        )
    if typed and why:
        raise stop(f"{NO_REASON_KEPT} typed lines; leave --why out, or rule on a row", f"{board} {power}")
    if serial is not None and sheet != SheetDecision.CHOSEN:
        raise stop(
            f"--serial says which sheet is chosen; give it with --sheet '{SheetDecision.CHOSEN}'", f"{board} {power}"
        )
    with open_for_command(event) as the_event:
        game = find_game(the_event, board)
        then = at_phase(game, phase) if phase else game
        newest, late = the_event.facts.last_number(), late_effects(the_event)
        change = _change_asked(Power(power.upper()), line, order, text, sheet, serial, typed, anyway=anyway)
        facts = write_change(the_event, then, change, by=by, why=why, keep=KEEP)
        stand = list(_rows_in_words(the_event, then, change))
        otherwise = published_otherwise(the_event, late)
    turn = Turn(game.name, then.position.phase, change.power)
    click.echo(f"{turn}: {written_in_words(facts, newest)}")
    for each in stand:
        click.echo(f"  {each}")
    print_published_otherwise(event, otherwise)
    if then.position.phase != game.position.phase:
        again = correct_command(event, game.name, then.position.phase)
        click.echo(f"what was published stays until it is corrected: '{again}' shows what changes")


def _change_asked(
    power: Power, line: int | None, order: str | None, text: str | None, sheet: str | None, serial: int | None,
    typed: tuple[str, ...], *, anyway: bool,
) -> PaperChange:  # fmt: skip
    """What the options ask to be changed."""
    if line is not None:
        return RowChange(power=power, line=line, order=order, text=text, anyway=anyway)
    if sheet is not None:
        return SheetChange(power=power, decision=SheetDecision(sheet), serial=serial)
    return LinesChange(power=power, lines=typed, anyway=anyway)


def _rows_in_words(event: Event, game: Game, change: PaperChange) -> Iterator[str]:
    """What counts now: the orders of a row, or all rows of the sheet."""
    power = Desk.of(event).power(game, change.power)
    line = change.line if isinstance(change, RowChange) else None
    if line is None:
        yield f"sheet: {power.state}"
        yield from (problem.text for problem in power.problems)
    yield from (_row_in_words(row) for row in power.rows if line in (None, row.line))
    waiting = [row.line for row in power.rows if row.needs_director]
    if isinstance(change, SheetChange) and waiting:
        rest = "; missing orders: '--line 0 --order nothing' leaves them to the rule" if 0 in waiting else ""
        wait = "row still waits" if len(waiting) == 1 else "rows still wait"
        yield f"{len(waiting)} {wait}, for '{change.decision}' is about the sheet: rule on each with --line{rest}"


def _row_in_words(row: Row) -> str:
    """A row: its number, what is written, what that gives, and why where it waits or gives nothing."""
    order = write(row.order) if row.order else "no order"
    what = f"{row.ink!r} = {order}" if row.ink else order
    why = f"  {row.reason}" if row.needs_director or not row.order else ""
    return f"{row.line or '-':>3}  {'waits: ' if row.needs_director else ''}{what}{why}"


# ``ordersheets rulings``: what the director has ruled, to look up or to hang up.


@click.command("rulings")
@on_event
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write a page to hang up (HTML).")
def rulings_command(event: Path, output: Path | None) -> None:
    """Show the rulings book: every situation that was ruled on, with who and why."""
    with open_for_command(event) as the_event:
        book = rulings_book(the_event.facts.select(Decision, DecisionUndone), with_readings=False)
        title = f"{the_event.details.name}: the director's rulings"
    if output is None:
        click.echo(write_rulings_book(book, title))
        return
    keep_file(output, as_html(book, title).encode())
    click.echo(f"{output}: {write_count(len(book.rulings), 'ruling')}")


# ``ordersheets orders``: every row of a board, from its ink to its order.


@click.command("orders")
@on_event
@click.option("--board", required=True)
@with_phase_option("A phase that was played before.  [default: the phase the board is in]")
@with_json_option
def orders_command(event: Path, board: str, phase: str | None, wants_json: bool) -> None:
    """Show every row: what was read and how surely, its order, what is doubtful, and the ruling."""
    with open_for_command(event) as the_event:
        game = find_game(the_event, board)
        sheets = board_orders(the_event, at_phase(game, phase) if phase else game)
    if wants_json:
        print_json(sheets)
        return
    click.echo(f"board {sheets['board']}  {sheets['phase']}")
    for power, rows in sheets["powers"].items():
        click.echo(f"{power}  sheet: {rows['sheet']}")
        for problem in rows["problems"]:
            click.echo(f"  ! {problem}")
        for row in rows["rows"]:
            mark = "?" if row["needs_director"] else " "
            row_line = f"{row['ink']:<26} {row['order'] or '-':<26} {row['status']:<10} {row['rule']}"
            click.echo(f"  {mark} {row['line']:>2}  {row_line}")
            if row["needs_director"] or not row["line"]:  # without a row only the reason names the unit
                click.echo(f"        {row['reason']}")


# ``ordersheets form``: look at one form that is in, say what stands in its fields, accept it or set it aside.


@click.command("form")
@on_event
@click.argument("form")
@click.option("--field", help="The field to decide about.")
@click.option("--is", "value", help="Its value; or 'nothing', 'signed', or the word beside the ticked box.")
@click.option("--accept", "accepts", is_flag=True, help="The form is good: its result, or its team, is entered.")
@click.option(
    "--stalemate", is_flag=True, help="With --accept: the position is a stalemate, where the rules want that."
)
@click.option("--aside", is_flag=True, help="The form does not count.")
@with_by_option
@click.option("--why", default="", help="Your reason, kept with the decision.")
@with_json_option
def form_command(
    event: Path,
    form: str,
    field: str | None,
    value: str | None,
    accepts: bool,
    stalemate: bool,
    aside: bool,
    by: str,
    why: str,
    wants_json: bool,
) -> None:
    """Show FORM (its id, as it is printed on it) with every field and every doubt; or decide about it."""
    if (field is None) != (value is None) or sum((field is not None, accepts, aside)) > 1:
        raise stop("give --field with --is, or --accept, or --aside, or none of them to look at it", form)
    if stalemate and not accepts:
        raise stop("--stalemate goes with --accept", form)
    with open_for_command(event) as the_event:
        printed = find_form(the_event, form)
        name = str(printed.request.id)
        fact: Fact[LedgerEvent] | None = None
        if field is not None and value is not None:
            fact = rule_field(the_event, printed, field, value, by=by, why=why)
        elif accepts:
            fact = accept(the_event, name, by=by, why=why, is_stalemate=stalemate)
        elif aside:
            fact = set_aside(the_event, printed, by=by, why=why)
        if fact is None:
            _print_form_fields(the_event, name, wants_json=wants_json)
            return
    click.echo(f"{name}: number {fact.number} in the journal")


def _print_form_fields(event: Event, name: str, *, wants_json: bool) -> None:
    fields: dict[str, Any] = form_shown(event, name)
    if wants_json:
        print_json(fields)
        return
    click.echo(f"{fields['form']}  {fields['kind']}  {fields['about']}  {fields['state']}  ({fields['picture']})")
    for field in fields["fields"]:
        value = "?" if field["value"] is None else field["value"] or "-"
        offered = ", ".join(f"{r['text']} {r['confidence']:.3f}" for r in field["readings"])
        ruled = f"  ruled by {field['ruled_by']}" if field["ruled_by"] else ""
        click.echo(f"  {field['field']:<22} {value:<12} {offered}{ruled}")
    for doubt in fields["doubts"]:
        click.echo(f"  asks  {doubt['field']}: {doubt['text']}  ({doubt['picture']})")


# ``ordersheets page``: deal with a page that the reader could not file.


@click.command("page")
@on_event
@click.argument("scan")
@click.argument("page", type=click.IntRange(0))
@click.option("--part", default=0, help="One of several sheets on the page, as 'status' names it.")
@click.option("--is", "sheet", help="It is this sheet: the id printed on it.")
@click.option("--aside", is_flag=True, help="Put the page aside.")
@with_by_option
@click.option("--why", default="", help="Your reason, kept with --aside.")
def page_command(
    event: Path, scan: str, page: int, part: int, sheet: str | None, aside: bool, by: str, why: str
) -> None:
    """Say which sheet PAGE of SCAN (its code as 'status' shows it) is, or put it aside; 0 is a file as a whole."""
    if (sheet is None) == (not aside):
        raise stop("give either --is or --aside", f"{scan} page {page}")
    if sheet is not None and why:
        raise stop(f"{NO_REASON_KEPT} --is; leave --why out", f"{scan} page {page}")
    from pipeline.desk.hands.reader import best_recogniser  # noqa: PLC0415 - it loads OpenCV
    from pipeline.desk.intake.ingest import find_page, identify_page, set_page_aside  # noqa: PLC0415 - it loads the reader

    with open_for_command(event) as the_event:
        page_read = find_page(the_event, scan, part_number(page, part))
        if sheet is not None:
            fact = identify_page(the_event, page_read, sheet, best_recogniser(), by)
        else:
            fact = set_page_aside(the_event, page_read, by, why)
    click.echo(f"number {fact.number} in the journal")
