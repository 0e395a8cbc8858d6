"""A person says which sheet a doubtful page is, or puts a page aside."""

from pipeline.desk.event import Event
from pipeline.desk.printing import printed_sheets
from pipeline.problems import stop
from pipeline.store.facts import Fact
from pipeline.tournament.table import did_you_mean


def find_page(event: Event, scan: str, page: int) -> Fact:
    """Find a page that was read, by the beginning of its scan's SHA-256."""
    found = [f for f in event.facts.read("page read") if f.body["sha256"].startswith(scan) and f.body["page"] == page]
    if not found:
        raise stop("no such page was read; 'ordersheets status' lists them", f"{scan} page {page}")
    if len({fact.body["sha256"] for fact in found}) > 1:
        raise stop("several scans begin like this; give more of the hash", scan)
    return found[-1]


def identify_page(event: Event, page: Fact, sheet: str, by: str) -> Fact:
    """Write down which sheet a doubtful page is."""
    where = f"{page.body['sha256'][:8]} page {page.body['page']}"
    known = tuple(printed_sheets(event))
    if sheet not in known:
        raise stop(f"no sheet {sheet!r} was printed{did_you_mean(sheet, known)}", where)
    if page.body["tray"] != "doubtful":
        raise stop(f"the page is {page.body['tray']}, its rows were not read; type its lines with 'rule --type'", where)
    return event.facts.append(
        "page identified", {"sha256": page.body["sha256"], "page": page.body["page"], "sheet": sheet}, by
    )


def set_aside(event: Event, page: Fact, by: str, why: str) -> Fact:
    """Write down that a page needs nothing more: another event's sheet, a cover letter, a test."""
    body = {"sha256": page.body["sha256"], "page": page.body["page"], "why": why}
    return event.facts.append("page set aside", body, by)
