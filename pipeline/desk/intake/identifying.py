"""A person says which sheet a doubtful page is, or puts a page aside."""

from pipeline.desk.event.ending import goes_on
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import games
from pipeline.desk.forms.printed_forms import printed_forms
from pipeline.desk.intake.ingest import ScanReader
from pipeline.desk.sheets.expected import expected_units
from pipeline.desk.sheets.old_seats import OldSeats
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.sheets_in import page_of, sheets_in
from pipeline.ink import page_in_words
from pipeline.ledger.events import OnPage, PageIdentified, PageRead, PageSetAside
from pipeline.ledger.ledger import Fact
from pipeline.ledger.undone import standing
from pipeline.problems import stop
from pipeline.reading.rows.recogniser import Recogniser
from pipeline.reading.transcription.outcome import Tray
from pipeline.rules.toml.table import did_you_mean


def find_page(event: Event, scan: str, page: int) -> Fact[PageRead]:
    """Find a page that was read, by the beginning of its scan's SHA-256."""
    found = [f for f in standing(event.facts, PageRead) if f.said.sha256.startswith(scan) and f.said.page == page]
    if not found:
        raise stop("no such page was read; 'ordersheets status' lists them", f"{scan} {page_in_words(page)}")
    if len({fact.said.sha256 for fact in found}) > 1:
        raise stop("several scans begin like this; give more of the hash", scan)
    return OldSeats.of(event).now(found[-1], printed_sheets(event)) or found[-1]


def identify_page(event: Event, page: Fact[PageRead], sheet: str, engine: Recogniser, by: str) -> Fact[OnPage]:
    """Write down which sheet a page is; it is read again where it was not read as that sheet before.

    A page that a person named can be named anew: the newest word counts.
    """
    sha256, number = page.said.place
    where = f"{sha256[:8]} {page_in_words(number)}"
    known = (*printed_sheets(event), *printed_forms(event))
    if sheet not in known:
        raise stop(f"no sheet {sheet!r} was printed{did_you_mean(sheet, known)}", where)
    was_named = any(fact.said.place == page.said.place for fact in standing(event.facts, PageIdentified))
    if page.said.tray not in (Tray.DOUBTFUL, Tray.UNIDENTIFIED) and not was_named:
        raise stop(f"the page is {page.said.tray}; only a doubtful or unidentified one can be named", where)
    identified = PageIdentified(sha256=sha256, page=number, sheet=sheet)
    if page.said.sheet is not None and page.said.sheet.sheet_id == sheet and is_pictured(event, page):
        return event.facts.write(identified, by)
    read = ScanReader.of(event, engine).read_as(page, sheet)
    if read is None:
        raise stop(
            "its rows cannot be found on the picture; type its lines with 'rule --type', and put it aside", where
        )
    return event.facts.write_all((identified, read), by)[0]


def is_pictured(event: Event, page: Fact[PageRead]) -> bool:
    """Whether the pictures of a page's rows are those of a reading: it was not read as another sheet since."""
    return not any(f.said.place == page.said.place for f in event.facts.told(PageRead, after=page.number))


def set_aside(event: Event, page: Fact[OnPage], by: str, why: str) -> Fact[PageSetAside]:
    """Write down that a page needs nothing more: another event's sheet, a cover letter, a test.

    A page of a sheet that counts for what is being played cannot be put aside: the sheet can be refused.
    """
    shown = page.said.place
    boards = games(event)
    for turn, sheets in sheets_in(event).items():
        game = boards.get(turn.board)
        if game is None or not goes_on(event, game) or turn.phase != game.position.phase:
            continue
        if turn.power not in expected_units(game.map, game.position):
            continue
        for sheet in sheets:
            if any(page_of(scan) == shown for scan in sheet.scans):
                text = f"the page counts as {sheet.printed.id}; if it must not, refuse that sheet ('rule --sheet')"
                raise stop(text, f"{shown[0][:8]} {page_in_words(shown[1])}")
    return event.facts.write(PageSetAside(sha256=shown[0], page=shown[1], why=why), by)
