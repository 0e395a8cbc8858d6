"""What nobody knew when a ruling on sheets was made: it is asked anew."""

from collections.abc import Iterator

from pipeline.desk.ruling.rulings import SheetRuling
from pipeline.desk.sheets.sheet_reasons import SheetReason
from pipeline.desk.sheets.sheets_in import SheetIn, written_on
from pipeline.words import Told


def unseen(ruling: SheetRuling, sheets: tuple[SheetIn, ...], counted: tuple[SheetIn, ...]) -> Iterator[Told]:
    """What nobody knew when a ruling was made: sheets that came in after it, and new ink on what it laid aside.

    New ink on a sheet that is ``counted`` is asked row by row.
    """
    if ruling.lost is not None:
        yield Told.of(SheetReason.LINES_TAKEN_BACK, by=ruling.lost.fact.by, what=ruling.told)
    written = written_on(sheets)
    for sheet in sheets:
        if sheet.came > ruling.fact.number and (sheet in written or sheet.outside):
            yield Told.of(SheetReason.CAME_AFTER, sheets=(str(sheet.printed.id),), what=ruling.told)
        elif max(sheet.differs, sheet.noted) > ruling.fact.number and sheet not in counted:
            yield Told.of(SheetReason.SCANNED_AGAIN, sheets=(str(sheet.printed.id),), what=ruling.told)


def is_news(ruling: SheetRuling, sheets: tuple[SheetIn, ...], counted: tuple[SheetIn, ...]) -> bool:
    """Whether there is something about the sheets that must be asked anew; writing outside the rows is, too."""
    return any(unseen(ruling, sheets, counted)) or any(sheet.noted > ruling.fact.number for sheet in counted)
