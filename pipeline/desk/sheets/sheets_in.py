"""What came in on paper: for every power the sheets that were read, and what is doubtful about them as sheets."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pipeline.board.position import Phase
from pipeline.desk.event.event import Event
from pipeline.desk.event.turn import Turn
from pipeline.desk.sheets.crops import SHORT
from pipeline.desk.sheets.old_seats import OldSeats
from pipeline.desk.sheets.pads import OpenPhases, PadIn, Ticked, due
from pipeline.desk.sheets.printed import PrintedSheet, printed_sheets
from pipeline.desk.sheets.same_paper import newest_difference, newest_outside, together
from pipeline.ink import Box, InkLine, Tier, Transcription
from pipeline.ledger.events import OnGame, OnPage, PageIdentified, PageRead
from pipeline.ledger.ledger import Fact
from pipeline.ledger.undone import standing
from pipeline.reading.transcription.outcome import Tray


@dataclass(frozen=True, slots=True)
class SheetIn:
    """One sheet of paper that came in, once or several times."""

    printed: PrintedSheet
    scans: tuple[Transcription, ...]  # oldest first
    lines: tuple[InkLine, ...]  # of all scans together: where they differ, a person is asked
    since: tuple[int, ...]  # the facts since which its scans count: the page was read, or named by a person
    differs: int  # the fact of the newest scan that showed a row otherwise than it had been taken; 0: none did
    pad: PadIn | None = None  # what is ticked on it, where the season was not printed
    noted: int = 0  # the newest fact that tells of writing outside its rows, or of a season, where none was before

    @property
    def came(self) -> int:
        """The fact since which it counts."""
        return min(self.since)

    @property
    def serial(self) -> int:
        """The sheet's serial."""
        return self.printed.id.serial

    @property
    def outside(self) -> tuple[Box, ...]:
        """Where something is written outside the rows, by the newest scan that tells of it."""
        return next((scan.outside for scan in reversed(self.scans) if scan.outside), ())

    @property
    def is_empty(self) -> bool:
        """Whether nothing is written in its rows."""
        return all(line.tier is Tier.BLANK for line in self.lines)

    @property
    def news(self) -> int:
        """The newest fact that showed something on it that nobody had seen; 0 where nothing is on it."""
        came = 0 if self.is_empty and not self.outside else self.came
        return max(came, self.differs, self.noted)


def written_on(sheets: tuple[SheetIn, ...]) -> tuple[SheetIn, ...]:
    """The sheets on which something is written; the first, where nothing is on any."""
    return tuple(sheet for sheet in sheets if not sheet.is_empty) or sheets[:1]


def as_of(sheet: SheetIn, number: int) -> SheetIn | None:
    """A sheet as it was when a fact was written down; None where none of its scans counted then."""
    known = [(scan, since) for scan, since in zip(sheet.scans, sheet.since, strict=True) if since <= number]
    if not known:
        return None
    scans, since = tuple(scan for scan, _ in known), tuple(since for _, since in known)
    noted = sheet.noted if sheet.noted <= number else newest_outside(scans, since)
    differs = newest_difference(scans, since)
    return replace(sheet, scans=scans, lines=together(scans), since=since, differs=differs, noted=noted)


@dataclass(frozen=True, slots=True)
class ReadOnce:
    """One reading of one page."""

    number: int  # of its fact
    tray: Tray
    found: Transcription


@dataclass(frozen=True, slots=True)
class Named:
    """A person's word which sheet a page is."""

    number: int  # of the fact that first said so
    sheet: str


class Papers:
    """The sheets that came in so far; it takes new facts one by one, so that a page that arrives costs nothing."""

    def __init__(self, event: Event) -> None:
        self.printed = printed_sheets(event)
        self.seats = OldSeats.of(event)
        self.opened = OpenPhases(standing(event.facts, OnGame))
        self.readings: dict[str, list[ReadOnce]] = {}  # by sheet
        self.shown_on: dict[
            tuple[str, int], set[str]
        ] = {}  # the sheets that a page was read as, as its picture is named
        self.named: dict[tuple[str, int], Named] = {}  # by page
        for kind in (PageIdentified, PageRead):
            for fact in standing(event.facts, kind):
                if page := self.seats.now(fact, self.printed):
                    self.take(page)

    def take(self, fact: Fact[OnPage]) -> tuple[Turn, ...]:
        """Take a page that was read, or a person's word which sheet a page is; give back the turns that it changes.

        It is taken as it is now (`OldSeats.now`).
        """
        match fact.said:
            case PageIdentified() as named:
                return self.take_named(fact.number, named)
            case PageRead(tray=Tray.FILED | Tray.DOUBTFUL as tray, transcription=Transcription() as found):
                self.readings.setdefault(found.sheet_id, []).append(ReadOnce(fact.number, tray, found))
                self.shown_on.setdefault((found.scan_sha256[:SHORT], found.page), set()).add(found.sheet_id)
                return self.turns(found.sheet_id)
        return ()

    def take_named(self, number: int, named: PageIdentified) -> tuple[Turn, ...]:
        """Take a person's word which sheet a page is."""
        page = named.place
        touched = [sheet for sheet, reads in self.readings.items() if any(page_of(r.found) == page for r in reads)]
        before = [turn for sheet_id in touched for turn in self.turns(sheet_id)]
        if page not in self.named or self.named[page].sheet != named.sheet:
            self.named[page] = Named(number, named.sheet)
        return tuple(dict.fromkeys([*before, *(turn for sheet_id in touched for turn in self.turns(sheet_id))]))

    def counted(self, sheet_id: str) -> tuple[ReadOnce, ...]:
        """What was read of one sheet, oldest first.

        A page that a person named is that sheet and no other; one whose codes are gone is none until it is named.
        """
        return tuple(
            read
            for read in self.readings.get(sheet_id, ())
            if (
                sheet_id == self.named[page_of(read.found)].sheet
                if page_of(read.found) in self.named
                else read.tray is Tray.FILED
            )
        )

    def counts_since(self, read: ReadOnce) -> int:
        """The fact since which a page counts: it was read, and if its codes were gone a person named it."""
        named = self.named.get(page_of(read.found))
        return read.number if named is None else max(read.number, named.number)

    def turns(self, sheet_id: str) -> tuple[Turn, ...]:
        """Every turn that a sheet may be for: of a printed one, its own; of a pad, by what was read so far."""
        sheet = self.printed[sheet_id]
        phases = [*self.by_phase(sheet, self.readings[sheet_id]), *self.by_phase(sheet, self.counted(sheet_id))]
        return tuple(sheet.turn.at(phase) for phase in dict.fromkeys(phases))

    def by_phase(self, sheet: PrintedSheet, reads: Iterable[ReadOnce]) -> dict[Phase, list[ReadOnce]]:
        """Sort the readings of one sheet by the phase they are for, which for a printed one is never in question.

        A pad is for the phase that was open when it came in. Scanned again later with the ticks of that earlier phase,
        it is the same paper again, and nothing new.
        """
        turn = sheet.turn
        found: dict[Phase, list[ReadOnce]] = {} if sheet.said.pad else {turn.phase: []}
        for read in reads:
            phase = turn.phase
            if sheet.said.pad:
                ticked = Ticked.of(read.found.ticks, turn.phase.step).phase
                opened = due(self.opened.at(turn.board, read.number), turn.phase.step)
                phase = ticked if ticked in found and ticked is not None else opened
            found.setdefault(phase, []).append(read)
        return found

    def of(self, turn: Turn) -> tuple[SheetIn, ...]:
        """The sheets of one turn, by serial."""
        mine = [s for s in self.readings if self.printed[s].turn.at(turn.phase) == turn]
        return in_order(sheet for sheet_id in mine for when, sheet in self.sheets(sheet_id) if when == turn)

    def by_turn(self) -> dict[Turn, tuple[SheetIn, ...]]:
        """All sheets."""
        found: dict[Turn, list[SheetIn]] = {}
        for sheet_id in self.readings:
            for turn, sheet in self.sheets(sheet_id):
                found.setdefault(turn, []).append(sheet)
        return {turn: in_order(sheets) for turn, sheets in found.items()}

    def sheets(self, sheet_id: str) -> Iterator[tuple[Turn, SheetIn]]:
        """One sheet for each turn for which a reading of it counts; more than one turn only where a pad is in doubt."""
        printed = self.printed[sheet_id]
        before = None
        for phase, reads in self.by_phase(printed, self.counted(sheet_id)).items():
            if not reads:
                continue
            scans = tuple(read.found for read in reads)
            noted = newest_outside(scans, [read.number for read in reads])
            pad = None
            if printed.said.pad:
                noted = max(noted, newest_ticks(reads, phase))
                ticked = Ticked.of(scans[-1].ticks, phase.step)
                pad = PadIn(sheet_id, ticked, phase, before)
                before = before or phase
            since = tuple(self.counts_since(read) for read in reads)
            sheet = SheetIn(printed, scans, together(scans), since, newest_difference(scans, since), pad, noted)
            yield printed.turn.at(phase), sheet

    def sheet_of_page(self, sha256: str, page: int) -> PrintedSheet | None:
        """The sheet that a page shows, by the letters of its scan that pictures have; None for one that is nowhere."""
        shown = self.shown_on.get((sha256[:SHORT], page), ())
        for sheet_id in (each for each in self.readings if each in shown):
            reads = (read.found for read in self.counted(sheet_id))
            if any(found.scan_sha256.startswith(sha256) and found.page == page for found in reads):
                return self.printed[sheet_id]
        return None


def in_order(sheets: Iterable[SheetIn]) -> tuple[SheetIn, ...]:
    """Put sheets in the order of their serials."""
    return tuple(sorted(sheets, key=lambda sheet: sheet.serial))


def page_of(transcription: Transcription) -> tuple[str, int]:
    """Which page of which scan was read."""
    return transcription.scan_sha256, transcription.page


def sheets_in(event: Event) -> dict[Turn, tuple[SheetIn, ...]]:
    """Every sheet that was filed, by board, phase and power."""
    return Papers(event).by_turn()


def newest_ticks(reads: Sequence[ReadOnce], phase: Phase) -> int:
    """The newest fact that shows a pad ticked for another season than an earlier scan of it; 0 where none does."""
    ticked = [Ticked.of(read.found.ticks, phase.step) for read in reads]
    changed = (read.number for read, (before, now) in zip(reads[1:], pairwise(ticked), strict=True) if before != now)
    return max(changed, default=0)
