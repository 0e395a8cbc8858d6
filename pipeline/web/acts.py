"""Carry out one key of the review page: every decision is checked against what was shown, then written down."""

from collections.abc import Sequence
from enum import StrEnum
from heapq import merge
from itertools import count, takewhile
from typing import Any

from msgspec import Struct

from pipeline.desk.event.people import Turn
from pipeline.desk.hands.reader import best_recogniser
from pipeline.desk.intake.ingest import find_page, identify_page, set_pages_aside
from pipeline.desk.publish.publish import publish
from pipeline.desk.review import queue
from pipeline.desk.review.live import LiveDesk
from pipeline.desk.review.meaning import meaning_of, orders_not_offered
from pipeline.desk.ruling import rulings
from pipeline.desk.ruling.desk import asked_of, asked_of_sheet, rule_unasked
from pipeline.desk.ruling.rows import Row, check_row
from pipeline.desk.ruling.rulings import Decided
from pipeline.desk.sheets.unfiled_pages import LateArrival
from pipeline.ink import page_in_words
from pipeline.journal.acts import undo_fact as take_back
from pipeline.ledger import events
from pipeline.ledger.claims import Login
from pipeline.ledger.ledger import NUMBER, Fact, standing
from pipeline.ledger.parts import RulingBasis, SheetDecision
from pipeline.orders import NotAnOrder, Order, read_order, write
from pipeline.printable import is_whole
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.web.keyboard import Typist
from pipeline.web.logins import Right, may
from pipeline.web.office import CLAIM_S, Focus, Office
from pipeline.web.on_pages import texts_on_page
from pipeline.words.speech import write_count

# Undo and redo of somebody's last decision that is not published yet: on a row, on a sheet, or on a page.


UNDOS = 4  # presses of U that may follow each other before the page knows what came of the first


def decided_by(live: LiveDesk, name: str) -> tuple[list[Fact[Decided]], list[Fact[Decided]]]:
    """What somebody decided on rows, sheets and pages and may undo, and what may be redone; the newest last."""
    about_pages = live.event.facts.select(events.PageIdentified, events.PageSetAside, events.ActTakenBack)
    return rulings.stacks(merge(live.log(), about_pages, key=NUMBER), name)


def next_to_undo(office: Office, done: Sequence[Fact[Decided]]) -> list[int]:
    """The numbers of what the next undos take back, one for each press."""
    left, numbers = list(done), list[int]()
    while len(numbers) < UNDOS and (last := _last_open(office, left)):
        numbers.append(last.number)
        fact = last.of(events.OnTurn)
        together = {each.number for each in (_entered_together(fact, left) if fact else _said_together(last, left))}
        left = [each for each in left if each.number not in together]
    return numbers


def _undo_last(office: Office, login: Login, wanted: str) -> Focus:
    """Take the last decision back; stop if it is not the one that is wanted: one was made in another window since."""
    done, _ = decided_by(office.live, login.name)
    last = _last_open(office, done)
    if last is None:
        raise stop("nothing to undo that is not published yet", "")
    if wanted not in ("", str(last.number)):
        raise stop("you decided something else in another window since; nothing was taken back", "", ExitCode.STALE)
    fact = last.of(events.OnTurn)
    if fact is None:
        pages = _said_together(last, done)
        with office.event.facts.transaction():
            for page in reversed(pages):
                take_back(office.event, page.number, by=login.name)
        return Focus(effect=f"{_pages_in_words(pages)} {'wait' if len(pages) > 1 else 'waits'} again")
    with office.event.facts.transaction():
        for each in reversed(_entered_together(fact, done)):
            rulings.undo_decision(office.event, each, login.name)
    return _at_row(fact, "taken back")


def _redo_last(office: Office, login: Login) -> Focus:
    """Redo the decision that was undone last."""
    _, undone = decided_by(office.live, login.name)
    last = _last_open(office, undone)
    if last is None:
        raise stop("nothing to redo that is not published yet", "")
    fact = last.of(events.OnTurn)
    if fact is None:
        pages = _said_together(last, undone)
        _settle_pages_again(office, login, pages)
        return Focus(effect=f"decided again: {_pages_in_words(pages)}")
    with office.event.facts.transaction():
        for each in _entered_together(fact, undone):
            rulings.redo_decision(office.event, each, login.name)
    return _at_row(fact, "decided again")


def _said_together(last: Fact[Decided], facts: Sequence[Fact[Decided]]) -> list[Fact[events.OnPage]]:
    """What was said of pages with one press, oldest first: all pages of a late sheet, or of a file, are put aside.

    Their facts stand one behind the other and have one time.
    """
    aside = {fact.number: fact for each in facts if (fact := each.of(events.PageSetAside)) and fact.at == last.at}
    before = takewhile(aside.__contains__, count(last.number - 1, -1))
    after = takewhile(aside.__contains__, count(last.number + 1))
    numbers = sorted([*before, last.number, *after]) if last.number in aside else []
    page = last.of(events.OnPage)
    return [aside[number] for number in numbers] or ([page] if page else [])


def _pages_in_words(pages: Sequence[Fact[events.OnPage]]) -> str:
    return write_count(len(pages), "page") if len(pages) > 1 else page_in_words(pages[0].said.page)


def _settle_pages_again(office: Office, login: Login, pages: Sequence[Fact[events.OnPage]]) -> None:
    """Say again what was said of pages; stop if somebody else decided on one of them since."""
    event = office.event
    for fact in pages:
        about = [
            each
            for each in standing(event.facts, events.PageIdentified, events.PageSetAside)
            if each.said.place == fact.said.place and each.number > fact.number
        ]
        if about:
            raise stop(f"{about[-1].by} decided on this page since; decide anew", page_in_words(fact.said.page))
    read = [find_page(event, fact.said.sha256, fact.said.page) for fact in pages]
    match pages[0].said:
        case events.PageIdentified(sheet=sheet):
            identify_page(event, read[0], sheet, best_recogniser(), login.name)
        case events.PageSetAside(why=why):
            set_pages_aside(event, read, login.name, why)


def _entered_together(last: Fact[events.OnTurn], facts: Sequence[Fact[Decided]]) -> list[Fact[events.OnTurn]]:
    """A decision with what was written with it: retreats or adjustments that were keyed in are two facts a power."""
    no_lines = [typed for each in facts if (typed := each.of(events.LinesTyped)) and not typed.said.lines]
    ruled = [row for each in facts if (row := each.of(events.RowRuled))]
    for lines in no_lines:
        rests_on = lines.said.first or lines.number
        rows = [row for row in ruled if row.said.on and row.said.on.typed == rests_on]
        if len(rows) == 1 and last.number in (lines.number, rows[0].number):
            return [lines, rows[0]]
    return [last]


def _at_row(fact: Fact[events.OnTurn], what: str) -> Focus:
    """The row, or the sheet, that a decision was about, and what became of it."""
    turn = Turn.of(fact.said)
    line = fact.said.line if isinstance(fact.said, events.RowRuled | events.SpotChecked) else None
    place = f"board {turn.board}, {turn.power.title()}" + (f", line {line}" if line else "")
    return Focus(str(turn), f"{turn} sheet" if line is None else f"{turn} line {line} ", f"{what}: {place}")


def _last_open(office: Office, facts: Sequence[Fact[Decided]]) -> Fact[Decided] | None:
    """The last of some decisions that may change: its phase is open, or it is of a page.

    What was said of a page before anything was published stays, unless an older decision may change.
    """
    turns = {fact.number for each in facts if (fact := each.of(events.OnTurn)) and _is_phase_open(office, fact)}
    since = min((office.event.facts.newest(events.PhasePublished), *turns))
    pages = {fact.number for fact in facts if isinstance(fact.said, events.OnPage) and fact.number > since}
    return next((fact for fact in reversed(facts) if fact.number in turns | pages), None)


def _is_phase_open(office: Office, fact: Fact[events.OnTurn]) -> bool:
    """Whether the phase that a decision is about is still open."""
    game = office.live.games.get(fact.said.board)
    return game is not None and game.position.phase == fact.said.phase and not game.ending


WITHOUT_SHEET = tuple(each for each in SheetDecision if each is not SheetDecision.CHOSEN)  # name no sheet
ANYWAY = "anyway"  # a value: the typed text is meant although the rules do not follow it


KEYED_IN = "keyed in"  # the reason of a ruling that only stands for what a sheet would have said


class Do(StrEnum):
    """What a key does."""

    RULE = "rule"  # take what the rule says
    ORDER = "order"
    NOTHING = "nothing"
    TEXT = "text"  # what the ink says
    SHEET = "sheet"  # decide on a sheet that is asked about
    CHOOSE_SHEET = "choose sheet"
    SCAN = "scan"  # take the rows on which the scans of a sheet differ as one of them shows it
    RIGHT = "right"  # of a spot check
    IDENTIFY = "identify"  # say which sheet a page is
    ASIDE = "aside"
    ENTRY = "entry"  # key in retreats or adjustments
    PUBLISH = "publish"
    LATER = "later"
    UNDO = "undo"
    REDO = "redo"
    TYPE = "type"  # key in a power's lines
    SHEET_OF = "sheet of"  # decide on a sheet unasked


class PressedKey(Struct, frozen=True):
    """What a browser sent: the item that was on its screen, what to do with it, and a value."""

    token: str
    do: Do
    value: str = ""
    why: str = ""
    values: tuple[str, ...] = ()
    units: tuple[str, ...] = ()  # that stand in front of lines that are typed
    sure: tuple[str, ...] = ()  # those lines that are meant although the rules do not follow them

    @classmethod
    def of(cls, body: dict[str, Any]) -> "PressedKey":
        """Read the body of a POST, or stop if a value has another type than its field."""
        texts = [body.get(name, "") for name in ("token", "do", "value", "why")]
        lists = [body.get(name, []) for name in ("values", "units", "sure")]
        if not all(isinstance(each, list) for each in lists):
            raise stop("expected lists of texts", "body")
        values, units, sure = map(tuple, lists)
        if not all(isinstance(text, str) for text in (*texts, *values, *units, *sure)):
            raise stop("expected texts", "body")
        shown, do, value, why = texts
        if do not in tuple(Do):
            raise stop(f"unknown key {do!r}; nothing was decided", "do")
        return cls(shown, Do(do), value, why, values, units, sure)


def act(office: Office, login: Login, key: PressedKey) -> Focus:
    """Carry out a key; returns what to show next."""
    if key.do in (Do.UNDO, Do.REDO):
        return _undo_last(office, login, key.value) if key.do is Do.UNDO else _redo_last(office, login)
    if key.do in (Do.TYPE, Do.SHEET_OF):
        return _act_on_turn(office, login, key)
    item = item_on_screen(office, login, key.token)
    match item:
        case _ if key.do is Do.LATER:
            office.put_off(login, item)
        case queue.ReviewItem(row=None):
            _settle_sheet(office, login, item, key)
        case queue.ReviewItem():
            _settle_row(office, login, item, key)
        case queue.Check():
            _settle_check(office, login, item, key)
        case queue.StrayPage():
            _settle_page(office, login, item, key)
        case LateArrival():
            _settle_late(office, login, item, key)
        case queue.UnwrittenPhase():
            _key_in(office, login, item, key)
        case _:
            _publish_board(office, login, item, key)
    return _seen_next(office, item, key)


def _seen_next(office: Office, item: queue.QueueItem, key: PressedKey) -> Focus:
    """What is shown next: the sheet that was decided on, and after a decision on all of it what counts now."""
    if not isinstance(item, queue.ReviewItem | queue.Check):
        return Focus()
    is_about_sheet = item.row is None and key.do is not Do.LATER
    effect = _what_counts(office, item.turn) if is_about_sheet else ""
    if is_about_sheet and key.value == SheetDecision.ALL_UNSIGNED:
        effect = f"every sheet without a signature is accepted; {effect}"
    return Focus(turn=str(item.turn), effect=effect)


def item_on_screen(office: Office, login: Login, wanted: str) -> queue.QueueItem:
    """Find the item that was on the screen; if anything about it has changed since, nothing is decided."""
    for item, name in queue.agenda_by_name(office.live, every=True):
        if queue.item_fingerprint(office.live, item) == wanted and office.is_for(login, item):
            holders = office.claims.held_by_others(login, now=office.clock(), seconds=CLAIM_S)
            if holder := holders.get(name):
                raise stop(f"{holder} is at work on this", name, ExitCode.STALE)
            return item
    raise stop("this has changed since it was shown; nothing was decided", "", ExitCode.STALE)


def _settle_row(office: Office, login: Login, doubt: queue.ReviewItem, key: PressedKey) -> None:
    """Decide on a row: a choice, the rule, nothing, an order that is typed, or what the ink says."""
    assert doubt.row is not None
    without = doubt.row.without
    match key.do:
        case Do.SCAN if is_whole(key.value):
            game = office.live.games[doubt.turn.board]
            queue.take_scan(office.live.desk, game, doubt, int(key.value), by=login.name, why=key.why)
            return
        case Do.RULE if (decision := queue.take_the_rule(doubt)) is not None:
            pass
        case Do.ORDER if key.value:
            decision = rulings.RowDecision(order=_typed_order(office, doubt.turn, doubt.row, key), why=key.why)
        case Do.NOTHING:
            decision = rulings.RowDecision(order=rulings.NOTHING, why=key.why, without=without)
        case Do.TEXT if key.value.strip() and doubt.row.line > 0:
            decision = rulings.RowDecision(text=_typed_text(office, doubt.turn, doubt.row, key), why=key.why)
        case _:
            raise stop(f"{key.do.value!r} does not settle this row; nothing was decided", str(doubt.turn))
    decision = queue.on_whole_line(doubt.row, decision)
    row = doubt.row
    rulings.rule_row(office.event, doubt.turn, row.line, decision, login.name, on=row.ground, asked=asked_of(row))


def _typed_order(office: Office, turn: Turn, row: Row, key: PressedKey) -> str:
    """The orders that are typed for a row; one that is impossible there must be meant ("anyway")."""
    return Typist(office, turn).order(row, key.value, anyway=ANYWAY in key.values)


def _typed_text(office: Office, turn: Turn, row: Row, key: PressedKey) -> str:
    """The typed reading of the ink; text that the rules do not follow must be confirmed ("anyway")."""
    text, typist = key.value.strip(), Typist(office, turn)
    typist.check_length(text)
    if ANYWAY not in key.values:
        typist.check_text(row.line, text)
    return text


def _settle_sheet(office: Office, login: Login, doubt: queue.ReviewItem, key: PressedKey) -> None:
    decision, serial = SheetDecision.CHOSEN, None
    match key.do:
        case Do.SHEET if key.value in WITHOUT_SHEET:
            decision = SheetDecision(key.value)
        case Do.CHOOSE_SHEET if is_whole(key.value):
            serial = int(key.value)
        case _:
            raise stop(f"{key.do.value!r} does not settle a sheet; nothing was decided", str(doubt.turn))
    asked = asked_of_sheet(doubt.problem)
    rulings.rule_sheet(office.event, doubt.turn, decision, by=login.name, why=key.why, serial=serial, asked=asked)


def _settle_check(office: Office, login: Login, check: queue.Check, key: PressedKey) -> None:
    """Say whether a row was read as it is written; if it was not, what is written is ruled at once."""
    decision = None
    match key.do:
        case Do.RIGHT:
            check_row(office.event, check.turn, check.row, right=True, by=login.name)
            return
        case Do.ORDER:
            decision = rulings.RowDecision(order=_typed_order(office, check.turn, check.row, key), why="spot check")
        case Do.TEXT if key.value.strip():
            decision = rulings.RowDecision(text=_typed_text(office, check.turn, check.row, key), why="spot check")
        case Do.NOTHING:
            decision = rulings.RowDecision(order=rulings.NOTHING, why="spot check")
        case _:
            raise stop(f"{key.do.value!r} does not settle a check; nothing was decided", str(check.turn))
    row = check.row
    decision = queue.on_whole_line(row, decision)
    with office.event.facts.transaction():
        check_row(office.event, check.turn, row, right=False, by=login.name)
        rulings.rule_row(office.event, check.turn, row.line, decision, login.name, on=row.ground, asked=asked_of(row))


def _settle_page(office: Office, login: Login, page: queue.StrayPage, key: PressedKey) -> None:
    """Say which sheet a page is, or put it aside."""
    if key.do is Do.IDENTIFY:
        identify_page(office.event, page.fact, key.value, best_recogniser(), login.name)
    elif key.do is Do.ASIDE:
        pages = [each.fact for each in pages_like(office.live, page, key.value)]
        set_pages_aside(office.event, pages, login.name, key.why)
    else:
        raise stop(f"{key.do.value!r} does not settle a page; nothing was decided", page.name)


def pages_like(live: LiveDesk, page: queue.StrayPage, how: str) -> list[queue.StrayPage]:
    """The waiting pages that are put aside together: of a page's file, or of its tray, if no sheet is offered for them.

    A page for which a sheet is offered is put aside alone.
    """
    waiting = [item for item in queue.agenda(live) if isinstance(item, queue.StrayPage)]
    read = page.fact.said
    match how:
        case "file" if not read.offers:
            return [each for each in waiting if each.fact.said.sha256 == read.sha256 and not each.fact.said.offers]
        case "kind" if not read.offers:
            return [each for each in waiting if each.fact.said.tray is read.tray and not each.fact.said.offers]
    return [page]


def _settle_late(office: Office, login: Login, late: LateArrival, key: PressedKey) -> None:
    """Put an unexpected sheet aside, with all its pages."""
    if key.do is not Do.ASIDE:
        raise stop(f"{key.do.value!r} does not settle a late sheet; nothing was decided", late.sheet)
    pages = [find_page(office.event, sha256, page) for sha256, page in late.pages]
    set_pages_aside(office.event, pages, login.name, key.why)


def _key_in(office: Office, login: Login, entry: queue.UnwrittenPhase, key: PressedKey) -> None:
    """Write down retreats or adjustments of a board: ``values`` are "turn: order"; a turn without one still waits."""
    if key.do is not Do.ENTRY:
        raise stop(f"{key.do.value!r} does not enter retreats or adjustments; nothing was decided", entry.board)
    lines: dict[str, list[Order]] = {str(turn): [] for turn in entry.turns}
    for text in key.values:
        turn, _, order = text.partition(": ")
        if turn not in lines:
            raise stop("nothing is due there", turn)
        try:
            lines[turn].append(read_order(order))
        except NotAnOrder as error:
            raise stop(str(error), turn) from error
    game = office.live.games[entry.board]
    wrong = [
        Problem(Weight.STOPS, text, str(each))
        for each in entry.turns
        for text in orders_not_offered(office.event, game, each.power, lines[str(each)])
    ]
    wrong = wrong or [
        Problem(Weight.STOPS, meant.doubt, str(each))
        for each in entry.turns
        for meant in meaning_of(office.event, game, each.power, list(map(write, lines[str(each)]))).doubtful()
    ]
    if wrong:
        raise Stopped(wrong)
    with office.event.facts.transaction():
        for each in entry.turns:
            if lines[str(each)]:
                decision = rulings.RowDecision(order="; ".join(map(write, lines[str(each)])), why=KEYED_IN)
                with office.event.facts.transaction():
                    typed = rulings.type_lines(office.event, each, (), by=login.name)
                    rulings.rule_row(office.event, each, 0, decision, login.name, on=RulingBasis(typed=typed.number))


def _publish_board(office: Office, login: Login, ready: queue.Ready, key: PressedKey) -> None:
    """Publish a board that was shown row by row (`act` has checked that it has not changed since)."""
    if key.do is not Do.PUBLISH or not may(login, Right.PUBLISH):
        raise stop("only a director publishes, by G", ready.board)
    publish(office.event, ready.board, login.name)


def _act_on_turn(office: Office, login: Login, key: PressedKey) -> Focus:
    """Key in a power's lines instead of its sheet, or decide on its sheet, without being asked."""
    turn = turn_named(office, login, key.token)
    newest = office.event.facts.last_number()
    fact: Fact[events.LinesTyped] | Fact[events.SheetRuled]
    if key.do is Do.TYPE:
        fact = Typist(office, turn).write(key.values, key.units, key.sure, login.name)
    elif key.value in WITHOUT_SHEET:
        game, decision = office.live.games[turn.board], SheetDecision(key.value)
        fact = rule_unasked(office.live.desk, game, turn, decision, by=login.name, why=key.why)
    else:
        raise stop(f"{key.value!r} is no decision on a sheet", str(turn))
    again = f"{rulings.written_in_words((fact,), newest)}; " if fact.number <= newest else ""
    return Focus(turn=str(turn), effect=again + _what_counts(office, turn))


def _what_counts(office: Office, turn: Turn) -> str:
    """What counts for a turn now, with the rule; shown after decisions that may set lines or sheets aside."""
    office.live.refresh()
    power = office.live.power(office.live.games[turn.board], turn.power)
    notes = texts_on_page(problem for problem in power.problems if problem.weight is Weight.NOTES)
    return "; ".join([f"{turn.power.title()}: {power.state}", *notes])


def turn_named(office: Office, login: Login, name: str) -> Turn:
    """Find a turn that is now being written, on a board that this login may see."""
    for game in office.live.games.values():
        for power in office.live.board(game):
            turn = Turn(game.name, game.position.phase, power.power)
            if str(turn) == name:
                office.game(login, game.name)
                return turn
    raise stop("no orders are due here any more; reload the page", name)
