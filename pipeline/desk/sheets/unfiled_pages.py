"""Pages whose sheet is not known wait for a person, and one that may be a sheet of a board holds that board up."""

from collections.abc import Iterator, Mapping

from pipeline.desk.event.ending import goes_on
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game
from pipeline.desk.sheets.expected import expected_units
from pipeline.desk.sheets.old_seats import OldSeats
from pipeline.desk.sheets.pads import due
from pipeline.desk.sheets.printed import PrintedSheet, printed_sheets
from pipeline.ink import page_in_words
from pipeline.ledger.events import OnPage, PageIdentified, PageRead, PageSetAside, ScanRead, ScanReceived
from pipeline.ledger.ledger import Fact
from pipeline.ledger.undone import standing
from pipeline.problems import Problem, Weight
from pipeline.reading.transcription.outcome import Tray

STRAY = (Tray.DOUBTFUL, Tray.UNIDENTIFIED, Tray.FOREIGN, Tray.UNREADABLE)  # a person must look into them
KINDS = (PageRead, PageIdentified, PageSetAside)  # what lays a page there, or takes it away
SHOWN = 4  # sheets that a page may be, in one message

Pages = dict[tuple[str, int], Fact[PageRead]]  # by scan and page


def lay_out(pages: Pages, fact: Fact[OnPage]) -> None:
    """Keep a page that is filed with no power's sheets, until a person has dealt with it."""
    read = fact.of(PageRead)
    if read is None:
        pages.pop(fact.said.place, None)
    elif read.said.tray in STRAY:
        pages[fact.said.place] = read


def waiting_pages(event: Event) -> Pages:
    """Every page that could not be filed and was not dealt with, oldest first."""
    pages: Pages = {}
    seats, printed = OldSeats.of(event), printed_sheets(event)
    for kind in KINDS:
        for fact in standing(event.facts, kind):
            if page := seats.now(fact, printed):
                lay_out(pages, page)
    return pages


def stray_pages(event: Event) -> Iterator[Problem]:
    """Every page that could not be filed and was not dealt with, and every file that was not read to its end."""
    finished = {fact.said.sha256 for fact in event.facts.told(ScanRead)}
    for fact in event.facts.told(ScanReceived):
        if fact.said.sha256 not in finished:
            text = "kept, and not read to its end; run 'ordersheets scan' again"
            yield Problem(Weight.ASKS, text, fact.said.name)
    names = names_of_scans(event)
    for page in waiting_pages(event).values():
        text = f"{page.said.tray}: {page.said.text}"
        if offers := page.said.offers:
            text += f"; it may be {', '.join(offers[:SHOWN])}"
        yield Problem(Weight.ASKS, text, named(page, names))


def holding(event: Event, game: Game, pages: Pages, printed: Mapping[str, PrintedSheet]) -> tuple[Problem, ...]:
    """Every page that waits and may be a sheet of the phase a board is in: nothing is adjudicated without it.

    ``printed`` are all sheets of the event, by id. A page that offers nothing of this board does not hold it up.
    """
    if not goes_on(event, game):
        return ()
    held = [(page, sheets) for page in pages.values() if (sheets := may_be(event, game, page, printed))]
    names = names_of_scans(event) if held else {}
    found = []
    for page, sheets in held:
        more = f" or {len(sheets) - SHOWN} more" if len(sheets) > SHOWN else ""
        which = " or ".join(f"{printed[sheet].turn.power}'s {sheet}" for sheet in sheets[:SHOWN])
        text = f"{page.said.tray}, and may be {which}{more}; say which sheet it is ('page --is'), or put it aside"
        found.append(Problem(Weight.ASKS, text, f"{game.name} {game.position.phase} {named(page, names)}"))
    return tuple(found)


def may_be(event: Event, game: Game, page: Fact[PageRead], printed: Mapping[str, PrintedSheet]) -> tuple[str, ...]:
    """The sheets of the phase a board is in that a page may be, of powers that must write in it."""
    opened, powers = game.position.phase, expected_units(game.map, game.position)
    found = []
    for sheet in page.said.offers or ():
        if sheet not in printed:  # a form
            continue
        turn = printed[sheet].turn
        phase = due(opened, turn.phase.step) if printed[sheet].said.pad else turn.phase
        if turn.board == game.name and phase == opened and turn.power in powers:
            found.append(sheet)
    return tuple(found)


def names_of_scans(event: Event) -> dict[str, str]:
    """The name of every file as it came, by its hash."""
    return {fact.said.sha256: fact.said.name for fact in event.facts.told(ScanReceived)}


def named(page: Fact[OnPage], names: Mapping[str, str]) -> str:
    """Name a page so that a person finds it and can name it to 'page'."""
    sha256 = page.said.sha256
    return f"{names.get(sha256, 'unknown file')} {page_in_words(page.said.page)} ({sha256[:8]})"
