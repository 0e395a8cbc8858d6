"""What a ruling on a row was made on: it is written down with the ruling, and on other ink the ruling says nothing.

Rows are named by number, and the number of a row changes: another sheet comes in, is chosen, or lines are typed. So a
ruling follows its row to the number that the row has now, and does not count while that row does not.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.desk.sheets.same_paper import fold, is_other, is_spoilt
from pipeline.desk.sheets.sheets_in import SheetIn
from pipeline.ledger.parts import RulingBasis
from pipeline.orders.notation import write

if TYPE_CHECKING:
    from pipeline.desk.ruling.rulings import RowRuling


def on_these_rows(
    rulings: Iterable["RowRuling"],
    rows: Sequence[tuple[int, RulingBasis]],
    no_row: RulingBasis,
    sheets: Sequence[SheetIn],
) -> tuple["RowRuling", ...]:
    """Find the rulings on the rows that count now, each by the number its row has now.

    ``rows`` are those rows by number, ``no_row`` is what a ruling on no row would be made on, ``sheets`` all that came
    in. A ruling that does not say what it was made on counts by its number.
    """
    numbers = {ground.place: number for number, ground in rows}
    by_serial = {sheet.serial: sheet for sheet in sheets}
    found = []
    for ruling in rulings:
        on = ruling.on
        if on is None:
            found.append(ruling)
        elif ruling.line == 0:
            if (on.typed, on.counted) == (no_row.typed, no_row.counted):
                found.append(ruling)
        elif (number := numbers.get(on.place)) is not None and not is_rewritten(ruling, on, by_serial.get(on.sheet)):
            found.append(replace(ruling, line=number))
    return tuple(found)


def is_rewritten(ruling: "RowRuling", on: RulingBasis, sheet: SheetIn | None) -> bool:
    """Whether a scan that a ruling was not made on shows surely what none of those did, and the ruling does not say.

    It is, too, where a page on which the ruling was made turned out to be another sheet's.
    """
    if sheet is None:
        return False
    if not set(on.scans) <= set(sheet.since):
        return True
    texts = {fold(text) for text in said(ruling)}
    known = [scan for scan, since in zip(sheet.scans, sheet.since, strict=True) if since in on.scans]
    return any(
        is_other(line, known) and (is_spoilt(line) or fold(line.text) not in texts)
        for scan, since in zip(sheet.scans, sheet.since, strict=True)
        if since not in on.scans
        for line in scan.lines
        if line.number == on.row
    )


def said(ruling: "RowRuling") -> Iterable[str]:
    """The texts that a ruling says stand there."""
    if ruling.decision.text is not None:
        yield ruling.decision.text
    for order in ruling.decision.orders or ():
        yield write(order)
