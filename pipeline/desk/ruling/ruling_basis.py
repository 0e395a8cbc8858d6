"""What a ruling on a row was made on: it is written down with the ruling, and on other ink the ruling says nothing.

Rows are named by number, and the number of a row changes: another sheet comes in, is chosen, or lines are typed. So a
ruling follows its row to the number that the row has now, and does not count while that row does not.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from pipeline.desk.sheets.same_paper import fold, is_other, is_spoilt
from pipeline.desk.sheets.sheets_in import SheetIn
from pipeline.orders.notation import write

if TYPE_CHECKING:
    from pipeline.desk.ruling.rulings import RowRuling


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What counted when a ruling was made."""

    sheet: int = 0  # serial of the sheet that the row stands on; 0 for a line that was typed, and for no row
    row: int = 0  # as printed on that sheet, or the number of the typed line
    scans: tuple[int, ...] = ()  # of the sheet that had come in: the facts since which they count
    typed: int = 0  # the fact with which lines were typed; 0 where they were not
    counted: tuple[int, ...] = ()  # for a ruling on no row: the serials of the sheets that counted

    def as_body(self) -> dict[str, Any]:
        """Write it for a fact, without what is not said."""
        return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items() if value}

    @classmethod
    def of_body(cls, body: dict[str, Any]) -> "Ground":
        """Read it back."""
        return cls(**{**body, "scans": tuple(body.get("scans", ())), "counted": tuple(body.get("counted", ()))})

    @property
    def place(self) -> tuple[int, int, int]:
        """Which row it is, whatever its number."""
        return self.sheet, self.row, self.typed


def on_these_rows(
    rulings: Iterable["RowRuling"], rows: Sequence[tuple[int, Ground]], no_row: Ground, sheets: Sequence[SheetIn]
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


def is_rewritten(ruling: "RowRuling", on: Ground, sheet: SheetIn | None) -> bool:
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
