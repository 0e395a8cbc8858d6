"""The page Correct: change what was published, after everything that follows from it was shown."""

from collections.abc import Iterator
from typing import Any

from msgspec import ValidationError, convert
from starlette.routing import Route

from pipeline.board import Phase, Power
from pipeline.desk.event.games import Game, Played, at_phase
from pipeline.desk.event.people import Turn
from pipeline.desk.publish.explain import IDS, PICTURE, TO_CORRECT, explain_order
from pipeline.desk.review.correcting import (
    Consequences,
    PlaceChange,
    WantedCorrection,
    foresee_correction,
    make_correction,
)
from pipeline.desk.review.meaning import MeansNothing, unit_of_row
from pipeline.desk.review.sheet_changes import PaperChange
from pipeline.desk.ruling.desk import powers_to_write
from pipeline.desk.ruling.rows import PowerRows, Row
from pipeline.journal.chronicle import Chronicle
from pipeline.journal.lines import find_whole_correction
from pipeline.judge.adjudicate import legal_orders
from pipeline.ledger.claims import Login
from pipeline.orders import Waive, write
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.rules.conduct import Correction
from pipeline.web import versions
from pipeline.web.app import Pages
from pipeline.web.keyboard import SIGNS, say_order
from pipeline.web.logins import Right
from pipeline.web.office import Office
from pipeline.web.on_pages import name_powers, say_on_page, texts_on_page
from pipeline.web.round_view import NONE_ANEW, printed_now, what_hangs_wrongly
from pipeline.web.sheet_pictures import lines_in_picture, picture_url, picture_view
from pipeline.web.shown import Things, Version
from pipeline.web.tables import why_of
from pipeline.web.views import SHEET_KEYS, source_shown

KEEP = "correct it, or tick 'it is meant so'"
MOST_CHANGES = 100


def routes(pages: Pages) -> list[Route]:
    return [
        pages.page("/correct", "correct.html", Right.PUBLISH),
        pages.get("/api/correct", _show_phase, Right.PUBLISH, shows=_see_phase_and_prints),
        pages.get("/api/correct/explain", _explain, Right.PUBLISH),
        pages.question("/api/correct/look", _look_ahead, Right.PUBLISH),
        pages.act("/api/correct/do", _correct, Right.PUBLISH, _see_phase),
    ]


def _see_phase_and_prints(office: Office, login: Login, asked: dict[str, Any]) -> Things:
    """As `_see_phase`, and what was printed: sheets that a correction makes wrong are printed anew here, too."""
    game, _ = _phase_named(office, login, asked)
    return _see_phase(office, login, asked) | (versions.of_prints(office.event, game.seating.round) if game else {})


def _see_phase(office: Office, login: Login, asked: dict[str, Any]) -> Things:
    """The board, every sheet of the phase, and what came or was decided since for a later phase of the board."""
    game, then = _phase_named(office, login, asked)
    if then is None:
        return versions.of_board(office.event, game) if game else {}
    assert game is not None
    turns = [Turn(game.name, then.position.phase, power) for power in powers_to_write(office.event, then)]
    seen = dict(versions.of_board(office.event, game))
    for turn in turns:
        seen |= versions.of_rows(office.live, turn, office.live.desk.power(then, turn.power))
    since = then.position.phase.sort_key
    later = [turn for turn in {*office.live.desk.sheets, *office.live.by_turn}
             if turn.board == game.name and turn.phase.sort_key > since]  # fmt: skip
    lines = sorted(f"{turn}: {versions.news_of(office.live, turn)}" for turn in later)
    return seen | {f"later sheets of board {game.name}": Version(tuple(lines))}


def _phase_named(office: Office, login: Login, asked: dict[str, Any]) -> tuple[Game | None, Game | None]:
    """The board that is asked for, and how it was when the phase was about to be played; None where none is named."""
    board, phase = str(asked.get("board", "")), str(asked.get("phase", ""))
    if not board:
        return None, None
    game = office.game(login, board)
    if not phase:
        return game, None
    if phase not in [str(played.phase) for played in game.played]:
        raise stop("this phase is not published; choose another one", f"{board} {phase}")
    return game, at_phase(game, phase)


def _show_phase(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """The published phases of every board; and of the one that is asked for, each sheet as it counts now."""
    with office.inside() as live:
        game, then = _phase_named(office, login, asked)
        boards = [
            {
                "board": each.name,
                "own": office.plays_on(login, each.name),
                "phases": [[str(p.phase), p.phase.in_words] for p in reversed(each.played)],
            }
            for each in live.games.values()
        ]
        view: dict[str, Any] = {"boards": boards, "board": "", "phase": "", "words": "", "powers": []}
        if game is None or then is None:
            return view | {"board": game.name if game else ""}
        played = next(played for played in game.played if played.phase == then.position.phase)
        powers = powers_to_write(office.event, then)
        return view | {
            "board": game.name,
            "phase": str(played.phase),
            "words": played.phase.in_words,
            "published": f"by {played.fact.by}",
            "correction": list(find_whole_correction(Chronicle.of(office.event), played.fact.number)),
            "at": played.fact.at,
            "powers": [_power_view(office, then, played, live.desk.power(then, power)) for power in powers],
            "decisions": [[str(decision), words] for _, decision, words in SHEET_KEYS],
        }


def _power_view(office: Office, then: Game, played: Played, power: PowerRows) -> dict[str, Any]:
    """One power's sheet: its rows as they count now, what was published, and what may be ordered."""
    turn = Turn(then.name, then.position.phase, power.power)
    sheets = office.live.sheets(turn)
    legal = legal_orders(then.map, then.position, power.power, office.event.tournament.rulebook)
    return {
        "power": str(power.power),
        "name": power.power.title(),
        "player": then.seating.player_at(power.power, then.position.phase),
        "state": str(power.state),
        "notes": texts_on_page(power.problems),
        "asks": any(problem.weight is Weight.ASKS for problem in power.problems),
        "rows": [_row_view(office, then, turn, row) for row in power.rows],
        "sheets": [
            picture_view(sheet) | {"serial": sheet.serial, "id": str(sheet.printed.request.id)} for sheet in sheets
        ],
        "published": [
            {
                "order": write(result.order),
                "unit": "" if isinstance(result.order, Waive) else str(result.order.unit),
                "words": say_order(result.order, then.map),
                "outcome": str(result.outcome),
            }
            for result in played.resolution.results
            if result.power is power.power
        ],
        "orders": [
            {
                "order": write(order),
                "words": say_order(order, then.map),
                "unit": "" if isinstance(order, Waive) else str(order.unit),
            }
            for order in legal
        ],
    }


def _row_view(office: Office, then: Game, turn: Turn, row: Row) -> dict[str, Any]:
    return {
        "line": row.line,
        "unit": str(unit_of_row(office.live.desk, then, turn, row) or (getattr(row.order, "unit", None) or "")),
        "ink": row.ink,
        "order": write(row.order) if row.order else None,
        "words": say_order(row.order, then.map) if row.order else "no order",
        "source": str(source_shown(row)),
        "sign": SIGNS[source_shown(row)],
        "why": say_on_page(row.reason),
        "waits": row.needs_director,
        "picture": picture_url(row.crop),
        "lines": lines_in_picture(office, turn, row),
    }


NOT_ON_PAGE = (IDS, PICTURE, TO_CORRECT)  # small at the end, beside the row, and what the page itself does


def _explain(office: Office, login: Login, asked: dict[str, Any]) -> dict[str, Any]:
    """Why an order did what it did, back to the ink."""
    with office.inside():
        office.game(login, str(asked.get("board", "")))
        question = " ".join(str(asked.get(name, "")) for name in ("board", "phase", "unit"))
        _, result, *said = explain_order(office.event, question)
        return {
            "result": result.text,
            "parts": [[each.about, say_on_page(each.text)] for each in said if each.about not in NOT_ON_PAGE],
            "ids": [each.text for each in said if each.about == IDS],
        }


def _read_wanted(office: Office, login: Login, body: dict[str, Any]) -> WantedCorrection:
    game, then = _phase_named(office, login, body)
    if game is None or then is None:
        raise stop("say which board and which phase", "phase")
    given = body.get("changes", [])
    if isinstance(given, list) and len(given) > MOST_CHANGES:
        raise stop(f"expected at most {MOST_CHANGES} changes", "changes")
    try:
        changes = convert(given, tuple[PaperChange, ...])
    except ValidationError as error:
        raise stop(f"expected a list of changes ({error})", "changes") from error
    phase = str(then.position.phase)
    passed = body.get("deadline_passed")
    if passed is not None and not isinstance(passed, bool):
        raise stop("expected whether the next deadline had passed", "deadline_passed")
    return WantedCorrection(board=game.name, phase=phase, changes=changes, deadline_passed=passed)


def _look_ahead(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """All that would follow; what must be settled before is told as such, and is no refusal."""
    with office.inside():
        wanted = _read_wanted(office, login, body)
        try:
            consequences = foresee_correction(office.event, wanted, by=login.name, keep=KEEP)
        except MeansNothing:
            raise
        except Stopped as stopped:
            if stopped.code is not ExitCode.RULE_FIRST:
                raise
            return {"asks": list(_asks_in_words(stopped.problems))}
        return _consequences_view(office, wanted, consequences)


def _asks_in_words(problems: tuple[Problem, ...]) -> Iterator[str]:
    for problem in problems:
        if problem.weight is Weight.ASKS:
            where = problem.where.removesuffix(" line 0")  # a unit without a row, which the text names
            yield name_powers(f"{where}: {say_on_page(problem.text)}")


def _waits_by_sheet(problems: tuple[Problem, ...]) -> Iterator[str]:
    """What waits then, sheet by sheet, with its lines."""
    sheets: dict[str, list[str]] = {}
    for problem in problems:
        if problem.weight is Weight.ASKS:
            sheet, _, line = problem.where.partition(" line ")
            on_line = f"line {line}: " if line and line != "0" else ""
            sheets.setdefault(sheet, []).append(f"{on_line}{say_on_page(problem.text)}")
    for sheet, texts in sheets.items():
        yield name_powers(f"{_sheet_in_words(sheet)}: {'; '.join(texts)}")


def _sheet_in_words(where: str) -> str:
    """A sheet as the page calls it; another place stays as it is.

    >>> _sheet_in_words("1.1 F1901M GERMANY"), _sheet_in_words("1.1 F1901M")
    ('Fall 1901, sheet of Germany', '1.1 F1901M')
    """
    match where.split():
        case [_, phase, power] if power in {str(each) for each in Power}:
            return f"{Phase.read(phase).in_words}, sheet of {power.title()}"
    return where


def _reread_in_words(consequences: Consequences, phase: Phase) -> Iterator[str]:
    """The sheets of a later phase of which rows give other orders, each with these rows."""
    sheets: dict[Power, list[str]] = {}
    for row in consequences.reread:
        if row.turn.phase == phase:
            text = f"line {row.line}, “{row.ink}”, gave {row.was or 'no order'} and gives {row.now or 'no order'}"
            sheets.setdefault(row.turn.power, []).append(text)
    for power, texts in sheets.items():
        yield f"Sheet of {power.title()}: {'; '.join(texts)}"


def _consequences_view(office: Office, wanted: WantedCorrection, consequences: Consequences) -> dict[str, Any]:
    proposal, then = consequences.proposal, at_phase(office.live.games[wanted.board], wanted.phase)
    return {
        "asks": [],
        "changes": proposal.changes_anything,
        "phases": [
            {"phase": again.phase.in_words, "changes": [name_powers(say_on_page(change)) for change in changes]}
            | {"reread": list(_reread_in_words(consequences, again.phase))}
            for again, changes in proposal.phases
        ],
        "sheets": [name_powers(f"{note.where}: {say_on_page(note.text)}") for note in consequences.notes],
        "dropped": [Phase.read(phase).in_words for phase in proposal.dropped],
        "waits": list(_waits_by_sheet(proposal.waits)),
        "rule": {"verdict": str(proposal.verdict), "words": proposal.reason, "rule": proposal.rule},
        "deadline": {"counts": proposal.deadline_counts, "assumed": proposal.deadline_assumed},
        "needs_why": proposal.changes_anything and proposal.verdict is not Correction.CORRECTED,
        "goes_on": proposal.goes_on.in_words if proposal.goes_on else "",
        "solo": proposal.solo,
        "without_vote": [power.title() for power in proposal.without_vote],
        "resting": [say_on_page(line) for line in consequences.resting],
        "opened": consequences.opened.in_words if consequences.opened else "",
        "collect": list(consequences.collect),
        "places": [place_view(change) for change in consequences.places],
        "as_they_stand": consequences.as_they_stand,
        "otherwise": [name_powers(str(turn)) for turn in consequences.otherwise],
        "rows": {
            str(power.power): [
                {"line": row.line, "order": write(row.order) if row.order else None, "waits": row.needs_director}
                | {"words": say_order(row.order, then.map) if row.order else "no order"}
                for row in power.rows
            ]
            for power in consequences.rows
        },
    }


def place_view(change: PlaceChange) -> dict[str, Any]:
    def as_words(shown: tuple[str, str] | None) -> str:
        return f"{shown[0]} ({shown[1]})" if shown else "–"

    return {"player": change.player, "was": as_words(change.was), "now": as_words(change.now)}


def _correct(office: Office, login: Login, body: dict[str, Any]) -> dict[str, Any]:
    """Write the changes down, and publish again what follows."""
    with office.inside():
        wanted, why = _read_wanted(office, login, body), why_of(body)
        if not why:
            raise stop("give the reason: it is kept in the journal", "why")
        numbers, made = make_correction(office.event, wanted, by=login.name, why=why, keep=KEEP)
        return {"numbers": list(numbers), "made": [path.name for path in made]} | _paper_now(office, wanted.board)


def _paper_now(office: Office, board: str) -> dict[str, Any]:
    """What hangs and is wrong now, and the powers whose sheets are, as the page of the round says it, too."""
    office.live.refresh()
    game = office.live.games[board]
    moved = printed_now(office, [game]).get(board, NONE_ANEW)[1]
    return what_hangs_wrongly(office, game) | {"moved": moved}
