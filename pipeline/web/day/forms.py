"""The forms that are in: what waits for the director about each, with its picture, and what he says to it."""

from typing import Any

from starlette.routing import Route

from pipeline.desk.event.games import games
from pipeline.desk.forms.form_rulings import NOTHING, SIGNED, rule_field
from pipeline.desk.forms.forms_in import FormIn, forms_in
from pipeline.desk.review.form_status import accept, form_json, set_aside
from pipeline.ledger.files.claims import Login
from pipeline.paper.form.form import FormKind
from pipeline.paper.layout.answers import ChoiceAnswer, SignatureAnswer
from pipeline.problems import stop
from pipeline.web.office.app import Pages
from pipeline.web.office.auth import Right
from pipeline.web.office.office import Office
from pipeline.web.review.view_parts import picture_url

ACCEPTED = (FormKind.BOARD, FormKind.TEAM)  # something follows from these only when the director has accepted them
LONGEST = 200  # characters of a value or a reason


def routes(pages: Pages) -> list[Route]:
    """The page and what it does."""
    return [
        pages.page("/forms", "forms.html", Right.PUBLISH),
        pages.get("/api/forms", show, Right.PUBLISH),
        pages.post("/api/forms/rule", rule, Right.PUBLISH),
        pages.post("/api/forms/accept", take, Right.PUBLISH),
        pages.post("/api/forms/aside", put_aside, Right.PUBLISH),
    ]


def show(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """Every form that is in, those that wait first; nobody sees one of a board that he plays on."""
    with office.inside():
        forms, boards = forms_in(office.event), games(office.event)
        seen = [form for form in forms.values() if not office.plays_on(login, form.printed.request.board)]
        found = [view(form, form_json(office.event, form, forms, boards)) for form in seen]
    return {"forms": sorted(found, key=lambda each: not each["doubts"])}


def view(form: FormIn, found: dict[str, Any]) -> dict[str, Any]:
    """One form, with what can be said to each of its doubts."""
    doubts = [
        {
            "field": doubt["field"],
            "text": doubt["text"],
            "picture": picture_url(doubt["picture"]),
            "words": words_for(form, doubt["field"]),
            "offered": [reading.text for reading in form.by_name[doubt["field"]].line.readings[:3]]
            if doubt["field"] in form.by_name
            else [],
        }
        for doubt in found["doubts"]
    ]
    needs_accepting = form.kind in ACCEPTED and form.rulings.accepted is None and form.counts
    return found | {"doubts": doubts, "picture": picture_url(form.picture), "may_accept": needs_accepting}


def words_for(form: FormIn, field: str) -> list[str]:
    """The words that can stand in a field; none where a number or a name is typed."""
    answered = form.by_name.get(field)
    match answered.answer if answered else None:
        case ChoiceAnswer(choices=choices):
            return [*choices, NOTHING]
        case SignatureAnswer():
            return [SIGNED, NOTHING]
        case _:
            return []


def form_named(office: Office, login: Login, body: dict[str, Any]) -> FormIn:
    """The form that a decision is about, if this desk may decide about it."""
    name = str(body.get("form", ""))
    found = forms_in(office.event).get(name)
    if found is None:
        raise stop("this form is not in; reload the page", name)
    if office.plays_on(login, found.printed.request.board):
        raise stop("you play on this board; another desk must do it", name)
    return found


def rule(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Say what stands in a field."""
    with office.inside():
        form = form_named(office, login, body)
        value, why = (str(body.get(key, ""))[:LONGEST] for key in ("value", "why"))
        rule_field(office.event, form.printed, str(body.get("field", "")), value, by=login.name, why=why)
    return {}


def take(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Accept a form, with what follows from it."""
    with office.inside():
        form = form_named(office, login, body)
        accept(office.event, form.id, by=login.name, why=str(body.get("why", ""))[:LONGEST])
    return {}


def put_aside(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """A form does not count."""
    with office.inside():
        form = form_named(office, login, body)
        set_aside(office.event, form.printed, by=login.name, why=str(body.get("why", ""))[:LONGEST])
    return {}
