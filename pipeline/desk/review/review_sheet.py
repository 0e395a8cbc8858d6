"""The queue as a spreadsheet: every doubt in words, its possible answers, and a fingerprint of what was shown."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace
from PIL import Image

from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game, find_game, games
from pipeline.desk.event.people import Turn
from pipeline.desk.review.meaning import MeansNothing, follow_decision, meaning_on_rows
from pipeline.desk.review.orders_shown import each_once
from pipeline.desk.review.queue import (
    EMPTY_IN_SCAN,
    AnswerCard,
    ReviewItem,
    cards_of,
    name_scan,
    queue,
    rulings_by_scan,
)
from pipeline.desk.ruling.desk import Desk, asked_of, asked_of_sheet
from pipeline.desk.ruling.rows import Row, refuse_implied
from pipeline.desk.ruling.rulings import NOTHING, RowDecision, rule_row, rule_sheet
from pipeline.desk.ruling.sheet_state import FAULTS, SheetDoubt
from pipeline.desk.sheets.sheets_in import SheetIn
from pipeline.interpret.doubts import LineDoubt
from pipeline.ledger.events import Decision, DecisionUndone, LinesTyped, RowRuled
from pipeline.ledger.files import local_time
from pipeline.ledger.ledger import Fact, undone_in
from pipeline.ledger.parts import SheetDecision
from pipeline.orders import write
from pipeline.problems import ExitCode, Problem, Stopped, Weight, stop
from pipeline.rules.table import did_you_mean
from pipeline.words.speech import sentence, sentences
from pipeline.workbook.review_sheet import Filled, ReviewLine, read_review, write_review

THE_RULE = "take the rule"
READINGS = 3  # shown of a row
BETWEEN = 4  # pixels of black between the pictures of two scans
SHORT = 40  # characters: a reason that can stand beside its order
OFFERED = (SheetDecision.ACCEPTED, SheetDecision.REFUSED, SheetDecision.LATE)
SELDOM = (SheetDecision.LATE_READING, SheetDecision.LATE_DEMANDED, *FAULTS)


class OnSheet(Struct, frozen=True):
    """What is decided about a sheet of paper."""

    decision: SheetDecision
    serial: int | None = None  # the sheet that counts, of two


class OnScan(Struct, frozen=True):
    """Every row on which the scans of a sheet differ is taken as one of them shows it."""

    number: int  # 1.., the oldest first


FilledAnswer = RowDecision | OnSheet | OnScan


class Waiting(Struct, frozen=True, kw_only=True):
    """One line: a whole sheet, a unit without a row, or a row of paper with everything on it that waits.

    A row may give several orders. The director rules on the whole row, so its settled orders are listed, too.
    """

    doubts: tuple[ReviewItem, ...]  # at least one; several only on one row
    settled: tuple[Row, ...] = ()  # other orders of the row that are settled
    cards: tuple[AnswerCard, ...] = ()  # what may be decided about each doubt, what is written first
    sheets: tuple[SheetIn, ...]
    mark: str = ""  # fingerprint of the line; a decision is refused if the line has changed since

    @property
    def doubt(self) -> ReviewItem:
        """The first doubt, for what all doubts of the line have in common."""
        return self.doubts[0]

    @property
    def rows(self) -> tuple[Row, ...]:
        """The questions on the row; empty if the line is about the whole sheet."""
        return tuple(doubt.row for doubt in self.doubts if doubt.row)

    @property
    def answers(self) -> Mapping[str, FilledAnswer]:
        """What may be chosen from the list."""
        return _row_answers(self) if self.rows else dict(_sheet_answers(self.sheets))


def _waiting_lines(event: Event, board: str | None = None) -> tuple[Waiting, ...]:
    """Everything that waits, in the order of the queue; one line for each row of paper."""
    desk, known = Desk.of(event), games(event)
    rulings = tuple(event.facts.select(Decision))
    groups: dict[tuple[str, int, object], list[ReviewItem]] = {}
    for doubt in queue(event, board):
        row = doubt.row
        about = (-1, doubt.problem) if row is None else (row.line, None if row.line else row.lacks)
        groups.setdefault((str(doubt.turn), *about), []).append(doubt)
    waiting = []
    for doubts in groups.values():
        turn, row = doubts[0].turn, doubts[0].row
        rows = desk.power(known[turn.board], turn.power).rows if row and row.line else ()
        settled = tuple(each for each in rows if row and each.line == row.line and not each.needs_director)
        asked = (each.row for each in doubts if each.row)
        cards = tuple(card for row in asked for card in cards_of(desk, known[turn.board], turn, row))
        line = Waiting(doubts=tuple(doubts), settled=settled, cards=cards, sheets=desk.sheets.get(turn, ()))
        waiting.append(replace(line, mark=_mark_of(event.details.code, line, rulings)))
    return tuple(waiting)


def _row_answers(waiting: Waiting) -> dict[str, FilledAnswer]:
    """What may be decided about a row: the rule, what is written, another order, nothing."""
    without = waiting.rows[0].without if not waiting.rows[0].line else ()
    answers: dict[str, FilledAnswer] = {}
    if all(doubt.by_rule is not None for doubt in waiting.doubts):
        by_rule = [doubt.by_rule for doubt in waiting.doubts if doubt.by_rule]
        rules = ", ".join(dict.fromkeys(row.rule for row in waiting.rows))
        why = f"by the rule {rules}".strip()
        answers[THE_RULE] = RowDecision(order=_with_settled(waiting, by_rule), why=why, without=without)
    for card in waiting.cards if len(waiting.doubts) == 1 else ():
        if card.scan:
            answers[card.title] = OnScan(card.scan)
        elif card.is_nothing:
            answers[NOTHING] = card.decision
        else:
            chosen = card.decision if card.order is None else RowDecision(order=_with_settled(waiting, [card.title]))
            answers[card.title] = chosen
    if (rest := _with_settled(waiting, [])) != NOTHING:
        answers[f"only {rest}"] = RowDecision(order=rest)
    return {**answers, NOTHING: RowDecision(order=NOTHING, without=without)}


def _with_settled(waiting: Waiting, orders: Iterable[str]) -> str:
    """Orders for what waits on a row, together with the orders on it that are settled."""
    settled = [write(row.order) for row in waiting.settled if row.order is not None]
    stand = dict.fromkeys(order for order in (*settled, *orders) if order != NOTHING)
    return "; ".join(stand) or NOTHING


def _sheet_answers(sheets: tuple[SheetIn, ...]) -> Iterable[tuple[str, FilledAnswer]]:
    """What may be decided about a missing sheet, or about those that are in."""
    if not sheets:
        yield str(SheetDecision.NO_ORDERS), OnSheet(SheetDecision.NO_ORDERS)
        return
    parts = [sheet.printed.request.part for sheet in sheets if not sheet.is_empty]
    for sheet in sheets if len(set(parts)) < len(parts) else ():
        yield f"{sheet.printed.id} counts", OnSheet(SheetDecision.CHOSEN, sheet.serial)
    unsigned = any(sheet.scans[-1].signed is False for sheet in sheets)
    for decision in (*OFFERED, *SELDOM, *((SheetDecision.ALL_UNSIGNED,) if unsigned else ())):
        yield str(decision), OnSheet(decision)


def _mark_of(code: str, waiting: Waiting, rulings: Iterable[Fact[Decision]]) -> str:
    """Fingerprint of a line with all that it shows and every earlier ruling on it, undone or not."""
    doubt = waiting.doubt
    line = doubt.row.line if doubt.row else "sheet"
    about = [fact.number for fact in rulings if _is_about(fact.said, doubt)]
    papers = () if waiting.rows else waiting.sheets
    shown = [*map(_shown_of, waiting.doubts), _with_settled(waiting, []), *map(_lines_of_paper, papers)]
    digest = hashlib.blake2b(json.dumps([shown, about]).encode(), digest_size=9).hexdigest()
    return f"{code}|{doubt.turn}|{line}|{digest}"


def _shown_of(doubt: ReviewItem) -> list[Any]:
    """What is shown of a doubt, as JSON: the same in every process."""
    row = doubt.row
    if row is None:
        return [each.key for each in doubt.problem.because] if isinstance(doubt.problem, SheetDoubt) else []
    readings = [[reading.text, reading.confidence] for reading in row.readings]
    answers: list[Any] = (
        [write(order) for order in row.candidates] + [[each.key for each in why] for why in row.whys] + [doubt.by_rule]
    )
    return [
        row.ink,
        readings,
        row.status,
        list(row.flags),
        row.rule,
        [each.key for each in row.because],
        row.crop,
        answers,
    ]


def _is_about(said: Decision, doubt: ReviewItem) -> bool:
    """Whether a decision was about this doubt; on line 0 (units without a row) by its question."""
    row = doubt.row
    if Turn.of(said) != doubt.turn or isinstance(said, LinesTyped):
        return False
    if row is None or not isinstance(said, RowRuled):
        return row is None and not isinstance(said, RowRuled)
    if row.line > 0 or said.line > 0:
        return said.line == row.line
    return said.without == row.without or (said.asked.lacks if said.asked else None) == row.lacks


def write_review_sheet(event: Event, board: str | None, how: str) -> tuple[bytes, int, tuple[Problem, ...]]:
    """Write the queue as a workbook; returns its bytes, the number of lines, and text that no cell can hold."""
    lines = _waiting_lines(event, board)
    title = f"{event.details.name} ({event.details.code}){f', board {board}' if board else ''}"
    asked = [_asked_line(event, line) for line in lines]
    data, losses = write_review(asked, title=title, how=how, paper=event.details.paper)
    return data, len(lines), losses


def _asked_line(event: Event, waiting: Waiting) -> ReviewLine:
    """Put one line into words; power names always, player names never."""
    doubt, rows = waiting.doubt, waiting.rows
    line = rows[0].line if rows else None
    problem = doubt.problem.text if doubt.problem else ""
    rule, by_rule = waiting.answers.get(THE_RULE), ""
    if isinstance(rule, RowDecision):
        by_rule = "no order" if rule.order in (None, NOTHING) else str(rule.order)
    quotes = [quote for each in waiting.doubts for quote in event.tournament.quotes(each.settings)]
    rest = [f"the row also gives {_with_settled(waiting, [])}"] if waiting.settled else []
    return ReviewLine(
        mark=waiting.mark,
        board=doubt.turn.board,
        phase=str(doubt.turn.phase),
        power=doubt.turn.power.title(),
        line="sheet" if line is None else str(line) if line else "no row",
        picture=_row_picture(event, rows[0] if rows else None),
        read=_one_a_line(_readings_of(rows[0]) if rows else map(_lines_of_paper, waiting.sheets)),
        doubt=_one_a_line(flag.replace("_", " ").lower() for row in rows for flag in row.flags)
        if rows
        else "whole sheet",
        reason=_one_a_line([*(row.reason for row in rows), problem, *rest, *map(str, quotes)]),
        rule=_one_a_line(quote.rule for quote in quotes),
        by_rule=by_rule,
        may_be=_one_a_line(_cards_in_words(waiting.cards)),
        choices=tuple(waiting.answers),
        takes_text=bool(line),
        takes_order=line is not None,
    )


def _one_a_line(parts: Iterable[str]) -> str:
    """Join texts with line breaks, each only once."""
    return "\n".join(dict.fromkeys(part for part in parts if part))


def _row_picture(event: Event, row: Row | None) -> bytes | None:
    """The row's picture, of scans that differ the oldest on top; none where there is no row, or it was cleared away."""
    crops = () if row is None else tuple(scan.crop for scan in row.scans) or (row.crop or "",)
    pictures = [path.read_bytes() for crop in crops if crop and (path := event.folder / crop).is_file()]
    return pictures[0] if len(pictures) == 1 else _stack_pictures(pictures) if pictures else None


def _stack_pictures(pictures: Sequence[bytes]) -> bytes:
    """One PNG of several, one below the other, with a black line between."""
    images = [Image.open(BytesIO(data)).convert("L") for data in pictures]
    whole = Image.new(
        "L", (max(each.width for each in images), sum(each.height + BETWEEN for each in images) - BETWEEN)
    )
    top = 0
    for each in images:
        whole.paste(each, (0, top))
        top += each.height + BETWEEN
    out = BytesIO()
    whole.save(out, "PNG")
    return out.getvalue()


def _readings_of(row: Row) -> list[str]:
    """The readings of a row, likeliest first, equal letters only once; or what each scan of it shows.

    No percentages: the reader's confidence in handwriting cannot be compared with its confidence in ticks.
    """
    if row.scans:
        scans = enumerate(row.scans, start=1)
        return [f"{name_scan(n)}, {local_time(scan.at)}: {scan.line.text or EMPTY_IN_SCAN}" for n, scan in scans]
    texts = [reading.text for reading in each_once(row.readings)[:READINGS]]
    return texts or ([row.ink] if row.ink else [])


def _cards_in_words(cards: Iterable[AnswerCard]) -> list[str]:
    """The choices for a row; of a long reason only the last sentence is shown, which speaks against the order."""
    words = []
    for card in (card for card in cards if card.scan or not card.is_nothing):
        whole = sentences(card.because)
        short = whole if len(whole) <= SHORT else sentence(card.because[-1]) if len(card.because) > 1 else ""
        text = "; ".join(filter(None, (card.condition, card.words, short)))
        words.append(f"{card.title}: {text}" if text else card.title)
    return words


def _lines_of_paper(sheet: SheetIn) -> str:
    """A sheet of paper in one line: its printed id, and what is read on it."""
    text = " · ".join(line.text or "…" for line in sheet.lines if line.readings) or "empty"
    return f"{sheet.printed.id}: {text}"


# Reading a filled-in Review sheet: each decision is checked against what waits now, then written down or refused.

DASHES = re.compile(r"(?:(?<!\s)\s+)?[-–—−‐‑]+\s*")  # spreadsheet programs make long dashes of short ones
KEEP = "if it is meant so, give a reason in Why"
AGAIN = "write a new sheet with --xlsx and decide there"
MARK_PARTS = 4  # event, turn, line, digest


class NotTaken(ValueError):
    """The decision of one line is refused; the text says why."""


class WeighedLine(Struct, frozen=True):
    """One line whose decision can be written down."""

    line: Filled
    doubt: ReviewItem
    answer: FilledAnswer

    @property
    def texts(self) -> tuple[str, ...]:
        """What stands on the row then: the text that is typed, or each order."""
        orders = self.answer.orders if isinstance(self.answer, RowDecision) else ()
        return (self.line.text,) if orders is None else tuple(map(write, orders))


class TakenBack(Struct, frozen=True):
    """The result of reading a filled-in spreadsheet."""

    facts: tuple[Fact[Decision], ...]
    taken_before: int  # lines whose decision was taken from this sheet already
    refused: tuple[Problem, ...]
    left: int  # what waits now


def take_sheet_back(event: Event, data: bytes, where: str, by: str, *, anyway: bool = False) -> TakenBack:
    """Write down every valid decision and list every invalid one; all lines are checked before any is written.

    ``anyway``: text that the rules do not follow is confirmed, even without a Why.
    """
    number = event.facts.last_number()
    weighing = _weigh(event, data, where, anyway=anyway)
    with event.facts.transaction():
        if event.facts.last_number() != number and weighing.to_take:
            raise stop("somebody else decided meanwhile; nothing was read in, try again", where, ExitCode.WITH_FAULTS)
        facts = tuple(_write_decision(event, weighed, by) for weighed in weighing.row_by_row)
        facts += tuple(fact for lines in weighing.by_scan.values() for fact in _write_scan(event, lines, by))
    left = sum(1 for _ in queue(event))
    return TakenBack(facts, len(weighing.taken_before), tuple(weighing.refused), left)


def count_open_lines(event: Event, data: bytes, where: str) -> int:
    """How many lines of a sheet are filled in, and were not read in yet."""
    weighing = _weigh(event, data, where)
    return len(weighing.to_take) + len(weighing.refused)


def _weigh(event: Event, data: bytes, where: str, *, anyway: bool = False) -> "SheetWeighing":
    """Check every line that is filled in, and write nothing."""
    lines, refused = read_review(data, where)
    now = {line.mark: line for line in _waiting_lines(event)}
    weighing = SheetWeighing(event, Desk.of(event), games(event), Past.of(event), anyway, refused=refused)
    for line in lines:
        if line.mark in now:
            weighing.take(line, now[line.mark])
        else:
            weighing.look_back(line)
    weighing.look_at_rows()
    weighing.look_at_scans()
    weighing.refused.sort(key=lambda problem: int(re.sub(r"\D", "", problem.where)))
    return weighing


def _write_scan(event: Event, lines: Sequence[WeighedLine], by: str) -> tuple[Fact[Decision], ...]:
    """Write down that one scan of a sheet is taken as a whole; ``lines`` all say so."""
    doubt, answer = lines[0].doubt, lines[0].answer
    assert isinstance(answer, OnScan)
    game, why = find_game(event, doubt.turn.board), next((each.line.why for each in lines if each.line.why), "")
    said = {each.doubt.row.line: each.line for each in lines if each.doubt.row}
    rulings = rulings_by_scan(Desk.of(event), game, doubt, answer.number, why)
    return event.facts.write_all((_with_mark(ruling, said.get(row.line)) for row, ruling in rulings), by)


def _with_mark(ruling: RowRuled, line: Filled | None) -> RowRuled:
    """A ruling with the line that it was made on, if it has one, so that the line is known when it is read again."""
    if line is None or ruling.asked is None:
        return ruling
    return replace(ruling, asked=replace(ruling.asked, mark=line.mark, answer=_describe_line(line)))


def _write_decision(event: Event, weighed: WeighedLine, by: str) -> Fact[Decision]:
    """Write one decision on a row or a sheet as a ruling, with its question, so that the rulings book finds it."""
    line, doubt = weighed.line, weighed.doubt
    assert not isinstance(weighed.answer, OnScan)
    match weighed.answer:
        case OnSheet(decision, serial):
            about = asked_of_sheet(doubt.problem)
            return rule_sheet(event, doubt.turn, decision, by=by, why=line.why, serial=serial, asked=about)
        case decision:
            assert doubt.row is not None
            asked = replace(asked_of(doubt.row), mark=line.mark, answer=_describe_line(line))
            return rule_row(event, doubt.turn, doubt.row.line, decision, by, on=doubt.row.ground, asked=asked)


def _describe_line(line: Filled) -> str:
    """Describe a line's decision, to compare it when the same file is read again."""
    return f"Decision {line.decision}" if line.decision else f"Text {line.text}" if line.text else f"Order {line.order}"


class Past(Struct, frozen=True):
    """What was ruled so far."""

    rulings: tuple[Fact[RowRuled], ...]
    undone: frozenset[int]

    @classmethod
    def of(cls, event: Event) -> "Past":
        """Read the rulings on rows."""
        undone = frozenset(undone_in(event.facts.select(DecisionUndone)))
        return cls(tuple(event.facts.select(RowRuled)), undone)

    def ruling_from(self, mark: str) -> Fact[RowRuled] | None:
        """The ruling that was taken from a line of a sheet."""
        return next((fact for fact in self.rulings if fact.said.asked and fact.said.asked.mark == mark), None)

    def on(self, turn: str, line: str) -> Fact[RowRuled] | None:
        """The newest ruling on a row that is not undone."""
        for fact in reversed(self.rulings):
            if (str(Turn.of(fact.said)), str(fact.said.line)) == (turn, line) and fact.number not in self.undone:
                return fact
        return None


class SheetWeighing(Struct):
    """Checks a filled-in spreadsheet against the event as it is now."""

    event: Event
    desk: Desk
    games: Mapping[str, Game]
    past: Past
    anyway: bool  # whether everything is meant as it is typed
    to_take: list[WeighedLine] = field(default_factory=list)
    taken_before: list[Filled] = field(default_factory=list)
    refused: list[Problem] = field(default_factory=list)

    def refuse(self, line: Filled, text: str) -> None:
        self.refused.append(Problem(Weight.STOPS, text, line.where))

    def take(self, line: Filled, waiting: Waiting) -> None:
        """Check a line whose question is unchanged: accept its decision, or say what is wrong with it."""
        try:
            self.to_take.append(WeighedLine(line, waiting.doubt, self.answer(line, waiting)))
        except NotTaken as error:
            self.refuse(line, str(error))

    def answer(self, line: Filled, waiting: Waiting) -> FilledAnswer:
        """Read the decision of a line, or say what is wrong with it (`NotTaken`)."""
        row = waiting.doubt.row
        if line.decision:
            answer = _find_answer(line.decision, waiting)
        elif row is None:
            listed = f"choose {_quoted_answers(waiting)} in Decision, or type its lines with 'rule --type'"
            raise NotTaken(f"this is about the whole sheet; {listed}")
        else:
            without = () if row.line else row.without
            answer = RowDecision(text=line.text) if line.text else _read_typed_order(line.order, without)
        if isinstance(answer, OnScan):
            self.check_scan(waiting.doubt, answer)
        if isinstance(answer, OnSheet | OnScan) or row is None:
            return answer
        if faults := answer.faults(row.line):
            raise NotTaken("; ".join(faults))
        if answer.orders and not self.is_meant(line) and answer != waiting.answers.get(THE_RULE):
            answer = self.follow(waiting.doubt.turn, row.line, answer)
        if answer.orders is not None:
            answer = refuse_implied(waiting.rows, answer)
        return replace(answer, why=line.why or answer.why)

    def check_scan(self, doubt: ReviewItem, answer: OnScan) -> None:
        """Refuse a scan that settles no row."""
        try:
            rulings_by_scan(self.desk, self.games[doubt.turn.board], doubt, answer.number, "")
        except Stopped as stopped:
            raise NotTaken("; ".join(problem.text for problem in stopped.problems)) from stopped

    def is_meant(self, line: Filled) -> bool:
        """Whether the typed text is confirmed, even if the rules do not follow it."""
        return self.anyway or bool(line.why)

    def follow(self, turn: Turn, line: int, decision: RowDecision) -> RowDecision:
        """The decision as the rules follow it; what they do not follow is more often a slip, and needs a reason."""
        try:
            return follow_decision(self.desk, self.games[turn.board], turn, line, decision, KEEP)
        except MeansNothing as stopped:
            raise NotTaken("; ".join(problem.text for problem in stopped.problems)) from stopped

    @property
    def row_by_row(self) -> list[WeighedLine]:
        """What is decided of single rows and of sheets; written before a scan is taken for all rows that are left."""
        return [each for each in self.to_take if not isinstance(each.answer, OnScan)]

    @property
    def by_scan(self) -> dict[tuple[Turn, int], list[WeighedLine]]:
        """The lines that take one scan as a whole, by turn and serial of the sheet."""
        by_row: dict[tuple[Turn, int], list[WeighedLine]] = {}
        for each in self.to_take:
            if isinstance(each.answer, OnScan) and each.doubt.row:
                by_row.setdefault((each.doubt.turn, each.doubt.row.ground.sheet), []).append(each)
        return by_row

    def look_at_scans(self) -> None:
        """Refuse to take two scans of one sheet as a whole."""
        for lines in self.by_scan.values():
            if len({each.answer for each in lines}) > 1:
                for each in lines:
                    self.to_take.remove(each)
                    self.refuse(each.line, "two scans of one sheet are taken as a whole; choose one")

    def look_at_rows(self) -> None:
        """Check what is typed on all rows together: two rows could give one unit two orders by mistake."""
        typed: dict[Turn, dict[int, WeighedLine]] = {}
        for each in self.to_take:
            if each.doubt.row and each.doubt.row.line and (each.line.text or each.line.order):
                typed.setdefault(each.doubt.turn, {})[each.doubt.row.line] = each
        for turn, rows in typed.items():
            meaning = meaning_on_rows(
                self.desk, self.games[turn.board], turn, {number: each.texts for number, each in rows.items()}
            )
            for meant in meaning.doubtful():
                if meant.number in rows and rows[meant.number].line.order and not meant.is_ordered_twice:
                    continue  # by itself, the order was checked before
                for each in [rows[meant.number]] if meant.number in rows else rows.values():
                    self.question(each, meant.doubt)

    def question(self, weighed: WeighedLine, doubt: str) -> None:
        """Require a reason for a typed line that the rules do not follow."""
        if weighed in self.to_take and not self.is_meant(weighed.line):
            self.to_take.remove(weighed)
            self.refuse(weighed.line, f"{doubt}; {KEEP}")

    def look_back(self, line: Filled) -> None:
        """Handle a line whose question has changed: its decision was read in before, or it is outdated."""
        code, *about = line.mark.split("|")
        own = self.event.details.code
        if len(about) != MARK_PARTS - 1:
            self.refuse(line, f"the hidden mark {line.mark!r} is damaged; {AGAIN}")
        elif code != own:
            self.refuse(line, f"this line is of the event {code}, and this is {own}; give the folder of {code}")
        elif fact := self.past.ruling_from(line.mark):
            self.look_at(line, fact)
        elif about[1] == "sheet" and self.stands(about[0], line.decision):
            self.taken_before.append(line)
        else:
            ruled = self.past.on(about[0], about[1])
            since = f"was ruled on by {ruled.by}" if ruled else "has changed"
            where = f"{about[0]} {about[1] if about[1] == 'sheet' else f'line {about[1]}'}"
            self.refuse(line, f"{where} {since} since this was written; {AGAIN}")

    def look_at(self, line: Filled, fact: Fact[RowRuled]) -> None:
        """Handle a line that was read in before: nothing to do unless it was edited or undone."""
        if fact.number in self.past.undone:
            self.refuse(
                line, f"was read in by {fact.by} (number {fact.number} of the journal), and undone since; {AGAIN}"
            )
        elif (before := fact.said.asked and fact.said.asked.answer) != _describe_line(line):
            self.refuse(
                line,
                f"was read in by {fact.by} as {before!r}, and says {_describe_line(line)!r} now; undo that one first",
            )
        else:
            self.taken_before.append(line)

    def stands(self, turn: str, decision: str) -> bool:
        """Whether a decision on a power's sheets counts now, however its letters are capitalised."""
        for each, rulings in self.desk.rulings.items():
            if str(each) == turn and rulings.sheet is not None:
                counts = OnSheet(rulings.sheet.decision, rulings.sheet.serial)
                answers = _sheet_answers(self.desk.sheets.get(each, ()))
                return any(counts == answer for name, answer in answers if name.casefold() == decision.casefold())
        return False


def _quoted_answers(waiting: Waiting) -> str:
    """What may be chosen for a line, each in its quotes: 'no orders' is one of them."""
    return ", ".join(f"'{answer}'" for answer in waiting.answers)


def _find_answer(decision: str, waiting: Waiting) -> FilledAnswer:
    """Find a decision in the list of its line."""
    known = {answer.casefold(): answer for answer in waiting.answers}
    if decision.casefold() in known:
        return waiting.answers[known[decision.casefold()]]
    if decision.casefold() == THE_RULE:
        raise NotTaken("the rules leave this line to the director; choose, or fill Text or Order")
    near = did_you_mean(decision.casefold(), tuple(known)) or f"; the list has {_quoted_answers(waiting)}"
    raise NotTaken(f"{decision!r} is not in the list of this line{near}")


def _read_typed_order(text: str, without: tuple[LineDoubt, ...]) -> RowDecision:
    """Read an order that was typed, whatever dashes and case the spreadsheet program made of it."""
    if text.casefold() == NOTHING:
        return RowDecision(order=NOTHING, without=without)
    return RowDecision(order=DASHES.sub(" - ", text.upper()))
