"""All forms that are in, with what waits for the director, and his acceptance of one."""

from collections.abc import Iterator, Mapping
from typing import Any

from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, games
from pipeline.desk.forms import board_sheets, ratings, score_sheets, team_entries, vote_slips
from pipeline.desk.forms.form_rulings import accept_form, set_form_aside
from pipeline.desk.forms.forms_in import FormDoubt, FormIn, forms_in
from pipeline.desk.forms.printed_forms import PrintedForm
from pipeline.desk.hands import writing_samples
from pipeline.ledger.events import LedgerEvent, TeamEntered
from pipeline.ledger.ledger import Fact
from pipeline.paper.form.form import FormKind
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.words import sentence


def doubts_of(
    event: Event, form: FormIn, forms: Mapping[str, FormIn], boards: Mapping[str, Game]
) -> Iterator[FormDoubt]:
    """Everything about a form that waits for the director; nothing where it is set aside."""
    if not form.counts:
        return
    match form.kind:
        case FormKind.BOARD:
            yield from board_sheets.doubts(event, boards[form.printed.request.board], form)
        case FormKind.VOTE:
            yield from vote_slips.doubts(form)
        case FormKind.RATINGS:
            yield from ratings.doubts(form, ratings.ballots_in(forms))
        case FormKind.TEAM:
            yield from team_entries.doubts(event, form)
        case FormKind.GAME:
            yield from score_sheets.doubts(event, form)
        case FormKind.SAMPLE:
            return  # what teaches nothing is told, and asks nobody


def forms_status(event: Event) -> list[dict[str, Any]]:
    """The state of every form that is in."""
    forms, boards = forms_in(event), games(event)
    return [form_json(event, form, forms, boards) for form in forms.values()]


def form_json(event: Event, form: FormIn, forms: Mapping[str, FormIn], boards: Mapping[str, Game]) -> dict[str, Any]:
    """One form, as ``ordersheets status --json`` prints it."""
    found = list(doubts_of(event, form, forms, boards))
    return {
        "form": form.id,
        "kind": str(form.kind),
        "about": form.printed.request.about,
        "state": state_of(event, form, found, boards),
        "doubts": [{"field": doubt.field, "text": doubt.text, "picture": doubt.picture} for doubt in found],
    }


def form_shown(event: Event, form_id: str) -> dict[str, Any]:
    """One form with all its fields, as ``ordersheets form --json`` prints it."""
    forms = forms_in(event)
    if form_id not in forms:
        raise stop("this form was printed, and is not in; scan it", form_id)
    form = forms[form_id]
    fields = [
        {
            "field": answered.answer.name,
            "value": answered.value,
            "readings": [{"text": r.text, "confidence": round(r.confidence, 4)} for r in answered.line.readings],
            "notes": [sentence(note) for note in answered.line.notes],
            "ruled_by": answered.ruling.by if answered.ruling else "",
            "picture": answered.picture,
        }
        for answered in form.answers
    ]
    return form_json(event, form, forms, games(event)) | {"picture": form.picture, "fields": fields}


def state_of(event: Event, form: FormIn, found: list[FormDoubt], boards: Mapping[str, Game]) -> str:
    """What became of a form, in a few words."""
    if form.rulings.aside is not None:
        return "set aside"
    if found:
        return "waits for the director"
    match form.kind:
        case FormKind.BOARD:
            return board_sheets.agreement(boards[form.printed.request.board], form)
        case FormKind.TEAM:
            return "entered" if form.rulings.accepted else "complete; accept it to enter the team"
        case FormKind.SAMPLE:
            return writing_samples.told_about(form)
        case FormKind.GAME:
            signed = score_sheets.board_game(event, form).is_signed
            return "counts" if signed else "does not count: not everybody has signed (NZ99 27)"
        case _:
            return "counts"


def accept(event: Event, form_id: str, *, by: str, why: str = "") -> Fact[LedgerEvent]:
    """Take a form as good, with all that follows: a result, a team. What cannot be read must be ruled first."""
    forms, boards = forms_in(event), games(event)
    if form_id not in forms:
        raise stop("this form is not in", form_id)
    form = forms[form_id]
    if still_open := [doubt for doubt in doubts_of(event, form, forms, boards) if not doubt.may_stand]:
        raise Stopped(
            [Problem(Weight.ASKS, doubt.text, f"{form_id} {doubt.field}".strip()) for doubt in still_open],
            ExitCode.RULE_FIRST,
        )
    also: list[LedgerEvent] = []
    if form.kind is FormKind.BOARD:
        result = board_sheets.result_of(event, boards[form.printed.request.board], form, why)
        also += [result] if result else []
    elif form.kind is FormKind.TEAM:
        also.append(team_entries.entry_of(event, form))
    return accept_form(event, form.printed, also, by, why)


def set_aside(event: Event, printed: PrintedForm, *, by: str, why: str = "") -> Fact[LedgerEvent]:
    """A form does not count; the team or the result that it entered is taken back."""
    name = str(printed.request.id)
    gone: tuple[LedgerEvent, ...] = ()
    if printed.request.kind is FormKind.TEAM:
        gone = (TeamEntered(team="", members=(), form=name),)
    elif printed.request.kind is FormKind.BOARD:
        gone = board_sheets.withdrawal_of(games(event)[printed.request.board], name)
    return set_form_aside(event, printed, gone, by, why)
