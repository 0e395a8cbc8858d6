"""What a director filled in on a Review sheet: every line with something in it, all faults at once."""

from collections import Counter
from dataclasses import dataclass

from pipeline.problems import Problem, stop
from pipeline.workbook.review.review_sheet import SHEET
from pipeline.workbook.xlsx.lists import SheetList, open_book

INPUTS = ("decision", "text", "order")
HEADS = (*INPUTS, "why", "mark")


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """One line that was filled in: exactly one of decision, text and order is not empty."""

    row: int
    where: str  # the cell of the input, "Review!L7"
    mark: str
    decision: str = ""
    text: str = ""
    order: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class ReadReview:
    """What stands on a Review sheet."""

    lines: tuple[Filled, ...]
    problems: tuple[Problem, ...]  # lines with faults; they are not among the lines


def read_review(data: bytes, where: str) -> ReadReview:
    """Read the lines that are filled in. Formulas, two inputs in one line and lost marks are refused, line by line."""
    book = open_book(data, where)
    found = SheetList.find(book[SHEET], HEADS) if SHEET in book.sheetnames else None
    if found is None:
        raise stop(f"no sheet {SHEET!r} with the heads Decision, Text, Order; write one with 'review --xlsx'", where)
    lines = [line for row in found.rows(*INPUTS, "why") if (line := read_line(found, row)) is not None]
    often = Counter(line.mark for line in lines)
    once = tuple(line for line in lines if often[line.mark] == 1)
    for line in lines:
        if often[line.mark] > 1:
            found.fault(line.row, "mark", f"this line stands {often[line.mark]} times; leave one of them")
    return ReadReview(once, tuple(found.problems))


def read_line(found: SheetList, row: int) -> Filled | None:
    """Read one line; nothing where it is empty or has faults."""
    before = len(found.problems)
    given = {head: " ".join(found.text(row, head).split()) for head in HEADS}
    inputs = {head: given[head] for head in INPUTS if given[head]}
    if len(found.problems) > before:
        return None
    if not inputs:
        if given["why"]:
            found.fault(row, "why", "a why without a decision; fill Decision, Text or Order, or empty it")
        return None
    head = next(iter(inputs))
    if len(inputs) > 1:
        wanted = " and ".join(f"{each.capitalize()} {text!r}" for each, text in inputs.items())
        found.fault(row, head, f"{wanted} in one line; leave one of them")
    elif not given["mark"]:
        found.fault(row, head, "the hidden mark of this line is lost; write a new sheet and decide there")
    else:
        return Filled(row=row, where=found.where(row, head), mark=given["mark"], why=given["why"], **inputs)
    return None
