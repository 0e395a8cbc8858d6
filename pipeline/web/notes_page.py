"""The page for notes: it asks for the same fields as the command, and writes the same facts."""

from typing import Any

from msgspec.structs import astuple, replace
from starlette.routing import Route

from pipeline.desk.event.event import Event
from pipeline.desk.results.early_end import WHERE as EARLY_END
from pipeline.desk.results.early_end import against_early_end, describe_early_end, scored_if_ended
from pipeline.desk.results.note_kinds import KINDS, WHO, Facts, NoteKind
from pipeline.desk.results.notes import entered_in_words, facts_of, notes_in_force, take_note_back, write_down
from pipeline.desk.ruling.rulings import written_in_words
from pipeline.desk.void_sheets import sheets_after_seat_change
from pipeline.ledger.claims import Login
from pipeline.ledger.events import LedgerEvent, SeatsChanged
from pipeline.problems import Stopped, stop
from pipeline.scoring.extras import WITHDRAWAL
from pipeline.scoring.rules import ScoringRules, TwoBoards
from pipeline.scoring.standings_in_words import places_shown
from pipeline.scoring.system import looks_at_draw
from pipeline.scoring.tiebreaks import Distance
from pipeline.web import versions
from pipeline.web.app import Pages
from pipeline.web.logins import Right
from pipeline.web.office import Office
from pipeline.web.shown import ABSENT, Things
from pipeline.web.tables import EACH, why_of
from pipeline.words.names import name_order

MORE = "more"  # asked for as a kind: shows those that this tournament's rules know nothing of, too


def note_routes(pages: Pages) -> list[Route]:
    return [
        *pages.written_page("/notes", "notes.html", Right.PUBLISH, _show_notes, _see_notes),
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
    facts = [said for note in _note_facts(office, login, body) for said in note]
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


def _note_facts(office: Office, login: Login, body: dict[str, Any]) -> list[Facts]:
    """The facts of a note; with ``each``, one thing of several people, those of a note for each who has it."""
    what, each = str(body.get("what", "")), body.get("each")
    typed = body.get("values", {}) if each is None else each
    if not isinstance(typed, dict) or not all(isinstance(value, str) for value in typed.values()):
        raise stop("expected a text for each field", "values")
    if each is None or what not in KINDS:
        return [facts_of(office.event, what, typed, why_of(body), login.name)]
    who, about = sorted((field.name for field in KINDS[what].fields), key=lambda name: name != WHO.name)[:2]
    notes = []
    for name, value in typed.items():
        try:
            if value.strip():
                notes.append(facts_of(office.event, what, {who: name, about: value}, why_of(body), login.name))
        except Stopped as stopped:
            raise Stopped(replace(problem, where=name) for problem in stopped.problems) from stopped
    if not notes:
        raise stop("fill in at least one", about)
    return notes


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
        kinds = [
            _kind_view(kind, tournament.short, suggested.get(kind.word)) | {"here": kind.word not in unused}
            for kind in KINDS.values()
        ]
        chosen = next((kind for kind in kinds if kind["word"] == asked.get("what", "penalty")), kinds[0])
        known = asked if chosen["word"] == asked.get("what") else {}
        return {
            "kinds": kinds,
            "kind": chosen,
            "offered": [kind for kind in kinds if kind["here"] or kind is chosen or asked.get("what") == MORE],
            "asked": known,
            "each": str(known.get(EACH, "")).splitlines(),
            "notes": [
                note.as_json() | {"own": any(office.plays_on(login, each) for each in _boards_of_note(note.fact.said))}
                for note in notes_in_force(event)
            ],
            "players": sorted((player.name for player in event.players), key=name_order),
            "boards": list(live.games),
            "powers": [str(power) for power in event.board.start],
            "rounds": tournament.rounds,
            "follows": {"early-end": _foresee_early_end(event)},
            "suggested": suggested,
        }


def _foresee_early_end(event: Event) -> dict[str, Any]:
    """What stands against ending the event early; if nothing does, what follows, and the places as they would be."""
    if against := list(against_early_end(event)):
        lines = [each.text if each.where == EARLY_END else f"{each.where}: {each.text}" for each in against]
        return {"lines": lines, "standings": [], "may": False}
    scored = scored_if_ended(event)
    places = [[place, name, total] for name, (place, total) in places_shown(scored).items()]
    lines = [f"The event is over then: {scored.progress}", *describe_early_end(event)]
    return {"lines": lines, "standings": places, "may": True}


def _unknown_kinds(rules: ScoringRules) -> frozenset[str]:
    """The kinds of notes that a tournament's rules know nothing of."""
    known = {
        "bonus": bool(rules.bonuses.preregistration or rules.bonuses.withdrawal),
        "preregistered": rules.bonuses.preregistration is not None,
        "late-start": rules.system.late_seasons is not None,
        "counts": rules.totals.two_boards in (TwoBoards.ASK, TwoBoards.CHOSEN),
        "country": rules.teams is not None and rules.teams.per_country is not None,
        "draw": any(map(looks_at_draw, rules.systems)),
        "early-end": bool(rules.totals.rounds),
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
        notes = _note_facts(office, login, body)
        newest = office.event.facts.last_number()
        with office.event.facts.transaction():
            (*others, fact) = [write_down(office.event, facts, login.name) for facts in notes]
        return {
            "number": fact.number,
            "said": f"{len(notes)} entered" if others else entered_in_words(office.event, fact, newest),
            "paper": list(sheets_after_seat_change(office.event, fact)),
        }


def _check_note(office: Office, login: Login, said: LedgerEvent) -> None:
    """Stop somebody who notes something of a board on which he plays."""
    office.stop_players(login, _boards_of_note(said))


def _boards_of_note(said: LedgerEvent) -> list[str | None]:
    return [board for board, _ in said.seats] if isinstance(said, SeatsChanged) else [getattr(said, "board", None)]


def _undo_note(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    number = body.get("number")
    if type(number) is not int:
        raise stop("expected the number of a note", "number")
    with office.inside():
        newest = office.event.facts.last_number()
        fact = take_note_back(office.event, number, by=login.name, why=why_of(body))
    return {"number": fact.number, "said": written_in_words((fact,), newest)}
