"""Pages without a known sheet: they wait for a person, and a board cannot be published while one may be its sheet."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from pipeline.board import Phase
from pipeline.desk.event.ending import is_going_on
from pipeline.desk.event.event import Event
from pipeline.desk.event.games import Game
from pipeline.desk.event.people import Turn
from pipeline.desk.sheets.pads import due_phase
from pipeline.desk.sheets.printed import OldSeats, PrintedSheet, expected_units, printed_sheets
from pipeline.desk.sheets.sheets_in import SheetIn
from pipeline.ink import page_in_words
from pipeline.ledger import events
from pipeline.ledger.ledger import Fact, standing
from pipeline.problems import Problem, Weight
from pipeline.reading.recogniser import Tray

STRAY = (Tray.DOUBTFUL, Tray.UNIDENTIFIED, Tray.FOREIGN, Tray.UNREADABLE)  # a person must look into them
KINDS = (events.PageRead, events.PageIdentified, events.PageSetAside)  # the facts that add or remove a waiting page
SHOWN = 4  # sheets that a page may be, in one message

PagesRead = dict[tuple[str, int], Fact[events.PageRead]]  # by scan and page


def update_waiting_pages(pages: PagesRead, fact: Fact[events.OnPage]) -> None:
    """Update the pages that wait by one fact: add a page that could not be filed, remove one that was dealt with."""
    read = fact.of(events.PageRead)
    if read is None:
        pages.pop(fact.said.place, None)
    elif read.said.tray in STRAY:
        pages[fact.said.place] = read


def waiting_pages(event: Event) -> PagesRead:
    """Every page that could not be filed and was not dealt with, oldest first."""
    pages: PagesRead = {}
    seats, printed = OldSeats.of(event), printed_sheets(event)
    for kind in KINDS:
        for fact in standing(event.facts, kind):
            if page := seats.now(fact, printed):
                update_waiting_pages(pages, page)
    return pages


def unread_files(event: Event) -> dict[str, Fact[events.ScanReceived]]:
    """Every file that was kept and not read to its end, by its hash, oldest first."""
    finished = {fact.said.sha256 for fact in event.facts.select(events.ScanRead)}
    received = event.facts.select(events.ScanReceived)
    return {fact.said.sha256: fact for fact in received if fact.said.sha256 not in finished}


def stray_pages(event: Event) -> Iterator[Problem]:
    """Every page that could not be filed and was not dealt with, and every file that was not read to its end."""
    for fact in unread_files(event).values():
        yield Problem(Weight.ASKS, "kept, and not read to its end; run 'ordersheets scan' again", fact.said.name)
    names = _names_of_scans(event)
    for page in waiting_pages(event).values():
        text = f"{page.said.tray}: {page.said.text}"
        if offers := page.said.offers:
            text += f"; it may be {', '.join(offers[:SHOWN])}"
        yield Problem(Weight.ASKS, text, _page_name(page, names))


def holding(event: Event, game: Game, pages: PagesRead, printed: Mapping[str, PrintedSheet]) -> tuple[Problem, ...]:
    """Every page that waits and may be a sheet of the phase a board is in: nothing is adjudicated without it.

    ``printed`` are all sheets of the event, by id. A page that offers nothing of this board does not hold it up.
    """
    if not is_going_on(event, game):
        return ()
    held = [(page, sheets) for page in pages.values() if (sheets := may_be(game, page, printed))]
    names = _names_of_scans(event) if held else {}
    problems = []
    for page, sheets in held:
        more = f" or {len(sheets) - SHOWN} more" if len(sheets) > SHOWN else ""
        which = " or ".join(f"{printed[sheet].turn.power}'s {sheet}" for sheet in sheets[:SHOWN])
        text = f"{page.said.tray}, and may be {which}{more}; say which sheet it is ('page --is'), or put it aside"
        problems.append(Problem(Weight.ASKS, text, f"{game.name} {game.position.phase} {_page_name(page, names)}"))
    return tuple(problems)


def may_be(game: Game, page: Fact[events.PageRead], printed: Mapping[str, PrintedSheet]) -> tuple[str, ...]:
    """The sheets of the phase a board is in that a page may be, of powers that must write in it."""
    opened, powers = game.position.phase, expected_units(game.map, game.position)
    turns = []
    for sheet in page.said.offers or ():
        if sheet not in printed:  # a form
            continue
        turn = printed[sheet].turn
        phase = due_phase(opened, turn.phase.step) if printed[sheet].request.is_pad else turn.phase
        if turn.board == game.name and phase == opened and turn.power in powers:
            turns.append(sheet)
    return tuple(turns)


def _names_of_scans(event: Event) -> dict[str, str]:
    """The name of every file as it came, by its hash."""
    return {fact.said.sha256: fact.said.name for fact in event.facts.select(events.ScanReceived)}


def _page_name(page: Fact[events.OnPage], names: Mapping[str, str]) -> str:
    """Name a page so that a person finds it and can name it to 'page'."""
    sha256 = page.said.sha256
    return f"{names.get(sha256, 'unknown file')} {page_in_words(page.said.page)} ({sha256[:8]})"


# Sheets that nobody expects now: too late, too early, or for a phase without orders.


class LateArrival(Struct, frozen=True):
    """A sheet for which no phase is open, and that was not put aside."""

    turn: Turn
    sheet: str  # its id
    pages: tuple[tuple[str, int], ...]  # pages that show the sheet: SHA-256 of the scan, and number
    problem: Problem
    waits: bool  # for its own phase, which has not come yet: nothing is to be done


def late_sheets(
    event: Event, boards: Mapping[str, Game], sheets_of: Mapping[Turn, tuple[SheetIn, ...]]
) -> Iterator[LateArrival]:
    """Every unexpected sheet that was not put aside."""
    aside = {fact.said.place for fact in standing(event.facts, events.PageSetAside)}
    came, closed = _arrivals(event), Closed.of(event)
    for turn, sheets in sheets_of.items():
        game = boards.get(turn.board)
        if game is None or (not game.ending and not is_going_on(event, game)):
            continue
        for sheet in sheets:
            pages = tuple(dict.fromkeys((scan.scan_sha256, scan.page) for scan in sheet.scans))
            since = min(came[page] for page in pages)
            if game.ending:
                is_late = since > max(closed.ended.get(turn.board, since), closed.ruled.get(turn, 0))
                text = "the game is over; put it aside" if is_late else ""
            else:
                text = _out_of_turn(game, turn, is_late=closed.before(since, turn))
            if text and not all(page in aside for page in pages):
                request = sheet.printed.request
                where = f"{request.id} {turn.board} {turn.power}"
                named = text if request.occasion in text else f"{request.occasion}: {text}"
                problem = Problem(Weight.ASKS, named, where)
                waits = turn.phase.sort_key > game.position.phase.sort_key
                yield LateArrival(turn, str(request.id), pages, problem, waits)


def _out_of_turn(game: Game, turn: Turn, *, is_late: bool) -> str:
    """Say why a sheet is not expected; empty if it is or was. ``is_late``: its phase was closed."""
    words, opened = turn.phase.in_words, game.position.phase
    if turn.phase == opened:
        is_due = turn.power in expected_units(game.map, game.position)
        return "" if is_due else f"{turn.power} has nothing to write in {words}"
    if turn.phase.sort_key > opened.sort_key:
        return f"it waits for {words}; {opened.in_words} is open"
    if not is_late:
        return ""
    number = next((number for number, played in enumerate(game.played) if played.phase == turn.phase), None)
    if number is None:
        return f"it came in for {words}, which was not played"
    if number < game.phases_before_set:
        return f"{words} is published, and the position was set by hand since: it changes nothing; put the sheet aside"
    return f"{words} is published, {opened.in_words} is open; see what 'correct' would change, then put the sheet aside"


class Closed(Struct, frozen=True):
    """The facts after which a sheet is late or useless: phases published, games ended, positions set by hand.

    A ruling on the sheets of a turn settles those that came late before it.
    """

    published: Mapping[tuple[str, Phase], int]  # board and phase -> the fact that first published it
    ended: Mapping[str, int]  # board -> the fact that ended its game
    left: Mapping[str, int]  # board -> the fact that set its position by hand: earlier sheets are not asked about
    ruled: Mapping[Turn, int]  # turn -> the newest ruling on its sheets

    @classmethod
    def of(cls, event: Event) -> "Closed":
        left = {fact.said.board: fact.number for fact in standing(event.facts, events.PositionSet)}
        ended = {fact.said.board: fact.number for fact in standing(event.facts, events.GameEnded)}
        published: dict[tuple[str, Phase], int] = {}
        for fact in standing(event.facts, events.PhasePublished):
            if fact.number > left.get(fact.said.board, 0):
                published.setdefault((fact.said.board, fact.said.phase), fact.number)
        ruled = {Turn.of(fact.said): fact.number for fact in standing(event.facts, events.SheetRuled)}
        return cls(published, ended, left, ruled)

    def before(self, came: int, turn: Turn) -> bool:
        """Whether the turn was closed before fact ``came``; a skipped phase was always closed."""
        closed = self.published.get((turn.board, turn.phase), 0), self.left.get(turn.board, 0), self.ruled.get(turn, 0)
        return came > max(closed)


def _arrivals(event: Event) -> dict[tuple[str, int], int]:
    """The fact from which on each page counted: its first reading, or the fact by which a person identified it."""
    numbers: dict[tuple[str, int], int] = {}
    for read in standing(event.facts, events.PageRead):
        numbers.setdefault(read.said.place, read.number)
    names: dict[tuple[str, int], str] = {}
    for named in standing(event.facts, events.PageIdentified):
        if names.get(named.said.place) != named.said.sheet:  # the same sheet named once more is nothing new
            names[named.said.place] = named.said.sheet
            numbers[named.said.place] = named.number
    return numbers
