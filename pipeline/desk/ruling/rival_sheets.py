"""Sheets that claim the same rows of a power's orders, and what is left of them where the director has chosen."""

from collections.abc import Sequence

from pipeline.desk.ruling.rulings import SheetRuling
from pipeline.desk.ruling.sheet_news import is_news
from pipeline.desk.sheets.sheets_in import SheetIn, as_of, in_order
from pipeline.ledger.parts import SheetDecision


def are_rivals(one: SheetIn, other: SheetIn) -> bool:
    """Two sheets claim the same rows if they are the same part, or if a row has the same number on both."""
    return one.printed.said.part == other.printed.said.part or not rows_of(one).isdisjoint(rows_of(other))


def rows_of(sheet: SheetIn) -> frozenset[int]:
    """The numbers of a sheet's rows."""
    return frozenset(field.row for field in sheet.printed.page.form.rows if field.row is not None)


def standing(rulings: Sequence[SheetRuling], sheets: tuple[SheetIn, ...]) -> tuple[SheetRuling, ...]:
    """The choices that stand; ``rulings`` are the newest that only choose or accept, both newest first.

    To accept is to say that what a choice left is as it should be. Where something had come that the choice did not
    know, it is to accept everything that lay there, and the choice is past.
    """
    if not rulings:
        return ()
    newest, older = rulings[0], standing(rulings[1:], sheets)
    if newest.decision is SheetDecision.CHOSEN:
        return (newest, *older)
    if not older:
        return ()
    then = tuple(known for sheet in sheets if (known := as_of(sheet, newest.fact.number)) is not None)
    left = left_by(older, then)
    return older if left and not is_news(older[0], then, left) else ()


def left_by(choices: Sequence[SheetRuling], sheets: tuple[SheetIn, ...]) -> tuple[SheetIn, ...]:
    """The sheets that were chosen, and those that claim no row of them.

    ``choices`` are newest first. Each lays aside what claims the same rows; an earlier one not what showed something
    new after it. Where a sheet that was chosen is no longer there, nothing counts that was not chosen since.
    """
    by_serial = {sheet.serial: sheet for sheet in sheets}
    chosen: list[tuple[SheetIn, SheetRuling]] = []
    for choice in choices:
        sheet = by_serial.get(choice.serial or 0)
        if sheet is None:
            return in_order(each for each, _ in chosen)
        if not any(are_rivals(sheet, newer) for newer, _ in chosen):
            chosen.append((sheet, choice))
    return tuple(sheet for sheet in sheets if all(stays(sheet, *each, newest=choices[0]) for each in chosen))


def stays(sheet: SheetIn, chosen: SheetIn, choice: SheetRuling, *, newest: SheetRuling) -> bool:
    """Whether a choice leaves a sheet where it is."""
    if sheet == chosen or not are_rivals(sheet, chosen):
        return True
    return choice != newest and sheet.news > choice.fact.number
