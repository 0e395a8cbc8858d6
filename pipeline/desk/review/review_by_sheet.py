"""The queue as a spreadsheet: every doubt in words, with its answers and a mark that names what was shown."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pipeline.desk.event.event import Event
from pipeline.desk.event.games import games
from pipeline.desk.event.turn import Turn
from pipeline.desk.review.cards import AnswerCard, cards_of
from pipeline.desk.review.orders_shown import each_once
from pipeline.desk.review.queue import ReviewItem, queue
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rows import Row
from pipeline.desk.ruling.rulings import NOTHING, RowDecision
from pipeline.desk.ruling.sheet_state import FAULTS, SheetDoubt
from pipeline.desk.sheets.sheets_in import SheetIn
from pipeline.ledger.events import Decision, LinesTyped, RowRuled
from pipeline.ledger.ledger import Fact
from pipeline.ledger.parts import SheetDecision
from pipeline.orders.notation import write
from pipeline.problems import Problem
from pipeline.words import sentence, sentences
from pipeline.workbook.review.review_sheet import ReviewLine, write_review

THE_RULE = "take the rule"
READINGS = 3  # shown of a row
SHORT = 40  # characters: a reason that can stand beside its order
OFFERED = (SheetDecision.ACCEPTED, SheetDecision.REFUSED, SheetDecision.LATE)
LATER = (SheetDecision.LATE_READING, SheetDecision.LATE_DEMANDED, *FAULTS)


@dataclass(frozen=True, slots=True)
class OnSheet:
    """What is decided about a sheet of paper."""

    decision: SheetDecision
    serial: int | None = None  # the sheet that counts, of two


Answer = RowDecision | OnSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """One line: a whole sheet, a unit without a row, or a row of paper with everything on it that waits.

    A row may give several orders. The director rules on the whole row, so what is settled on it stands beside.
    """

    doubts: tuple[ReviewItem, ...]  # at least one; several only on one row
    settled: tuple[Row, ...] = ()  # what else is on the row, and waits for nobody
    cards: tuple[AnswerCard, ...] = ()  # what may be decided about each doubt, what is written first
    sheets: tuple[SheetIn, ...]
    mark: str = ""  # names all of this; a decision on anything else is refused

    @property
    def doubt(self) -> ReviewItem:
        """The first doubt, for what they have in common."""
        return self.doubts[0]

    @property
    def rows(self) -> tuple[Row, ...]:
        """What waits on the row; nothing where it is about the whole sheet."""
        return tuple(doubt.row for doubt in self.doubts if doubt.row)

    @property
    def answers(self) -> Mapping[str, Answer]:
        """What may be chosen from the list."""
        return row_answers(self) if self.rows else dict(sheet_answers(self.sheets))


def waiting_lines(event: Event, board: str | None = None) -> tuple[Waiting, ...]:
    """Everything that waits, in the order of the queue; one line for each row of paper."""
    desk, known = Desk.of(event), games(event)
    rulings = tuple(event.facts.told(Decision))
    groups: dict[tuple[str, int, object], list[ReviewItem]] = {}
    for doubt in queue(event, board):
        row = doubt.row
        about: tuple[int, object] = (row.line, row.lacks) if row else (-1, doubt.problem)
        groups.setdefault((str(doubt.turn), *about), []).append(doubt)
    found = []
    for doubts in groups.values():
        turn, row = doubts[0].turn, doubts[0].row
        rows = desk.power(known[turn.board], turn.power).rows if row and row.line else ()
        settled = tuple(each for each in rows if row and each.line == row.line and not each.needs_director)
        asked = (each.row for each in doubts if each.row)
        cards = tuple(card for row in asked for card in cards_of(event, known[turn.board], turn, row))
        line = Waiting(doubts=tuple(doubts), settled=settled, cards=cards, sheets=desk.sheets.get(turn, ()))
        found.append(replace(line, mark=mark_of(event.details.code, line, rulings)))
    return tuple(found)


def row_answers(waiting: Waiting) -> dict[str, Answer]:
    """What may be decided about a row: the rule, what is written, another order, nothing."""
    without = waiting.rows[0].without
    answers: dict[str, Answer] = {}
    if all(doubt.by_rule is not None for doubt in waiting.doubts):
        by_rule = [doubt.by_rule for doubt in waiting.doubts if doubt.by_rule]
        rules = ", ".join(dict.fromkeys(row.rule for row in waiting.rows))
        why = f"by the rule {rules}".strip()
        answers[THE_RULE] = RowDecision(order=beside(waiting, by_rule), why=why, without=without)
    for card in waiting.cards if len(waiting.doubts) == 1 else ():
        if card.is_nothing:
            answers[NOTHING] = card.decision
        else:
            chosen = card.decision if card.order is None else RowDecision(order=beside(waiting, [card.title]))
            answers[card.title] = chosen
    if (rest := beside(waiting, [])) != NOTHING:
        answers[f"only {rest}"] = RowDecision(order=rest)
    return {**answers, NOTHING: RowDecision(order=NOTHING, without=without)}


def beside(waiting: Waiting, orders: Iterable[str]) -> str:
    """Orders for what waits on a row, together with the orders on it that are settled."""
    settled = [write(row.order) for row in waiting.settled if row.order is not None]
    stand = dict.fromkeys(order for order in (*settled, *orders) if order != NOTHING)
    return "; ".join(stand) or NOTHING


def sheet_answers(sheets: tuple[SheetIn, ...]) -> Iterable[tuple[str, Answer]]:
    """What may be decided about a missing sheet, or about those that are in."""
    if not sheets:
        yield str(SheetDecision.NO_ORDERS), OnSheet(SheetDecision.NO_ORDERS)
        return
    parts = [sheet.printed.said.part for sheet in sheets if not sheet.is_empty]
    for sheet in sheets if len(set(parts)) < len(parts) else ():
        yield f"{sheet.printed.id} counts", OnSheet(SheetDecision.CHOSEN, sheet.serial)
    unsigned = any(sheet.scans[-1].signed is False for sheet in sheets)
    for decision in (*OFFERED, *LATER, *((SheetDecision.ALL_UNSIGNED,) if unsigned else ())):
        yield str(decision), OnSheet(decision)


def mark_of(code: str, waiting: Waiting, rulings: Iterable[Fact[Decision]]) -> str:
    """Name a line and everything that it shows; an earlier ruling on it, undone or not, is part of that."""
    doubt = waiting.doubt
    line = doubt.row.line if doubt.row else "sheet"
    about = [fact.number for fact in rulings if is_about(fact.said, doubt)]
    papers = () if waiting.rows else waiting.sheets
    shown = [*map(shown_of, waiting.doubts), beside(waiting, []), *map(lines_of_paper, papers)]
    digest = hashlib.blake2b(json.dumps([shown, about]).encode(), digest_size=9).hexdigest()
    return f"{code}|{doubt.turn}|{line}|{digest}"


def shown_of(doubt: ReviewItem) -> list[Any]:
    """What is shown of a doubt, as JSON: the same in every process."""
    row = doubt.row
    if row is None:
        return [each.key for each in doubt.problem.because] if isinstance(doubt.problem, SheetDoubt) else []
    readings = [[reading.text, reading.confidence] for reading in row.readings]
    answers: list[Any] = (
        [write(order) for order in row.candidates] + [[told.key for told in why] for why in row.whys] + [doubt.by_rule]
    )
    return [
        row.ink,
        readings,
        row.status,
        list(row.flags),
        row.rule,
        [told.key for told in row.because],
        row.crop,
        answers,
    ]


def is_about(said: Decision, doubt: ReviewItem) -> bool:
    """Whether a decision was one on this doubt; rulings on line 0 are told apart by what they were asked."""
    row = doubt.row
    if Turn.of(said) != doubt.turn or isinstance(said, LinesTyped):
        return False
    if row is None or not isinstance(said, RowRuled):
        return row is None and not isinstance(said, RowRuled)
    if row.line > 0 or said.line > 0:
        return said.line == row.line
    return said.without == row.without or (said.asked.lacks if said.asked else None) == row.lacks


def write_review_sheet(event: Event, board: str | None, how: str) -> tuple[bytes, int, tuple[Problem, ...]]:
    """Write the queue as a workbook; gives its bytes, how many lines it has, and what no cell can hold."""
    lines = waiting_lines(event, board)
    title = f"{event.details.name} ({event.details.code}){f', board {board}' if board else ''}"
    data, losses = write_review([asked_line(event, line) for line in lines], title=title, how=how)
    return data, len(lines), losses


def asked_line(event: Event, waiting: Waiting) -> ReviewLine:
    """Put one line into words; power names always, player names never."""
    doubt, rows = waiting.doubt, waiting.rows
    line = rows[0].line if rows else None
    problem = doubt.problem.text if doubt.problem else ""
    by_rule = waiting.answers.get(THE_RULE)
    quotes = [quote for each in waiting.doubts for quote in event.tournament.quotes(each.settings)]
    rest = [f"the row also gives {beside(waiting, [])}"] if waiting.settled else []
    return ReviewLine(
        mark=waiting.mark,
        board=doubt.turn.board,
        phase=str(doubt.turn.phase),
        power=doubt.turn.power.title(),
        line="sheet" if line is None else str(line) if line else "no row",
        picture=picture_of(event, rows[0] if rows else None),
        read=told(readings_of(rows[0]) if rows else map(lines_of_paper, waiting.sheets)),
        doubt=told(flag.replace("_", " ").lower() for row in rows for flag in row.flags) if rows else "whole sheet",
        reason=told([*(row.reason for row in rows), problem, *rest, *map(str, quotes)]),
        rule=told(quote.rule for quote in quotes),
        by_rule=in_words(by_rule.order) if isinstance(by_rule, RowDecision) else "",
        may_be=told(cards_in_words(waiting.cards)),
        choices=tuple(waiting.answers),
        takes_text=bool(line),
        takes_order=line is not None,
    )


def told(parts: Iterable[str]) -> str:
    """Things to say, each once, one below the other."""
    return "\n".join(dict.fromkeys(part for part in parts if part))


def in_words(order: str | None) -> str:
    """What stands by a rule."""
    return "no order" if order in (None, NOTHING) else str(order)


def picture_of(event: Event, row: Row | None) -> bytes | None:
    """The row's picture; none where there is no row, or the picture was cleared away."""
    path = event.folder / row.crop if row and row.crop else None
    return path.read_bytes() if path and path.is_file() else None


def readings_of(row: Row) -> list[str]:
    """What the ink was taken for, likeliest first, the same letters once.

    No percentages: a reader's confidence and the share of an order that ticks leave open are not of the same thing.
    """
    found = [reading.text for reading in each_once(row.readings)[:READINGS]]
    return found or ([row.ink] if row.ink else [])


def cards_in_words(cards: Iterable[AnswerCard]) -> list[str]:
    """What a row may be; of a long reason only its end, which says what speaks against the order."""
    found = []
    for card in (card for card in cards if not card.is_nothing):
        whole = sentences(card.because)
        short = whole if len(whole) <= SHORT else sentence(card.because[-1]) if len(card.because) > 1 else ""
        told = "; ".join(filter(None, (card.condition, card.words, short)))
        found.append(f"{card.title}: {told}" if told else card.title)
    return found


def lines_of_paper(sheet: SheetIn) -> str:
    """A sheet of paper in one line: its printed id, and what is read on it."""
    told = " · ".join(line.text or "…" for line in sheet.lines if line.readings) or "empty"
    return f"{sheet.printed.id}: {told}"
