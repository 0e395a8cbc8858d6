"""Writing samples: what a player copied once, his letters and ten places, teaches his hand from the first row on.

A line teaches where the readers take it for what was printed beside it, or where a person said what it is. A line that
is empty, struck out or something else teaches nothing, and is told.
"""

from collections.abc import Iterator

from pipeline.desk.event.event import Event
from pipeline.desk.forms.forms_in import Answered, FormIn, forms_in
from pipeline.desk.forms.printed_forms import WRITER, PrintedForm, printed_forms
from pipeline.desk.hands.known_rows import KnownBy, KnownRow
from pipeline.ledger.events import PageRead
from pipeline.ledger.undone import standing
from pipeline.paper.form.form import FormKind
from pipeline.words import sentences


def writer_of(event: Event, printed: PrintedForm) -> str:
    """Whose sample it is, by the name of today: his number stands in the form's own print."""
    (writer,) = printed.request.lists[WRITER]
    return event.people.name_of(int(writer.name))


def sample_rows(event: Event) -> dict[str, list[KnownRow]]:
    """The lines of all samples that teach, by player, in the order in which they became known."""
    read = {(fact.said.sha256, fact.said.page): fact.number for fact in standing(event.facts, PageRead)}
    found: dict[str, list[KnownRow]] = {}
    for form in forms_in(event).values():
        if form.kind is FormKind.SAMPLE and form.counts:
            scan = form.scans[-1]
            rows = rows_of(form, read[scan.scan_sha256, scan.page])
            found.setdefault(writer_of(event, form.printed), []).extend(rows)
    return {player: sorted(rows, key=lambda row: row.since) for player, rows in found.items()}


def awaits_samples(event: Event) -> bool:
    """Whether a sample was printed that has not come in."""
    printed = {name for name, form in printed_forms(event).items() if form.request.kind is FormKind.SAMPLE}
    return bool(printed) and not printed <= forms_in(event).keys()


def rows_of(form: FormIn, read: int) -> Iterator[KnownRow]:
    """The lines of one sample that teach; ``read`` is the number of the fact that says what was read."""
    scan = form.scans[-1]
    for answered in form.answers:
        told = told_by(answered, read)
        if told is not None:
            yield KnownRow(form.id, scan.scan_sha256, scan.page, answered.answer.number, *told)


def told_by(answered: Answered, read: int) -> tuple[str, KnownBy, int] | None:
    """What is known to be written on a line; None where it teaches nothing."""
    value = answered.value
    if not value:
        return None
    return (value, KnownBy.COPIED, read) if answered.ruling is None else (value, KnownBy.TYPED, answered.ruling.number)


def told_about(form: FormIn) -> str:
    """How many lines of a sample teach, and why the others do not."""
    silent = [answered for answered in form.answers if told_by(answered, 0) is None]
    taught = len(form.answers) - len(silent)
    reasons = [f"{answered.answer.name} {why_silent(answered)}" for answered in silent]
    return "; ".join([f"{taught} of {len(form.answers)} lines teach the hand", *reasons])


def why_silent(answered: Answered) -> str:
    """Why a line teaches nothing."""
    if answered.is_empty:
        return "is empty"
    if answered.line.notes:
        return f"is {sentences(answered.line.notes)}"
    return f"reads {answered.line.text}" if answered.line.text else "cannot be read"
