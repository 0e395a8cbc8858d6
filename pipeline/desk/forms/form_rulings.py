"""The director's word on forms: what stands in a field, that a form is good as it is, or that it does not count."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from pipeline.desk.event.event import Event
from pipeline.desk.forms.printed_forms import PrintedForm, printed_forms
from pipeline.ledger.events import FieldRuled, FormAccepted, FormSetAside, LedgerEvent, OnForm
from pipeline.ledger.ledger import Fact
from pipeline.ledger.undone import standing
from pipeline.paper.layout.answers import Answer, ChoiceAnswer, NumberAnswer, SignatureAnswer
from pipeline.problems import Problem, Stopped, Weight, stop
from pipeline.rules.toml.plain_text import BLANKS, is_whole, unprintable
from pipeline.rules.toml.table import did_you_mean

SIGNED = "signed"
NOTHING = "nothing"  # as a value: the field is empty

Also = Iterable[LedgerEvent]  # what else is written down together with a decision


@dataclass(frozen=True, slots=True)
class FormRulings:
    """All that was decided about one form; the newest word counts."""

    values: dict[str, Fact[FieldRuled]] = field(default_factory=dict)  # by field
    accepted: Fact[FormAccepted] | None = None
    aside: Fact[FormSetAside] | None = None


def rulings_of_forms(event: Event) -> dict[str, FormRulings]:
    """Gather all decisions by form."""
    found: dict[str, FormRulings] = {}
    for fact in standing(event.facts, OnForm):
        before = found.get(fact.said.form, FormRulings())
        if ruled := fact.of(FieldRuled):
            found[fact.said.form] = FormRulings(before.values | {ruled.said.field: ruled}, before.accepted, None)
        elif accepted := fact.of(FormAccepted):
            found[fact.said.form] = FormRulings(before.values, accepted, None)
        else:
            found[fact.said.form] = FormRulings(before.values, before.accepted, fact.of(FormSetAside))
    return found


def find_form(event: Event, form: str) -> PrintedForm:
    """Find a form by its id; a serial alone may be on paper that another folder of this event printed."""
    known = printed_forms(event)
    if form in known:
        return known[form]
    raise stop(f"no such form was printed{did_you_mean(form, tuple(known))}", form)


def rule_field(
    event: Event, printed: PrintedForm, name: str, value: str, *, by: str, why: str = ""
) -> Fact[FieldRuled]:
    """Write down what stands in a field, or stop with what can stand there."""
    form = str(printed.request.id)
    answers = {answer.name: answer for answer in printed.page.answers}
    if name not in answers:
        raise stop(f"no such field{did_you_mean(name, tuple(answers))}", f"{form} {name}")
    written = "" if value == NOTHING else value.strip(BLANKS)
    if unseen := unprintable(written):
        raise stop(f"{value[:60]!r} holds {unseen}", f"{form} {name}")
    if fault := fault_of(answers[name], written):
        raise Stopped([Problem(Weight.STOPS, f"{fault}, or {NOTHING!r}; found {value!r}", f"{form} {name}")])
    if isinstance(answers[name], NumberAnswer) and written:
        written = str(int(written))
    return event.facts.write(FieldRuled(form=form, field=name, value=written, why=why), by)


def fault_of(answer: Answer, value: str) -> str:
    """Say what is wanted where a value cannot stand; nothing where it can."""
    match answer:
        case _ if not value:
            return ""
        case NumberAnswer():
            good = is_whole(value) and answer.least <= int(value) <= answer.most
            return "" if good else f"expected {answer.least} to {answer.most}"
        case ChoiceAnswer():
            return "" if value in answer.choices else f"expected one of {', '.join(answer.choices)}"
        case SignatureAnswer():
            return "" if value == SIGNED else f"expected {SIGNED!r}"
        case _:
            return ""


def set_form_aside(event: Event, printed: PrintedForm, also: Also, by: str, why: str) -> Fact[LedgerEvent]:
    """Write down that a form does not count; a later ruling on one of its fields takes that back."""
    said = FormSetAside(form=str(printed.request.id), why=why)
    return event.facts.write_all((said, *also), by)[0]


def accept_form(event: Event, printed: PrintedForm, also: Also, by: str, why: str) -> Fact[LedgerEvent]:
    """Write down that a form is good as it is, together with what follows from it."""
    said = FormAccepted(form=str(printed.request.id), why=why)
    return event.facts.write_all((said, *also), by)[0]
