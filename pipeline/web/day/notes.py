"""The page on which the director enters what no sheet says; it asks what the command asks and writes the same facts."""

from typing import Any

from starlette.routing import Route

from pipeline.desk.draw.void_sheets import paper_of
from pipeline.desk.results.note_kinds import KINDS, NoteKind
from pipeline.desk.results.notes import facts_of, notes, take_back, write_down
from pipeline.desk.ruling.said_again import in_words
from pipeline.ledger.events import LedgerEvent, SeatsChanged
from pipeline.ledger.files.claims import Login
from pipeline.problems import stop
from pipeline.scoring.totals.extras import WITHDRAWAL
from pipeline.web.day.tables import why_of
from pipeline.web.office.app import Pages
from pipeline.web.office.auth import Right
from pipeline.web.office.office import Office


def routes(pages: Pages) -> list[Route]:
    """The page and what it does."""
    return [
        pages.page("/notes", "notes.html", Right.PUBLISH),
        pages.get("/api/notes", show, Right.PUBLISH),
        pages.post("/api/notes/enter", enter, Right.PUBLISH),
        pages.post("/api/notes/undo", undo, Right.PUBLISH),
    ]


def show(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """What can be entered, what was, and the names that may be meant."""
    with office.inside() as live:
        event = office.event
        return {
            "kinds": [kind_view(kind) for kind in KINDS.values()],
            "notes": [note.as_json() for note in notes(event)],
            "players": [player.name for player in event.players],
            "boards": list(live.games),
            "powers": [str(power) for power in event.board.start],
            "rounds": event.tournament.rounds,
            "suggested": {
                "penalty": [
                    *(rule.kind for rule in event.tournament.scoring.penalties),
                    *event.tournament.conduct.sanctions.value,
                ],
                "bonus": [WITHDRAWAL] if event.tournament.scoring.bonuses.withdrawal else [],
            },
        }


def kind_view(kind: NoteKind) -> dict[str, Any]:
    """One kind of note, as the page asks for it."""
    return {
        "word": kind.word,
        "title": kind.title,
        "rules": kind.rules,
        "needs_why": kind.needs_why,
        "fields": [
            {
                "name": field.name,
                "label": field.label,
                "asked": field.asked,
                "needed": field.needed,
                "help": field.help,
                "words": list(field.words),
            }
            for field in kind.fields
        ],
    }


def enter(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Write a note down; whoever plays on its board leaves it to another desk."""
    typed = body.get("values")
    if not isinstance(typed, dict) or not all(isinstance(value, str) for value in typed.values()):
        raise stop("expected a text for each field", "values")
    with office.inside():
        facts = facts_of(office.event, str(body.get("what", "")), typed, why_of(body), login.name)
        for said in facts:
            check_own(office, login, said)
        newest = office.event.facts.last_number()
        fact = write_down(office.event, facts, login.name)
        return {"number": fact.number, "said": in_words((fact,), newest), "paper": list(paper_of(office.event, fact))}


def check_own(office: Office, login: Login, said: LedgerEvent) -> None:
    """Stop somebody who notes something of a board on which he plays."""
    boards = [board for board, _ in said.seats] if isinstance(said, SeatsChanged) else [getattr(said, "board", None)]
    for board in boards:
        if office.plays_on(login, board):
            raise stop("you play on this board; another desk must do it", str(board))


def undo(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Take a note back."""
    number = body.get("number")
    if not isinstance(number, int):
        raise stop("expected the number of a note", "number")
    with office.inside():
        for note in notes(office.event):
            if note.fact.number == number:
                check_own(office, login, note.fact.said)
        newest = office.event.facts.last_number()
        fact = take_back(office.event, number, by=login.name, why=why_of(body))
    return {"number": fact.number, "said": in_words((fact,), newest)}
