"""A person says which sheet a doubtful page is, or puts a page aside."""

from pipeline.desk.event.ending import goes_on
from pipeline.desk.event.event import Event
from pipeline.desk.event.expected import expected_units
from pipeline.desk.event.games import games
from pipeline.desk.intake.ingest import ScanReader
from pipeline.desk.print.form_printing import printed_forms
from pipeline.desk.print.old_seats import OldSeats
from pipeline.desk.print.printing import printed_sheets
from pipeline.desk.sheets.sheets_in import page_of, sheets_in
from pipeline.ink import page_in_words
from pipeline.ledger.facts import Fact
from pipeline.problems import stop
from pipeline.reading.rows.recogniser import Recogniser
from pipeline.rules.toml.table import did_you_mean


def find_page(event: Event, scan: str, page: int) -> Fact:
    """Find a page that was read, by the beginning of its scan's SHA-256."""
    found = [f for f in event.facts.read("page read") if f.body["sha256"].startswith(scan) and f.body["page"] == page]
    if not found:
        raise stop("no such page was read; 'ordersheets status' lists them", f"{scan} {page_in_words(page)}")
    if len({fact.body["sha256"] for fact in found}) > 1:
        raise stop("several scans begin like this; give more of the hash", scan)
    return OldSeats.of(event).now(found[-1], printed_sheets(event)) or found[-1]


def identify_page(event: Event, page: Fact, sheet: str, engine: Recogniser, by: str) -> Fact:
    """Write down which sheet a page is; it is read again where it was not read as that sheet before.

    A page that a person named can be named anew: the newest word counts.
    """
    sha256, number = page.body["sha256"], page.body["page"]
    where = f"{sha256[:8]} {page_in_words(number)}"
    known = (*printed_sheets(event), *printed_forms(event))
    if sheet not in known:
        raise stop(f"no sheet {sheet!r} was printed{did_you_mean(sheet, known)}", where)
    was_named = any(same_page(fact, page) for fact in event.facts.read("page identified"))
    if page.body["tray"] not in ("doubtful", "unidentified") and not was_named:
        raise stop(f"the page is {page.body['tray']}; only a doubtful or unidentified one can be named", where)
    identified = ("page identified", {"sha256": sha256, "page": number, "sheet": sheet})
    before = page.body.get("transcription") or page.body.get("form")
    if before is not None and before["sheet_id"] == sheet:
        return event.facts.append_all((identified,), by)[0]
    read = ScanReader.of(event, engine).read_as(page, sheet)
    if read is None:
        raise stop(
            "its rows cannot be found on the picture; type its lines with 'rule --type', and put it aside", where
        )
    return event.facts.append_all((identified, ("page read", read)), by)[0]


def same_page(fact: Fact, other: Fact) -> bool:
    """Whether two facts are about one page."""
    return all(fact.body[name] == other.body[name] for name in ("sha256", "page"))


def set_aside(event: Event, page: Fact, by: str, why: str) -> Fact:
    """Write down that a page needs nothing more: another event's sheet, a cover letter, a test.

    A page of a sheet that counts for what is being played cannot be put aside: the sheet can be refused.
    """
    shown = page.body["sha256"], page.body["page"]
    boards = games(event)
    for turn, sheets in sheets_in(event).items():
        game = boards.get(turn.board)
        if game is None or not goes_on(event, game) or turn.phase != game.position.phase:
            continue
        if turn.power not in expected_units(game.map, game.position):
            continue
        for sheet in sheets:
            if any(page_of(scan) == shown for scan in sheet.scans):
                text = (
                    f"the page counts as {sheet.printed.request.id}; if it must not, refuse that sheet ('rule --sheet')"
                )
                raise stop(text, f"{shown[0][:8]} {page_in_words(shown[1])}")
    body = {"sha256": page.body["sha256"], "page": page.body["page"], "why": why}
    return event.facts.append("page set aside", body, by)
