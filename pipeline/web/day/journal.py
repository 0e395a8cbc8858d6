"""The journal in the browser: everything that changed the event, newest first, and taking it back."""

from typing import Any

from starlette.routing import Route

from pipeline.journal.acts import undo_all
from pipeline.journal.lines import JournalLine, journal
from pipeline.ledger.events import DecisionUndone, OnTurn
from pipeline.ledger.files.claims import Login
from pipeline.problems import stop
from pipeline.rules.toml.plain_text import is_whole
from pipeline.web.day.notes import check_own
from pipeline.web.day.tables import why_of
from pipeline.web.office.app import Pages
from pipeline.web.office.auth import Right
from pipeline.web.office.office import Office

MOST = 150  # lines that are shown at once


def routes(pages: Pages) -> list[Route]:
    """The page and what it does."""
    return [
        pages.page("/journal", "journal.html", Right.PUBLISH),
        pages.get("/api/journal", show, Right.PUBLISH),
        pages.post("/api/journal/undo", take_back, Right.PUBLISH),
    ]


def show(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """The newest lines, or those before a number; what others decided on a board is hidden from who plays there."""
    before, board, who = (str(asked.get(name, "")) for name in ("before", "board", "who"))
    with office.inside() as live:
        lines = journal(office.event, before=int(before) if is_whole(before) else None, board=board, by=who, most=MOST)
        shown = [line for line in reversed(lines) if not is_hidden(office, login, line)]
        return {
            "number": live.number,
            "lines": [line.as_json() for line in shown],
            "oldest": lines[0].fact.number if len(lines) == MOST else 0,
            "boards": list(live.games),
        }


def is_hidden(office: Office, login: Login, line: JournalLine) -> bool:
    """Whether a line tells what was decided on the orders of a board on which somebody plays."""
    is_on_orders = isinstance(line.fact.said, OnTurn | DecisionUndone)
    return is_on_orders and any(office.plays_on(login, board) for board in line.boards)


def take_back(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Take a line back, or several together; whoever plays on the board of one leaves it to another desk."""
    numbers = body.get("numbers", [body.get("number")])
    if not isinstance(numbers, list) or not numbers or not all(type(number) is int for number in numbers):
        raise stop("expected the number of a line, or a list of them", "number")
    with office.inside():
        for line in journal(office.event, since=min(numbers) - 1, before=max(numbers) + 1):
            if line.fact.number in numbers:
                check_own(office, login, line.fact.said)
        done = undo_all(office.event, numbers, by=login.name, why=why_of(body))
        return {"number": done[0].number, "numbers": [fact.number for fact in done]}
