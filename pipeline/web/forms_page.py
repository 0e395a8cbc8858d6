"""The forms that are in: what waits for the director about each, with its picture, and what he says to it."""

from collections.abc import Iterable
from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from pipeline.desk.event.games import games
from pipeline.desk.forms.form_printing import Wanted, is_used, numbered_player_list, print_wanted
from pipeline.desk.forms.forms_in import NOTHING, SIGNED, FormDoubt, FormIn, forms_in, rule_field
from pipeline.desk.review.orders_shown import accept, form_doubts, form_json, may_accept, set_aside
from pipeline.ledger.claims import Login
from pipeline.paper.form import FormKind
from pipeline.paper.sheet_layout import ChoiceAnswer, SignatureAnswer
from pipeline.problems import stop
from pipeline.rules.reading_rules import YesNo
from pipeline.web import versions
from pipeline.web.app import Pages
from pipeline.web.logins import Right
from pipeline.web.office import Office
from pipeline.web.sheet_pictures import picture_url
from pipeline.web.shown import Things
from pipeline.web.tables import why_of
from pipeline.words.names import name_order

LONGEST = 200  # characters of a value
MOST_COPIES = 50
PRINTED = {  # what can be printed, as the page calls it
    FormKind.BOARD: "board sheets: the centres of every year, signed",
    FormKind.VOTE: "vote slips",
    FormKind.RATINGS: "ballots: what players think of one another",
    FormKind.TEAM: "team entries",
    FormKind.GAME: "score sheets of a board game",
    FormKind.SAMPLE: "writing samples",
}


def form_routes(pages: Pages) -> list[Route]:
    return [
        *pages.written_page("/forms", "forms.html", Right.PUBLISH, _show_forms, _see_forms),
        pages.act("/api/forms/print", _print_forms, Right.PUBLISH, _see_what_is_on_forms),
        pages.act("/api/forms/rule", _rule, Right.PUBLISH, _see_form),
        pages.act("/api/forms/accept", _accept_form, Right.PUBLISH, _see_form),
        pages.act("/api/forms/aside", _put_aside, Right.PUBLISH, _see_form),
    ]


def _see_forms(office: Office, login: Login, data: dict[str, Any]) -> Things:
    """The forms that are shown, and what is printed on new ones: players and seats."""
    event, forms, boards = office.event, forms_in(office.event), games(office.event)
    seen = {**versions.of_players(event), **versions.of_forms_printed(event)}
    for game in office.live.games.values():
        seen |= versions.of_board(event, game)
    for form in forms.values():
        if not office.plays_on(login, form.printed.request.board):
            seen |= versions.of_form(form, form_json(event, form, forms, boards))
    return seen


def _see_form(office: Office, login: Login, body: dict[str, Any]) -> Things:
    form, forms = _form_named(office, login, body), forms_in(office.event)
    return versions.of_form(form, form_json(office.event, form, forms, games(office.event)))


def _see_what_is_on_forms(office: Office, login: Login, body: dict[str, Any]) -> Things:
    game = office.live.games.get(str(body.get("board", "")))
    seen = {**versions.of_players(office.event), **versions.of_forms_printed(office.event)}
    return seen | (versions.of_board(office.event, game) if game else {})


def _show_forms(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """Every form that is in, forms that wait first; a director does not see forms of a board that he plays on."""
    with office.inside():
        forms, boards = forms_in(office.event), games(office.event)
        seen = [form for form in forms.values() if not office.plays_on(login, form.printed.request.board)]
        views = [
            _form_view(
                form, form_json(office.event, form, forms, boards), form_doubts(office.event, form, forms, boards)
            )
            for form in seen
        ]
        names = sorted((player.name for player in office.event.players), key=name_order)
        numbers = [[item.name, item.label] for item in numbered_player_list(office.event)]
    kinds = [str(kind) for kind in PRINTED if is_used(office.event, kind)]
    return {
        "forms": sorted(views, key=lambda each: not each["doubts"]),
        "kinds": [{"kind": kind, "words": PRINTED[FormKind(kind)]} for kind in kinds],
        "kind": asked["kind"] if asked.get("kind") in kinds else kinds[0],
        "may_name_voters": office.event.tournament.ending.vote.secret.value is YesNo.ASK,
        "boards": list(boards),
        "players": names,
        "numbers": numbers,
    }


def _print_forms(office: Office, login: Login, body: dict[str, Any]) -> Response:
    """Print forms: what comes back is their PDF, and their serials are written down."""
    kind = str(body.get("kind", ""))
    if kind not in tuple(FormKind):
        raise stop(f"expected one of {', '.join(FormKind)}", "kind")
    copies, players = body.get("copies", 1), body.get("players", [])
    players = players.splitlines() if isinstance(players, str) else players  # as they were ticked
    if type(copies) is not int or not 1 <= copies <= MOST_COPIES:
        raise stop(f"expected a whole number from 1 to {MOST_COPIES}", "copies")
    if not isinstance(players, list) or not all(isinstance(name, str) for name in players):
        raise stop("expected a list of names", "players")
    wanted = Wanted(
        kind=FormKind(kind),
        board=str(body.get("board", "")),
        copies=copies,
        players=tuple(players) if kind == FormKind.SAMPLE else (),
        named=body.get("named") is True,
    )
    with office.inside():
        pdf = print_wanted(office.event, wanted).pdf
    return Response(pdf, media_type="application/pdf", headers={"Cache-Control": "no-store"})


def _form_view(form: FormIn, view: dict[str, Any], doubts_found: Iterable[FormDoubt]) -> dict[str, Any]:
    """One form, with the answers that each of its doubts allows."""
    doubts = []
    for doubt, each in zip(view["doubts"], doubts_found, strict=True):
        field, words = doubt["field"], _words_for(form, doubt["field"])
        offered = [reading.text for reading in form.by_name[field].line.readings[:3]] if field in form.by_name else []
        doubts.append(
            {
                "field": field,
                "text": doubt["text"],
                "picture": picture_url(doubt["picture"]),
                "may_stand": each.may_stand,
                "words": words,
                "offered": offered,
                "is_read": bool(offered) and not each.may_stand and not words,
            }
        )
    return view | {"doubts": doubts, "picture": picture_url(form.picture), "may_accept": may_accept(form)}


def _words_for(form: FormIn, field: str) -> list[str]:
    """The words that can stand in a field; none where a number or a name is typed."""
    answered = form.by_name.get(field)
    match answered.answer if answered else None:
        case ChoiceAnswer(choices=choices):
            return [*choices, NOTHING]
        case SignatureAnswer():
            return [SIGNED, NOTHING]
        case _:
            return []


def _form_named(office: Office, login: Login, body: dict[str, Any]) -> FormIn:
    """The form that a decision is about, if this login may decide about it."""
    name = str(body.get("form", ""))
    form = forms_in(office.event).get(name)
    if form is None:
        raise stop("this form is not in; reload the page", name)
    office.stop_players(login, [form.printed.request.board])
    return form


def _rule(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Say what stands in a field, or in several at once; returns what is still doubtful about these."""
    values = body.get("values", {str(body.get("field", "")): body.get("value", "")})
    if not isinstance(values, dict) or not all(isinstance(value, str) for value in values.values()):
        raise stop("expected a text for each field", "values")
    if too_long := [field for field, value in values.items() if len(value.strip()) > LONGEST]:
        raise stop(f"expected {LONGEST} characters at most", ", ".join(too_long))
    with office.inside():
        form, why = _form_named(office, login, body), why_of(body)
        with office.event.facts.transaction():
            for field, value in values.items():
                rule_field(office.event, form.printed, field, value.strip(), by=login.name, why=why)
        forms, boards = forms_in(office.event), games(office.event)
        doubts = form_json(office.event, forms[form.id], forms, boards)["doubts"]
    left = [doubt["text"] for doubt in doubts if doubt["field"] in values]
    still = f". It is still doubtful: {'; '.join(left)}" if left else ""
    return {"left": left, "said": f"written down{still}"}


def _accept_form(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    with office.inside():
        form = _form_named(office, login, body)
        why, is_stalemate = why_of(body), body.get("stalemate") is True
        accept(office.event, form.id, by=login.name, why=why, is_stalemate=is_stalemate)
    return {"said": "accepted"}


def _put_aside(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Put a form aside, so that it does not count."""
    with office.inside():
        form = _form_named(office, login, body)
        set_aside(office.event, form.printed, by=login.name, why=why_of(body))
    return {"said": "set aside"}
