"""The journal in the browser: everything that changed the event, newest first, and taking it back."""

from collections.abc import Mapping
from typing import Any

from starlette.routing import Route

from pipeline.desk.event.games import Game
from pipeline.desk.event.settings import changes_rules
from pipeline.desk.publish.explain import correct_address
from pipeline.journal.acts import undo_all
from pipeline.journal.happened import Happened
from pipeline.journal.lines import JournalLine, journal, phase_to_correct
from pipeline.ledger.claims import Login
from pipeline.ledger.events import DecisionUndone, OnTurn, Seated, SettingsChanged
from pipeline.problems import stop
from pipeline.rules.table import is_whole
from pipeline.web import versions
from pipeline.web.app import Pages
from pipeline.web.logins import Right
from pipeline.web.office import Office
from pipeline.web.on_pages import say_on_page
from pipeline.web.shown import Things
from pipeline.web.tables import why_of

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
            office.stop_players(login, line.boards)
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
    more = {"anew": anew, "whole": list(line.whole)}
    return view | {name: say_on_page(view[name]) for name in ("would", "why_not")} | more


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
