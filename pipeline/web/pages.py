"""The pages for notes, the journal, forms, scoring systems and phones.

The page for notes asks for the same fields as the command and writes the same facts.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import astuple
from starlette.responses import Response
from starlette.routing import Route

from pipeline.desk.event.games import Game, games
from pipeline.desk.event.settings import changes_rules
from pipeline.desk.forms.form_printing import Wanted, is_used, numbered_player_list, print_wanted
from pipeline.desk.forms.forms_in import NOTHING, SIGNED, FormDoubt, FormIn, forms_in, rule_field
from pipeline.desk.publish.explain import correct_address
from pipeline.desk.results.note_kinds import KINDS, Facts, NoteKind
from pipeline.desk.results.notes import facts_of, notes_in_force, take_note_back, write_down
from pipeline.desk.review.orders_shown import accept, form_doubts, form_json, may_accept, set_aside
from pipeline.desk.ruling.rulings import written_in_words
from pipeline.desk.void_sheets import sheets_after_seat_change
from pipeline.draw.same_names import name_key
from pipeline.journal.acts import undo_all
from pipeline.journal.happened import Happened
from pipeline.journal.lines import JournalLine, journal, phase_to_correct
from pipeline.ledger.claims import Login
from pipeline.ledger.events import DecisionUndone, LedgerEvent, OnTurn, Seated, SeatsChanged, SettingsChanged
from pipeline.paper.form import FormKind
from pipeline.paper.sheet_layout import ChoiceAnswer, SignatureAnswer
from pipeline.problems import stop
from pipeline.rules.load import load_systems
from pipeline.rules.systems import SystemFile, picture_file
from pipeline.rules.table import is_whole, unprintable
from pipeline.scoring.rules import ScoringRules, TwoBoards
from pipeline.scoring.system import looks_at_draw
from pipeline.scoring.tally import WITHDRAWAL
from pipeline.scoring.tiebreaks import Distance
from pipeline.web import versions
from pipeline.web.app import Pages, text_of
from pipeline.web.logins import Logins, NetworkSwitch, Right, Role, new_guest
from pipeline.web.network import network_addresses
from pipeline.web.office import Office
from pipeline.web.on_pages import say_on_page
from pipeline.web.sheet_pictures import picture_url
from pipeline.web.shown import ABSENT, Things, Version
from pipeline.web.tables import why_of
from pipeline.words.names import name_order


def note_routes(pages: Pages) -> list[Route]:
    return [
        pages.page("/notes", "notes.html", Right.PUBLISH),
        pages.get("/api/notes", _show_notes, Right.PUBLISH, shows=_see_notes),
        pages.act("/api/notes/enter", _enter, Right.PUBLISH, _see_notes_like),
        pages.act("/api/notes/undo", _undo_note, Right.PUBLISH, _see_note),
    ]


def _see_notes(office: Office, login: Login, _: dict[str, Any]) -> Things:
    """The notes in force, and the boards about which one may be entered."""
    seen = dict(versions.of_notes(office.event))
    for game in office.live.games.values():
        seen |= versions.of_board(office.event, game)
    return seen


def _see_notes_like(office: Office, login: Login, body: dict[str, Any]) -> Things:
    """The notes of one kind, and the boards that a new one is about."""
    facts = _note_facts(office, login, body)
    for said in facts:
        _check_note(office, login, said)
    seen = versions.of_notes(office.event)
    together = {name: seen.get(name, ABSENT) for name in map(versions.name_notes, facts)}
    for board in {board for said in facts for board in _boards_of_note(said)}:
        if (game := office.live.games.get(board or "")) is not None:
            together |= versions.of_board(office.event, game)
    return together


def _see_note(office: Office, login: Login, body: dict[str, Any]) -> Things:
    for note in notes_in_force(office.event):
        if note.fact.number == body.get("number"):
            _check_note(office, login, note.fact.said)
    name = f"note {body.get('number')}"
    return {name: versions.of_notes(office.event).get(name, ABSENT)}


def _note_facts(office: Office, login: Login, body: dict[str, Any]) -> Facts:
    typed = body.get("values")
    if not isinstance(typed, dict) or not all(isinstance(value, str) for value in typed.values()):
        raise stop("expected a text for each field", "values")
    return facts_of(office.event, str(body.get("what", "")), typed, why_of(body), login.name)


def _show_notes(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """What can be entered, what was, and the names that may be meant."""
    with office.inside() as live:
        event = office.event
        unused = _unknown_kinds(event.tournament.scoring)
        tournament = event.tournament
        suggested = {
            "penalty": [
                *(penalty.kind for penalty in tournament.scoring.penalties),
                *tournament.conduct.sanctions.value,
            ],
            "bonus": [WITHDRAWAL] if tournament.scoring.bonuses.withdrawal else [],
        }
        return {
            "kinds": [
                _kind_view(kind, tournament.short, suggested.get(kind.word)) | {"here": kind.word not in unused}
                for kind in KINDS.values()
            ],
            "notes": [note.as_json() for note in notes_in_force(event)],
            "players": sorted((player.name for player in event.players), key=name_order),
            "boards": list(live.games),
            "powers": [str(power) for power in event.board.start],
            "rounds": tournament.rounds,
            "suggested": suggested,
        }


def _unknown_kinds(rules: ScoringRules) -> frozenset[str]:
    """The kinds of notes that a tournament's rules know nothing of."""
    known = {
        "bonus": bool(rules.bonuses.preregistration or rules.bonuses.withdrawal),
        "preregistered": rules.bonuses.preregistration is not None,
        "late-start": rules.system.late_seasons is not None,
        "counts": rules.totals.two_boards in (TwoBoards.ASK, TwoBoards.CHOSEN),
        "country": rules.teams is not None and rules.teams.per_country is not None,
        "draw": any(map(looks_at_draw, rules.systems)),
        "distance": any(isinstance(each, Distance) for chain in astuple(rules.ties) for each in chain),
    }
    return frozenset(word for word, is_known in known.items() if not is_known)


def _kind_view(kind: NoteKind, cited: str, suggested: list[str] | None) -> dict[str, Any]:
    """One kind of note, as the page asks for it, with its rules (``cited``: such as EDC23) and the suggested words."""
    own_word = None if suggested is None else ", ".join([*suggested, f"{'or ' if suggested else ''}a word of your own"])
    return {
        "word": kind.word,
        "title": kind.title,
        "rules": "; ".join(cited_rule for cited_rule in kind.rules.split("; ") if cited_rule.startswith(f"{cited} ")),
        "needs_why": kind.needs_why,
        "fields": [
            {
                "name": field.name,
                "label": field.label,
                "asked": field.asked,
                "needed": field.needed,
                "help": own_word if own_word and field.name == "kind" else field.help,
                "words": list(field.words),
            }
            for field in kind.fields
        ],
    }


def _enter(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Write a note down; refused to a user who plays on its board."""
    with office.inside():
        facts = _note_facts(office, login, body)
        newest = office.event.facts.last_number()
        fact = write_down(office.event, facts, login.name)
        return {
            "number": fact.number,
            "said": written_in_words((fact,), newest),
            "paper": list(sheets_after_seat_change(office.event, fact)),
        }


def _check_note(office: Office, login: Login, said: LedgerEvent) -> None:
    """Stop somebody who notes something of a board on which he plays."""
    _check_boards(office, login, _boards_of_note(said))


def _boards_of_note(said: LedgerEvent) -> list[str | None]:
    return [board for board, _ in said.seats] if isinstance(said, SeatsChanged) else [getattr(said, "board", None)]


def _check_boards(office: Office, login: Login, boards: Iterable[str | None]) -> None:
    """Stop somebody who plays on one of some boards."""
    for board in boards:
        if office.plays_on(login, board):
            raise stop("you play on this board; somebody else must do it", str(board))


def _undo_note(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    number = body.get("number")
    if type(number) is not int:
        raise stop("expected the number of a note", "number")
    with office.inside():
        newest = office.event.facts.last_number()
        fact = take_note_back(office.event, number, by=login.name, why=why_of(body))
    return {"number": fact.number, "said": written_in_words((fact,), newest)}


# The journal in the browser: everything that changed the event, newest first, and taking it back.

MOST = 150  # lines that are shown at once


def journal_routes(pages: Pages) -> list[Route]:
    return [
        pages.page("/journal", "journal.html", Right.PUBLISH),
        pages.get("/api/journal", _show_journal, Right.PUBLISH, shows=_see_journal),
        pages.act("/api/journal/undo", _take_back_fact, Right.PUBLISH, see_lines),
    ]


def _see_journal(office: Office, login: Login, data: dict[str, Any]) -> Things:
    """The lines that are shown."""
    numbers = [line["number"] for line in data["lines"]]
    return versions.of_journal_lines(_lines_by_number(office, numbers)) if numbers else {}


def see_lines(office: Office, login: Login, body: dict[str, Any]) -> Things:
    """The lines that are to be taken back: not those of a board on which one plays, except a draw."""
    lines = _lines_by_number(office, numbers_in(body))
    for line in lines:
        if not isinstance(line.fact.said, Seated):
            _check_boards(office, login, line.boards)
    return versions.of_journal_lines(lines)


def _lines_by_number(office: Office, numbers: list[int]) -> list[JournalLine]:
    lines = journal(office.event, since=min(numbers) - 1, before=max(numbers) + 1)
    return [line for line in lines if line.fact.number in numbers]


def numbers_in(body: dict[str, Any]) -> list[int]:
    """The numbers of the journal that a request names."""
    numbers = body.get("numbers", [body.get("number")])
    if not isinstance(numbers, list) or not numbers or not all(type(number) is int for number in numbers):
        raise stop("expected the number of a line, or a list of them", "number")
    return numbers


def _show_journal(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """The newest lines, or those before a number; what others decided on a board is hidden from who plays there."""
    before, board, who = (str(asked.get(name, "")) for name in ("before", "board", "who"))
    with office.inside() as live:
        lines = journal(office.event, before=int(before) if is_whole(before) else None, board=board, by=who, most=MOST)
        shown = [line for line in reversed(lines) if not _is_hidden(office, login, line)]
        return {
            "number": live.number,
            "lines": [_line_view(line) | {"correct": _where_to_correct(live.games, line)} for line in shown],
            "oldest": lines[0].fact.number if len(lines) == MOST else 0,
            "boards": list(live.games),
        }


def _line_view(line: JournalLine) -> dict[str, Any]:
    """A line as the page shows it: what would follow and what depends on it in the words of pages."""
    view = line.as_json()
    for message in (*view["followed"], *view["rests"]):
        message["words"] = say_on_page(message["words"])
    anew = isinstance(line.fact.said, SettingsChanged) and changes_rules(line.fact.said)  # the event is opened anew
    return view | {name: say_on_page(view[name]) for name in ("would", "why_not")} | {"anew": anew}


def _where_to_correct(boards: Mapping[str, Game], line: JournalLine) -> str:
    """Where the published phase that a line is about is corrected; empty for other lines."""
    phase = phase_to_correct(boards, line)
    return correct_address(*phase) if phase else ""


def _is_hidden(office: Office, login: Login, line: JournalLine) -> bool:
    """Whether a line tells what was decided on the orders, or on a form, of a board on which somebody plays."""
    told = (line.what, *(line.what.parts("what") if line.what.code is Happened.TAKEN_BACK else ()))
    is_on_form = any(each.code is Happened.FIELD_RULED for each in told)
    is_hidden = is_on_form or isinstance(line.fact.said, OnTurn | DecisionUndone)
    return is_hidden and any(office.plays_on(login, board) for board in line.boards)


def _take_back_fact(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Take a line back, or several together."""
    numbers = numbers_in(body)
    with office.inside():
        done = undo_all(office.event, numbers, by=login.name, why=why_of(body))
        return {"number": done[0].number, "numbers": [fact.number for fact in done]}


# The forms that are in: what waits for the director about each, with its picture, and what he says to it.

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
        pages.page("/forms", "forms.html", Right.PUBLISH),
        pages.get("/api/forms", _show_forms, Right.PUBLISH, shows=_see_forms),
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
    return {
        "forms": sorted(views, key=lambda each: not each["doubts"]),
        "kinds": [{"kind": kind, "words": words} for kind, words in PRINTED.items() if is_used(office.event, kind)],
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
    doubts = [
        {
            "field": doubt["field"],
            "text": doubt["text"],
            "picture": picture_url(doubt["picture"]),
            "may_stand": each.may_stand,
            "words": _words_for(form, doubt["field"]),
            "offered": [reading.text for reading in form.by_name[doubt["field"]].line.readings[:3]]
            if doubt["field"] in form.by_name
            else [],
        }
        for doubt, each in zip(view["doubts"], doubts_found, strict=True)
    ]
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
    if office.plays_on(login, form.printed.request.board):
        raise stop("you play on this board; somebody else must do it", name)
    return form


def _rule(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Say what stands in a field, or in several at once; returns what is still doubtful about these."""
    values = body.get("values", {str(body.get("field", "")): body.get("value", "")})
    if not isinstance(values, dict) or not all(isinstance(value, str) for value in values.values()):
        raise stop("expected a text for each field", "values")
    with office.inside():
        form, why = _form_named(office, login, body), why_of(body)
        with office.event.facts.transaction():
            for field, value in values.items():
                rule_field(office.event, form.printed, field, value[:LONGEST], by=login.name, why=why)
        forms, boards = forms_in(office.event), games(office.event)
        left = form_json(office.event, forms[form.id], forms, boards)["doubts"]
        return {"left": [doubt["text"] for doubt in left if doubt["field"] in values]}


def _accept_form(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    with office.inside():
        form = _form_named(office, login, body)
        why, is_stalemate = why_of(body), body.get("stalemate") is True
        accept(office.event, form.id, by=login.name, why=why, is_stalemate=is_stalemate)
    return {}


def _put_aside(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Put a form aside, so that it does not count."""
    with office.inside():
        form = _form_named(office, login, body)
        set_aside(office.event, form.printed, by=login.name, why=why_of(body))
    return {}


# The gallery of scoring systems: a director looks at the pictures and takes the lines for his next rules file.


def system_routes(pages: Pages) -> list[Route]:
    """The page and its pictures."""
    return [
        pages.page("/systems", "systems.html", Right.PUBLISH, _list_systems),
        pages.get("/systems/{name}.svg", _show_system_picture, Right.PUBLISH),
    ]


def _list_systems(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """The systems in whose words something is found; all of them, if nothing is looked for."""
    find, known = str(asked.get("find", "")).strip(), tuple(load_systems().values())
    systems = [system for system in known if find.casefold() in _words_of(system).casefold()]
    return {"systems": systems, "all": len(known), "find": find, "told": _told_of}


def _words_of(system: SystemFile) -> str:
    return " ".join((system.id, system.name, system.summary, system.rewards, _told_of(system)))


def _told_of(system: SystemFile) -> str:
    """Who made it, when, and where it is played."""
    return ", ".join(each for each in (system.author, str(system.year or ""), system.played) if each)


def _show_system_picture(office: Office, login: Login, asked: dict[str, Any]) -> Response:
    if asked["name"] not in load_systems():
        raise stop("no such system", asked["name"])
    picture = picture_file(asked["name"]).read_text("utf-8")
    return Response(picture, media_type="image/svg+xml", headers={"Cache-Control": "private, max-age=3600"})


# The page *phones*: its address as a QR code, the certificate's fingerprint, who may log in, and who is logged out.


LONGEST_NAME = 60  # letters
ROLES = {  # what somebody at a browser may do
    Role.DIRECTOR: "director: everything",
    Role.ASSISTANT: "assistant: settles and types, publishes nothing",
    Role.UPLOAD: "phone: hands in pictures of sheets",
    Role.SCREEN: "screen: shows what is published",
}


def room_routes(pages: Pages) -> list[Route]:
    def add(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
        """Expect somebody else at a browser: he comes in by the PIN that is made for him.

        If he may be a player, the answer is the question, and only with ``other`` is he somebody else, also later.
        """
        name, role = " ".join(text_of(body, "name").split()), str(body.get("role", ""))
        if not name or len(name) > LONGEST_NAME:
            raise stop("type a name", "name")
        if fault := unprintable(name):
            raise stop(f"the name holds {fault}", "name")
        if role not in tuple(Role):
            raise stop(f"expected one of {', '.join(Role)}", "role")
        is_listed = name_key(name) in {name_key(guest.name) for guest in pages.logins.guests}
        meant = office.players_meant(name, role)
        if meant and body.get("other") is not True:
            return {"asks": meant}
        office.tell_apart(name, meant)
        if meant and is_listed:
            return {}
        if is_listed:
            raise stop("somebody of this name may log in already; his PIN is in the list", "name")
        pages.logins.guests = (*pages.logins.guests, new_guest(name, Role(role)))
        return {}

    def tell(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
        logins = pages.logins
        code = logins.pages_at.code(logins.port)
        return {
            "networks": [] if logins.pages_at.addresses else list(network_addresses()),
            "addresses": [logins.pages_at.url(each, logins.port) for each in logins.pages_at.addresses],
            "fingerprint": logins.pages_at.fingerprint,
            "fixed": _fixed_way(logins.network),
            "code": code.svg_data_uri(scale=8, border=3) if code else "",
            "seats": [
                {
                    "name": guest.name,
                    "role": str(guest.role),
                    "may": ROLES[guest.role],
                    "pin": guest.pin,
                    "browsers": logins.browsers_of(guest),
                    "meant": office.players_meant(guest.name, guest.role),
                }
                for guest in logins.guests
            ],
            "roles": [[str(role), words] for role, words in ROLES.items()],
        }

    def send_away(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
        fresh = pages.logins.send_all_away(text_of(body, "name"), text_of(body, "role"), login)
        return {"pin": fresh.pin}

    return [
        pages.page("/room", "room.html", Right.PUBLISH),
        pages.get("/api/room", tell, Right.PUBLISH, shows=lambda *_: _see_room(pages.logins)),
        pages.act(
            "/api/room/network",
            lambda office, _, body: _switch(office, pages.logins.network, body),
            Right.PUBLISH,
            lambda *_: _see_network(pages.logins),
            is_long=True,
        ),
        pages.act("/api/room/add", add, Right.PUBLISH, lambda _, __, body: _see_guest(pages.logins, body)),
        pages.act("/api/room/away", send_away, Right.PUBLISH, lambda _, __, body: _see_guest(pages.logins, body)),
    ]


def _see_room(logins: Logins) -> Things:
    return versions.of_guests(logins.guests) | _see_network(logins)


def _see_guest(logins: Logins, body: dict[str, Any]) -> Things:
    """Somebody who may log in, or that nobody of this name may."""
    name = versions.name_guest(" ".join(text_of(body, "name").split()))
    return {name: versions.of_guests(logins.guests).get(name, ABSENT)}


def _see_network(logins: Logins) -> Things:
    return {"the network": Version((", ".join(logins.pages_at.addresses) or "off",))}


def _fixed_way(network: NetworkSwitch | None) -> str:
    """Whether a desk that was started for the network is encrypted; nothing where that can be chosen."""
    if network is None or not network.began.addresses:
        return ""
    return "encrypted" if network.began.is_tls else "plain"


def _switch(office: Office, network: NetworkSwitch | None, body: dict[str, Any]) -> dict[str, Any]:
    """Open the pages to the room's network, or close them to it."""
    if network is None:
        raise stop("these pages are not served over a network", "network")
    if body.get("on") is True:
        network.switch_on(office.event, text_of(body, "address"), is_tls=body.get("encrypted") is not False)
    else:
        network.switch_off()
    return {}
