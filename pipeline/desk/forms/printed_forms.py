"""What forms were printed: like a sheet, a form is known by the fact of its printing."""

from dataclasses import dataclass
from functools import lru_cache

from pipeline.desk.event.event import Event
from pipeline.ledger.events import FormsPrinted
from pipeline.ledger.ledger import UpToNow
from pipeline.ledger.parts import FormPrinted
from pipeline.paper.form.form import FormRequest, FormTemplate, Item
from pipeline.paper.form.form_layout import place_form
from pipeline.paper.form.load_form import read_form
from pipeline.paper.layout.sheet_layout import PageLayout
from pipeline.paper.sheet.sheet_id import SheetId

NOBODY = "NOBODY"  # the centres that no power owns, on a board sheet
ROSTER = "roster"  # the list of players with their numbers, as it was when the form was printed
WRITER = "writer"  # of a writing sample: the one player whose hand it is, as he was called when it was printed


@dataclass(frozen=True, slots=True)
class PrintedForm:
    """One form that exists on paper, with the template it was printed from."""

    request: FormRequest
    page: PageLayout
    fact: int  # of the printing: forms of one printing belong together
    template: FormTemplate


def as_printed(request: FormRequest) -> FormPrinted:
    """Write a request down."""
    return FormPrinted(
        serial=request.id.serial,
        kind=request.kind,
        title=request.title,
        about=request.about,
        board=request.board,
        power=request.power,
        phase=request.phase,
        lists={name: tuple((item.name, item.label) for item in items) for name, items in request.lists.items()},
    )


def as_requested(form: SheetId, printed: FormPrinted) -> FormRequest:
    """Read a request back."""
    return FormRequest(
        id=form,
        kind=printed.kind,
        title=printed.title,
        about=printed.about,
        board=printed.board,
        power=printed.power,
        phase=printed.phase,
        lists={name: tuple(Item(*item) for item in items) for name, items in printed.lists.items()},
    )


@lru_cache(maxsize=32)
def template_of(text: str) -> FormTemplate:
    """The template that forms were printed from; the same few are asked for all the time."""
    return read_form(text, "printed form")


FORMS: UpToNow[dict[str, PrintedForm]] = UpToNow(FormsPrinted)


def printed_forms(event: Event) -> dict[str, PrintedForm]:
    """Every form ever printed for this event, by its id; each is cut out by the template it was printed with."""
    return dict(FORMS.of(event.facts, lambda: forms_anew(event)))


def forms_anew(event: Event) -> dict[str, PrintedForm]:
    """The same, from the facts."""
    found = {}
    for fact in event.facts.told(FormsPrinted):
        template = template_of(fact.said.template)
        for form in fact.said.forms:
            request = as_requested(SheetId(event.details.code, form.serial, fact.said.token), form)
            found[str(request.id)] = PrintedForm(request, place_form(request, template), fact.number, template)
    return found
