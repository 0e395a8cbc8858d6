"""Every row of a board from its ink to its order, as the JSON that commands print."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from pipeline.desk.backups import backup_status
from pipeline.desk.event.ending import is_going_on, over, to_end
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, at_phase, correct_command, games, late_otherwise
from pipeline.desk.event.people import Turn
from pipeline.desk.event.seating import abandoned_seats
from pipeline.desk.event.settings import warn_of_changed_rules
from pipeline.desk.forms import player_forms, results_in, votes
from pipeline.desk.forms.forms_in import FormDoubt, FormIn, FormReason, PrintedForm, forms_in
from pipeline.desk.hands import known_rows
from pipeline.desk.hands.reader_name import reader_name
from pipeline.desk.publish.dutchmen import dutchmen
from pipeline.desk.ruling.desk import Desk, late_effects, ruled_before_read, seats_left
from pipeline.desk.ruling.rows import PowerRows, Row
from pipeline.desk.ruling.sheet_state import SheetDoubt
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.sheets_in import fold_text
from pipeline.desk.sheets.unfiled_pages import holding, late_sheets, stray_pages, waiting_pages
from pipeline.ink import InkReading
from pipeline.ledger import events
from pipeline.ledger.events import LedgerEvent, TeamEntered
from pipeline.ledger.files import local_time, write_whole
from pipeline.ledger.ledger import Fact
from pipeline.orders import write
from pipeline.paper.form import FormKind
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.rules.tournament import Tournament
from pipeline.small_files import read_small
from pipeline.words.speech import sentence


def board_orders(event: Event, game: Game) -> dict[str, Any]:
    """Every row of a board's phase, as ``ordersheets orders --json`` prints it."""
    powers = Desk.of(event).board(game)
    return {
        "board": game.name,
        "phase": str(game.position.phase),
        "powers": {str(p.power): _power_orders(p, event.tournament) for p in powers},
    }


def _power_orders(power: PowerRows, rules: Tournament) -> dict[str, Any]:
    """One power's rows, and the remarks on its sheets."""
    return {
        "sheet": str(power.state),
        "problems": [problem.text for problem in power.problems],
        "told": [_problem_json(problem, rules) for problem in power.problems],
        "rows": [_row_json(row, rules) for row in power.rows],
    }


def _problem_json(problem: Problem, rules: Tournament) -> dict[str, Any]:
    """One remark on a power's sheets, with its rule."""
    settings = problem.settings if isinstance(problem, SheetDoubt) else ()
    return {
        "text": problem.text,
        "asks": problem.weight is Weight.ASKS,
        "settings": list(settings),
        "quotes": [str(quote) for quote in rules.quotes(settings)],
    }


def _row_json(row: Row, rules: Tournament) -> dict[str, Any]:
    """One row as JSON; a doubt of the handwriting reader has no rule."""
    ruling = row.ruling
    return {
        "line": row.line,
        "ink": row.ink,
        "readings": [{"text": r.text, "confidence": round(r.confidence, 4)} for r in each_once(row.readings)],
        "order": write(row.order) if row.order else None,
        "status": row.status,
        "flags": list(row.flags),
        "needs_director": row.needs_director,
        "source": str(row.source),
        "rule": row.rule,
        "settings": list(row.settings),
        "quotes": [str(quote) for quote in rules.quotes(row.settings)],
        "reason": row.reason,
        "candidates": [write(order) for order in row.candidates],
        "crop": row.crop,
        "ruling": None
        if ruling is None
        else {
            "order": ruling.decision.order,
            "text": ruling.decision.text,
            "by": ruling.by,
            "why": ruling.decision.why,
            "at": ruling.fact.at,
        },
    }


def each_once(readings: Sequence[InkReading]) -> list[InkReading]:
    """The readings of a row, surest first, without repetitions (same letters).

    >>> each_once([InkReading("A MAR - BUR", 0.9), InkReading("AMAR - BUR", 0.9), InkReading("A MAR H", 0.01)])
    [InkReading(text='A MAR - BUR', confidence=0.9), InkReading(text='A MAR H', confidence=0.01)]
    """
    ink_readings: dict[str, InkReading] = {}
    for reading in readings:
        ink_readings.setdefault(fold_text(reading.text), reading)
    return list(ink_readings.values())


# All forms that are in, with what waits for the director, and his acceptance of one.


def form_doubts(
    event: Event, form: FormIn, forms: Mapping[str, FormIn], boards: Mapping[str, Game]
) -> Iterator[FormDoubt]:
    """Everything about a form that waits for the director; nothing of one that does not count."""
    if not form.is_counted or _is_of_gone_board(form.printed, boards):
        return
    match form.kind:
        case FormKind.BOARD:
            yield from results_in.board_sheet_doubts(event, boards[form.printed.request.board], form)
        case FormKind.VOTE:
            yield from votes.slip_doubts(form)
        case FormKind.RATINGS:
            yield from player_forms.rating_doubts(event, form, player_forms.ballots_by_voter(forms))
        case FormKind.TEAM:
            yield from player_forms.team_entry_doubts(event, form)
        case FormKind.GAME:
            yield from player_forms.score_sheet_doubts(event, form)
        case FormKind.SAMPLE:
            return  # lines of a writing sample that teach nothing are reported, not asked


def _is_of_gone_board(printed: PrintedForm, boards: Mapping[str, Game]) -> bool:
    """Whether a form was printed for a board that is not seated any more: its round was drawn again."""
    return bool(printed.request.board) and printed.request.board not in boards


ACCEPTED = (FormKind.BOARD, FormKind.TEAM)  # something follows from these only when the director has accepted them


def may_accept(form: FormIn) -> bool:
    """Whether something follows from a form when it is accepted."""
    is_accepted = form.rulings.accepted is not None and not form.rulings.is_changed
    return form.kind in ACCEPTED and form.is_counted and not is_accepted


def is_waiting(event: Event, form: FormIn, forms: Mapping[str, FormIn], boards: Mapping[str, Game]) -> bool:
    """Whether a form waits for the director."""
    if form.rulings.aside is not None or _is_of_gone_board(form.printed, boards):
        return False
    return may_accept(form) or any(form_doubts(event, form, forms, boards))


def form_json(event: Event, form: FormIn, forms: Mapping[str, FormIn], boards: Mapping[str, Game]) -> dict[str, Any]:
    """One form, as ``ordersheets status --json`` prints it."""
    doubts = list(form_doubts(event, form, forms, boards))
    return {
        "form": form.id,
        "kind": str(form.kind),
        "about": form.printed.request.about,
        "state": _form_state(event, form, doubts, boards),
        "doubts": [{"field": doubt.field, "text": doubt.text, "picture": doubt.picture} for doubt in doubts],
        "asks_stalemate": any(doubt.reason.code is FormReason.NO_STALEMATE for doubt in doubts),
    }


def form_shown(event: Event, form_id: str) -> dict[str, Any]:
    """One form with all its fields, as ``ordersheets form --json`` prints it."""
    forms = forms_in(event)
    if form_id not in forms:
        raise stop("this form was printed, and has not come in; scan it", form_id)
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


def _form_state(event: Event, form: FormIn, doubts: list[FormDoubt], boards: Mapping[str, Game]) -> str:
    """What became of a form, in a few words."""
    if form.rulings.aside is not None:
        return "set aside"
    if _is_of_gone_board(form.printed, boards):
        return f"does not count: board {form.printed.request.board} is not seated any more"
    if doubts:
        return "waits for the director"
    match form.kind:
        case FormKind.BOARD:
            return results_in.agreement(boards[form.printed.request.board], form)
        case FormKind.TEAM:
            entered = results_in.CHANGED if form.rulings.is_changed else "entered"
            return entered if form.rulings.accepted else "complete; accept it to enter the team"
        case FormKind.SAMPLE:
            return known_rows.describe_sample(form)
        case FormKind.GAME:
            signed = player_forms.board_game(event, form).is_signed
            return "counts" if signed else "does not count: not everybody has signed"
        case _:
            return "counts"


def accept(event: Event, form_id: str, *, by: str, why: str = "", is_stalemate: bool = False) -> Fact[LedgerEvent]:
    """Take a form as good, with all that follows: a result, a team. What cannot be read must be ruled first.

    ``is_stalemate`` is what the director says of a game that its board sheet calls a voted draw.
    """
    forms, boards = forms_in(event), games(event)
    if form_id not in forms:
        raise stop("this form is not in", form_id)
    form = forms[form_id]
    if _is_of_gone_board(form.printed, boards):
        raise stop(f"board {form.printed.request.board} is not seated any more; set the form aside", form_id)
    if still_open := [doubt for doubt in form_doubts(event, form, forms, boards) if not doubt.may_stand]:
        raise Stopped(
            [Problem(Weight.ASKS, doubt.text, f"{form_id} {doubt.field}".strip()) for doubt in still_open],
            ExitCode.RULE_FIRST,
        )
    also: list[LedgerEvent] = []
    if form.kind is FormKind.BOARD:
        board = boards[form.printed.request.board]
        result = results_in.result_of(event, board, form, why, is_stalemate=is_stalemate)
        also += [result] if result else []
    elif form.kind is FormKind.TEAM:
        also.append(player_forms.entry_of(event, form))
    said = events.FormAccepted(form=str(form.printed.request.id), why=why)
    return event.facts.write_all((said, *also), by)[0]


def set_aside(event: Event, printed: PrintedForm, *, by: str, why: str = "") -> Fact[LedgerEvent]:
    """A form does not count; the team or the result that it entered is taken back."""
    name, boards = str(printed.request.id), games(event)
    undoing: tuple[LedgerEvent, ...] = ()
    if printed.request.kind is FormKind.TEAM:
        undoing = (TeamEntered(team="", members=(), form=name),)
    elif printed.request.kind is FormKind.BOARD and not _is_of_gone_board(printed, boards):
        undoing = results_in.withdrawal_of(event, boards[printed.request.board], name, why)
    said = events.FormSetAside(form=name, why=why)
    return event.facts.write_all((said, *undoing), by)[0]


# Who is in, what is missing, what waits for the director, worked out from the facts.


def _status_anew(event: Event) -> dict[str, Any]:
    """The state of every board, every unfiled page, and every unit that should not be there, from the facts."""
    desk, all_games, forms = Desk.of(event, offers=False), games(event), forms_in(event)
    pages, printed = waiting_pages(event), printed_sheets(event)
    boards = [(game, not holding(event, game, pages, printed)) for game in all_games.values()]
    left = [
        problem
        for game, _ in boards
        if abandoned_seats(event, game)
        for problem in seats_left(event, game, desk.board(game))
    ]
    late = [sheet.problem for sheet in late_sheets(event, all_games, desk.sheets)]
    extra = [problem for game, _ in boards if is_going_on(event, game) for problem in dutchmen(event, game)]
    strays = (
        *warn_of_changed_rules(event),
        *stray_pages(event),
        *late,
        *(problem for _, problem in rulings_not_applied(desk, all_games)),
        *left,
        *extra,
    )
    return {
        "event": event.details.name,
        "tournament": event.tournament.id,
        "players": len(event.players),
        "boards": [_board_status(desk, game, is_free=is_free) for game, is_free in boards],
        "forms": [form_json(event, form, forms, all_games) for form in forms.values()],
        "problems": [{"where": p.where, "text": p.text} for p in strays],
    }


def rulings_not_applied(desk: Desk, boards: Mapping[str, Game]) -> Iterator[tuple[Turn, Problem]]:
    """Report the published sheets whose orders are others since a later ruling, or since one was taken back.

    A ruling on one late sheet may change what a later late sheet of the same player counts for.
    """
    facts = desk.event.facts
    undone = {fact.said.fact: fact.number for fact in facts.select(events.DecisionUndone)}
    decided: dict[Turn, list[int]] = {}
    for fact in facts.select(events.Decision):
        decided.setdefault(Turn.of(fact.said), []).append(fact.number)
    late = late_effects(desk.event)
    for turn in {**decided, **late}:
        game = boards.get(turn.board)
        played = next((each for each in game.played_since_set if each.phase == turn.phase), None) if game else None
        if game is None or played is None:
            continue
        published = played.fact.number
        is_ruled = any(  # a ruling that was made and taken back since leaves everything as it was published
            number <= published < undone[number] if number in undone else number > published
            for number in decided.get(turn, ())
        )
        if not is_ruled and turn not in late:
            continue
        rows = desk.power(at_phase(game, str(turn.phase)), turn.power)
        if rows.is_open or set(rows.orders) != set(played.orders.get(turn.power, ())):
            again = correct_command(desk.event.folder, game.name, turn.phase)
            text = f"ruled on since it was published, and not applied: '{again}' shows what changes"
            otherwise = late_otherwise(desk.event.folder, game.name, turn.phase)
            yield turn, Problem(Weight.NOTES, text if is_ruled else otherwise, str(turn))


def _board_status(desk: Desk, game: Game, *, is_free: bool) -> dict[str, Any]:
    """The state of one board; ``is_free``: no page waits that may be one of its sheets."""
    powers, why = desk.board(game), over(desk.event, game)
    is_free = is_free and not seats_left(desk.event, game, powers) and not ruled_before_read(desk.event, game, powers)
    return {
        "board": game.name,
        "map": game.map_name,
        "phase": str(game.position.phase),
        "ended": game.ending,
        "to_end": {"how": str(why.how), "year": why.year, "rule": why.rule, "text": to_end(why)} if why else None,
        "powers": {
            str(p.power): {
                "sheet": str(p.state),
                "problems": [problem.text for problem in p.problems],
                "rows": sum(row.line > 0 for row in p.rows),
                "open": sum(row.needs_director for row in p.rows),
            }
            for p in powers
        },
        "ready": bool(powers) and is_free and not any(p.is_open for p in powers),
    }


# The same with the copies, and with failures of background work, as the JSON that `status` prints.

TROUBLE = "trouble.json"


def status(event: Event) -> dict[str, Any]:
    """The state of every board, of what waits for the TD, and of the backup copies."""
    state = _status_anew(event)
    state["problems"] += _troubles_left(event)
    return state | {"reader": reader_name(event), "backup": backup_status(event)}


def leave_trouble(event: Event, troubles: Mapping[str, str]) -> None:
    """Store failures of background work (copies, reading) for the next command to report, by the work's name."""
    with suppress(OSError):
        if troubles:
            event.cache_folder.mkdir(exist_ok=True)
            write_whole(event.cache_folder / TROUBLE, json.dumps({"at": event.facts.clock(), "in": troubles}).encode())
        else:
            (event.cache_folder / TROUBLE).unlink(missing_ok=True)


def _troubles_left(event: Event) -> list[dict[str, str]]:
    """The stored failures of background work, also of a killed process."""
    with suppress(OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        kept = json.loads(read_small(event.cache_folder / TROUBLE))
        at = f"as of {local_time(kept['at'])}; an open desk tries again; if it does not, close and open it"
        return [{"where": f"{name} beside the pages", "text": f"{text} ({at})"} for name, text in kept["in"].items()]
    return []
