"""The journal in the browser: everything that changed the event, newest first, and taking it back."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from starlette.routing import Route

from pipeline.desk.event.games import Game
from pipeline.desk.event.settings import changes_rules
from pipeline.desk.publish.explain import correct_address
from pipeline.journal.acts import undo_all
from pipeline.journal.happened import Happened
from pipeline.journal.lines import JournalLine, journal, phase_to_correct
from pipeline.journal.undo_codes import OVERRULABLE, UndoState
from pipeline.ledger import events
from pipeline.ledger.claims import Login
from pipeline.ledger.ledger import Fact
from pipeline.printable import is_whole
from pipeline.problems import stop
from pipeline.web import versions
from pipeline.web.app import Pages
from pipeline.web.logins import Right
from pipeline.web.office import Office
from pipeline.web.on_pages import say_on_page
from pipeline.web.shown import Things
from pipeline.web.tables import why_of

MOST = 150  # lines that are shown at once
NO_DECISIONS = (  # of a person's
    *(events.ScanReceived, events.ScanRead, events.PageRead),
    *(events.PlayersNumbered, events.ClockStarted, events.ClockStopped),
)


def journal_routes(pages: Pages) -> list[Route]:
    return [
        *pages.written_page("/journal", "journal.html", Right.PUBLISH, _show_journal, _see_journal),
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
        office.stop_players(login, _boards_held(line))
    return versions.of_journal_lines(lines)


def _boards_held(line: JournalLine) -> tuple[str, ...]:
    """The boards on which nobody may play who takes a line back."""
    return () if isinstance(line.fact.said, events.Seated) else line.boards


def _is_own(office: Office, login: Login, line: JournalLine) -> bool:
    return any(office.plays_on(login, board) for board in _boards_held(line))


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
    """The newest lines, those before a number, or those that are ticked alone.

    What others decided on a board is hidden from who plays there.
    """
    before, board, who = (str(asked.get(name, "")) for name in ("before", "board", "who"))
    ticked = [int(number) for number in re.findall(r"\d{1,9}", str(asked.get("tick", "")))]
    with office.inside() as live:
        until = int(before) if is_whole(before) else None
        alone = _lines_by_number(office, ticked) if ticked else []
        lines = alone or journal(office.event, before=until, board=board, by=who, most=MOST)
        shown = [line for line in reversed(lines) if not _is_hidden(office, login, line)]
        own = [_is_own(office, login, line) for line in shown]
        views = [
            _line_view(line) | {"correct": "" if is_own else _where_to_correct(live.games, line)}
            for line, is_own in zip(shown, own, strict=True)
        ]
        numbers = [view["number"] for view in views]
        for view, line in zip(views, shown, strict=True):
            view["against"] = _against(view["rests"], line, numbers)
            view["is_held"] = any(told["holds"] for told in view["against"])
        acts = [
            None if is_own else _act_of(view, line.whole, views)
            for view, line, is_own in zip(views, shown, own, strict=True)
        ]
        return {
            "number": live.number,
            "lines": [view | {"act": act} for view, act in zip(views, acts, strict=True)],
            "oldest": lines[0].fact.number if len(lines) == MOST else 0,
            "boards": list(live.games),
            "board": board,
            "who": who,
            "alone": bool(alone),
        }


def _line_view(line: JournalLine) -> dict[str, Any]:
    """A line as the page shows it: what would follow and what depends on it in the words of pages."""
    view = line.as_json()
    for message in (*view["followed"], *view["rests"]):
        message["words"] = say_on_page(message["words"])
    settings = line.fact.of(events.SettingsChanged)
    anew = settings is not None and changes_rules(settings.said)  # the event is opened anew
    more = {"anew": anew, "is_paper": isinstance(line.fact.said, NO_DECISIONS)}
    return view | {name: say_on_page(view[name]) for name in ("would", "why_not")} | more


def _against(rests: list[dict[str, Any]], line: JournalLine, numbers: list[int]) -> list[dict[str, Any]]:
    """What is against taking a line back together with the lines of ``numbers``, and whether it holds the line."""
    told = zip(rests, line.rests, strict=True)
    return [each | {"holds": rest.code not in OVERRULABLE} for each, rest in told if each["number"] not in numbers]


def _act_of(line: dict[str, Any], whole: tuple[int, ...], shown: list[dict[str, Any]]) -> dict[str, Any] | None:
    """What is taken back with a line, and what rests on that; None for a line that stays.

    The lines of a correction (``whole``) go together if all are ``shown``, any other line alone.
    """
    if line["back"] or line["standing"] == UndoState.STAYS:
        return None
    together = [each for each in shown if each["number"] in whole]
    lines = together if 1 < len(together) == len(whole) else [line]
    inside = whole if len(lines) > 1 else ()
    rests = [(each, [told for told in each["rests"] if told["number"] not in inside]) for each in lines]
    return {
        "lines": [{name: each[name] for name in ("number", "would", "anew")} for each in lines],
        "rests": [told for _, some in rests for told in some],
        "held": any(some and each["standing"] == UndoState.HELD for each, some in rests),
    }


def _where_to_correct(boards: Mapping[str, Game], line: JournalLine) -> str:
    """Where the published phase that a line is about is corrected; empty for other lines."""
    phase = phase_to_correct(boards, line)
    return correct_address(*phase) if phase else ""


def _is_hidden(office: Office, login: Login, line: JournalLine) -> bool:
    """Whether a line tells what was decided on the orders, or on a form, of a board on which somebody plays."""
    told = (line.what, *(line.what.parts("what") if line.what.code is Happened.TAKEN_BACK else ()))
    is_on_form = any(each.code is Happened.FIELD_RULED for each in told)
    is_hidden = is_on_form or isinstance(line.fact.said, events.OnTurn | events.DecisionUndone)
    return is_hidden and any(office.plays_on(login, board) for board in line.boards)


def _take_back_fact(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Take a line back, or several together."""
    numbers = numbers_in(body)
    with office.inside():
        done = undo_all(office.event, numbers, by=login.name, why=why_of(body))
    return taken_back(numbers, done)


def taken_back(numbers: list[int], done: Sequence[Fact[events.LedgerEvent]]) -> dict[str, Any]:
    """The answer of a page that took lines back."""
    gone, written = (", ".join(map(str, sorted(each))) for each in (numbers, [fact.number for fact in done]))
    said = f"{gone} {'is' if len(numbers) == 1 else 'are'} taken back, written down as {written}"
    return {"numbers": [fact.number for fact in done], "said": said}
