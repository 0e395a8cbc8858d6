"""The queue as a spreadsheet: every doubt in words, with its answers and a mark that names what was shown."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.desk.desk import Desk
from pipeline.desk.event import Event
from pipeline.desk.precedents import asked_of
from pipeline.desk.review import Doubt, queue, take_the_rule
from pipeline.desk.rows import Row
from pipeline.desk.rulings import NOTHING, RowDecision, SheetDecision
from pipeline.desk.sheets_in import SheetIn
from pipeline.desk.turn import Turn
from pipeline.orders.notation import write
from pipeline.problems import Problem
from pipeline.store.facts import Fact
from pipeline.workbook.review_sheet import Asked, write_review

THE_RULE = "take the rule"
READINGS = 3  # shown of a row
OFFERED = (SheetDecision.ACCEPTED, SheetDecision.REFUSED, SheetDecision.LATE)
LATER = (SheetDecision.LATE_READING, SheetDecision.LATE_DEMANDED)


@dataclass(frozen=True, slots=True)
class OnSheet:
    """What is decided about a sheet of paper."""

    decision: SheetDecision
    serial: int | None = None  # the sheet that counts, of two


Answer = RowDecision | OnSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """One line: a doubt, its mark, and what the drop-down answers."""

    doubt: Doubt
    mark: str
    answers: Mapping[str, Answer]
    sheets: tuple[SheetIn, ...]


def waiting_lines(event: Event, board: str | None = None) -> tuple[Waiting, ...]:
    """Everything that waits, in the order of the queue."""
    papers = Desk.of(event).sheets
    rulings = tuple(fact for fact in event.facts.read() if fact.kind in ("ruling", "sheet ruling"))
    code = event.details.code
    found = []
    for doubt in queue(event, board):
        sheets = papers.get(doubt.turn, ())
        answers = row_answers(doubt) if doubt.row else dict(sheet_answers(sheets))
        mark = mark_of(code, doubt, sheets, rulings)
        found.append(Waiting(doubt=doubt, mark=mark, answers=answers, sheets=sheets))
    return tuple(found)


def row_answers(doubt: Doubt) -> dict[str, Answer]:
    """What may be decided about a row: the rule, one of its readings, nothing."""
    row = doubt.row
    assert row is not None
    answers: dict[str, Answer] = {}
    if (by_rule := take_the_rule(doubt)) is not None:
        answers[THE_RULE] = by_rule
    answers |= {choice: RowDecision(order=choice) for choice in doubt.choices}
    return answers | {NOTHING: RowDecision(order=NOTHING, without=row.without)}


def sheet_answers(sheets: tuple[SheetIn, ...]) -> Iterable[tuple[str, Answer]]:
    """What may be decided about a missing sheet, or about those that are in."""
    if not sheets:
        yield str(SheetDecision.NO_ORDERS), OnSheet(SheetDecision.NO_ORDERS)
        return
    parts = [sheet.printed.request.part for sheet in sheets if not sheet.is_empty]
    for sheet in sheets if len(set(parts)) < len(parts) else ():
        yield f"{sheet.printed.request.id} counts", OnSheet(SheetDecision.CHOSEN, sheet.serial)
    unsigned = any(sheet.scans[-1].signed is False for sheet in sheets)
    for decision in (*OFFERED, *LATER, *((SheetDecision.ALL_UNSIGNED,) if unsigned else ())):
        yield str(decision), OnSheet(decision)


def mark_of(code: str, doubt: Doubt, sheets: tuple[SheetIn, ...], rulings: Iterable[Fact]) -> str:
    """Name a doubt and everything that is shown of it; an earlier ruling on it, undone or not, is part of that."""
    line = doubt.row.line if doubt.row else "sheet"
    about = [fact.number for fact in rulings if is_about(fact, doubt)]
    shown = json.dumps([shown_of(doubt, sheets), about], sort_keys=True)
    digest = hashlib.blake2b(shown.encode(), digest_size=9).hexdigest()
    return f"{code}|{doubt.turn}|{line}|{digest}"


def shown_of(doubt: Doubt, sheets: tuple[SheetIn, ...]) -> list[Any]:
    """What is shown of a doubt, as JSON: the same in every process."""
    row = doubt.row
    if row is None:
        return [doubt.problem.text if doubt.problem else "", *map(lines_of_paper, sheets)]
    readings = [[reading.text, reading.confidence] for reading in row.readings]
    answers = [write(order) for order in row.candidates] + list(row.whys) + [doubt.by_rule]
    return [row.ink, readings, row.status, list(row.flags), row.rule, row.reason, row.crop, answers]


def is_about(fact: Fact, doubt: Doubt) -> bool:
    """Whether a ruling was one on this doubt; rulings on line 0 are told apart by what they were asked."""
    if Turn.of_body(fact.body) != doubt.turn:
        return False
    row = doubt.row
    if row is None or fact.kind == "sheet ruling":
        return row is None and fact.kind == "sheet ruling"
    if row.line > 0 or fact.body["line"] > 0:
        return bool(fact.body["line"] == row.line)
    asked = fact.body.get("asked", {}).get("words")
    return tuple(fact.body["without"]) == row.without or asked == asked_of(row)["words"]


def write_review_sheet(event: Event, board: str | None, how: str) -> tuple[bytes, int, tuple[Problem, ...]]:
    """Write the queue as a workbook; gives its bytes, how many lines it has, and what no cell can hold."""
    lines = waiting_lines(event, board)
    title = f"{event.details.name} ({event.details.code}){f', board {board}' if board else ''}"
    data, losses = write_review([asked_line(event, line) for line in lines], title=title, how=how)
    return data, len(lines), losses


def asked_line(event: Event, waiting: Waiting) -> Asked:
    """Put one line into words; power names always, player names never."""
    doubt, row = waiting.doubt, waiting.doubt.row
    return Asked(
        mark=waiting.mark,
        board=doubt.turn.board,
        phase=str(doubt.turn.phase),
        power=doubt.turn.power.title(),
        line=(str(row.line) if row.line else "no row") if row else "sheet",
        picture=picture_of(event, row),
        read="\n".join(readings_of(row) if row else map(lines_of_paper, waiting.sheets)),
        doubt=", ".join(flag.replace("_", " ").lower() for flag in row.flags) if row else "whole sheet",
        reason=row.reason if row else doubt.problem.text if doubt.problem else "",
        rule=row.rule if row else "",
        by_rule="no order" if doubt.by_rule == NOTHING else doubt.by_rule or "",
        may_be="\n".join(candidates_of(row)) if row else "",
        choices=tuple(waiting.answers),
        takes_text=row is not None and row.line > 0,
        takes_order=row is not None,
    )


def picture_of(event: Event, row: Row | None) -> bytes | None:
    """The row's picture; none where there is no row, or the picture was cleared away."""
    path = event.folder / row.crop if row and row.crop else None
    return path.read_bytes() if path and path.is_file() else None


def readings_of(row: Row) -> list[str]:
    """What the reader took the ink for, likeliest first, with its confidence."""
    found = [f"{reading.text}  {reading.confidence:.0%}" for reading in row.readings[:READINGS]]
    return found or ([row.ink] if row.ink else [])


def candidates_of(row: Row) -> list[str]:
    """The orders that the line may be, and why."""
    whys = (*row.whys, *("" for _ in row.candidates))
    return [write(order) + (f" {why}" if why else "") for order, why in zip(row.candidates, whys, strict=False)]


def lines_of_paper(sheet: SheetIn) -> str:
    """A sheet of paper in one line: its printed id, and what is read on it."""
    told = " · ".join(line.text or "…" for line in sheet.lines if line.readings) or "empty"
    return f"{sheet.printed.request.id}: {told}"
