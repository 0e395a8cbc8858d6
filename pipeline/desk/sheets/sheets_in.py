"""What came in on paper: for every power the sheets that were read, and what is doubtful about them as sheets."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Phase
from pipeline.desk.event.event import Event
from pipeline.desk.event.people import Turn
from pipeline.desk.sheets.pads import OpenPhases, PadIn, Ticked, due_phase
from pipeline.desk.sheets.printed import OldSeats, PrintedSheet, printed_sheets
from pipeline.ink import SPOILS, Box, InkLine, InkReading, Note, Tier, Transcription, surest_first
from pipeline.ledger.events import OnGame, OnPage, PageIdentified, PageRead
from pipeline.ledger.ledger import Fact, standing
from pipeline.reading.recogniser import Tray

# Several scans of the same sheet, merged: what they agree on, and what a later one adds.

SPOILT = SPOILS | {Note.SCANS_DIFFER}  # a third scan does not outvote two that differ


def merge_scans(scans: Sequence[Transcription]) -> tuple[InkLine, ...]:
    """Merge several scans of the same sheet: a row counts as read only if all scans agree."""
    lines = {line.number: line for line in scans[0].lines}
    for scan in scans[1:]:
        for line in scan.lines:
            before = lines.get(line.number)
            lines[line.number] = line if before is None else _merge_readings(before, line)
    return tuple(lines[number] for number in sorted(lines))


def _newest_difference(scans: Sequence[Transcription], since: Sequence[int]) -> int:
    """The newest fact with which a row differs from all earlier scans; ``since``: from which fact each scan counts."""
    asked = [
        {line.number for line in merge_scans(scans[:count]) if line.tier is Tier.ASKED}
        for count in range(1, len(scans) + 1)
    ]
    return max(
        (
            max(since[: number + 1])
            for number in range(1, len(scans))
            if asked[number] - asked[number - 1] or any(is_other(line, scans[:number]) for line in scans[number].lines)
        ),
        default=0,
    )


def is_other(line: InkLine, scans: Sequence[Transcription]) -> bool:
    """Whether a row certainly shows something new: another text, or a deletion."""
    before = [earlier for scan in scans for earlier in scan.lines if earlier.number == line.number]
    if _is_partly_hidden(line):
        return not any(is_spoilt(earlier) or _surest(line) == fold_text(earlier.text) for earlier in before)
    if is_spoilt(line):
        return not any(is_spoilt(earlier) and not _is_partly_hidden(earlier) for earlier in before)
    return line.tier is not Tier.ASKED and fold_text(line.text) not in {fold_text(earlier.text) for earlier in before}


def _newest_outside(scans: Sequence[Transcription], facts: Sequence[int]) -> int:
    """The newest fact with writing outside the rows that no earlier scan had; 0 if none."""
    seen: list[Box] = []
    newest = 0
    for scan, fact in zip(scans, facts, strict=True):
        if any(not any(box.meets(other) for other in seen) for box in scan.outside):
            newest = fact
        seen += scan.outside
    return newest


def _merge_readings(first: InkLine, second: InkLine) -> InkLine:
    """Merge two readings of one row of a sheet that was scanned twice.

    The surer one if both read the same clean text, even if one was unsure of it; else a person is asked. A row that one
    scan shows struck out, ticked twice or torn is always asked, because it may have been changed between the scans.
    If a row was hidden in the first scan, the second counts unless it contradicts the ink seen before. If it is hidden
    in the second, the first counts only if the second shows all of its ink: correction fluid hides ink, too.
    """
    if Note.HIDDEN in first.notes and not first.readings and Note.HIDDEN not in second.notes:
        return second
    if (
        _is_partly_hidden(first)
        and not is_spoilt(second)
        and _surest(first)
        and _surest(first) in fold_text(second.text)
    ):
        return second
    if _is_partly_hidden(second) and not is_spoilt(first) and _surest(second) and _shows_all(second, first.text):
        return replace(first, notes=tuple(dict.fromkeys((*first.notes, *second.notes))))
    same = fold_text(first.text) == fold_text(second.text) and (first.tier is Tier.BLANK) == (second.tier is Tier.BLANK)
    spoilt = {is_spoilt(first), is_spoilt(second)}
    notes = tuple(dict.fromkeys((*first.notes, *second.notes)))
    if same and spoilt == {False}:
        ranks = [Tier.ACCEPTED, Tier.MARKED, Tier.BLANK, Tier.ASKED]
        return replace(min(first, second, key=lambda line: ranks.index(line.tier)), notes=notes)
    if not same or len(spoilt) > 1:
        notes = tuple(dict.fromkeys((*notes, Note.SCANS_DIFFER)))
    readings: dict[str, InkReading] = {}
    for reading in (*first.readings, *second.readings):
        kept = readings.setdefault(reading.text, reading)
        readings[reading.text] = max(kept, reading, key=lambda r: r.confidence)
    return replace(second, readings=surest_first(readings.values()), tier=Tier.ASKED, notes=notes)


def is_spoilt(line: InkLine) -> bool:
    """Whether a line is asked because of marks on the paper, or because its scans differ."""
    return line.tier is Tier.ASKED and not SPOILT.isdisjoint(line.notes)


def _is_partly_hidden(line: InkLine) -> bool:
    """Whether a line is asked only because part of it is hidden."""
    return line.tier is Tier.ASKED and SPOILT.intersection(line.notes) == {Note.HIDDEN}


def _surest(line: InkLine) -> str:
    """The surest text of a line; of a line that is cut off, only what is visible."""
    return fold_text(max(line.readings, key=lambda reading: reading.confidence).text) if line.readings else ""


def _shows_all(line: InkLine, text: str) -> bool:
    """Whether a line shows a whole text, and no reading of it only a part."""
    whole = fold_text(text)
    return _surest(line) == whole and all(
        each == whole or each not in whole for each in (fold_text(reading.text) for reading in line.readings)
    )


def fold_text(text: str) -> str:
    """A text without spaces and case, to be compared."""
    return "".join(text.split()).casefold()


# Where the pictures of rows are kept. They can be made again from the scans, so they lie in ``out/``.

SHORT = 16  # letters of a scan's hash in the names of its pictures


def crop_path(sha256: str, page: int, row: int) -> str:
    """Name the picture of one row of one scanned page, relative to the event's folder.

    >>> crop_path("ab" * 32, 2, 5)
    'out/crops/abababababababab-p2-r5.png'
    """
    return f"out/crops/{sha256[:SHORT]}-p{page}-r{row}.png"


def page_path(sha256: str, page: int) -> str:
    """Name the picture of one whole page, put upright."""
    return f"out/crops/{sha256[:SHORT]}-p{page}.jpg"


def hand_path(sha256: str, page: int, reader: str) -> str:
    """Name the file with the features that a reader saw in the rows of one page: they teach it the player's hand."""
    return f"out/hands/{sha256[:SHORT]}-p{page}-{reader}.npz"


class SheetIn(Struct, frozen=True):
    """One sheet of paper that came in, once or several times."""

    printed: PrintedSheet
    scans: tuple[Transcription, ...]  # oldest first
    lines: tuple[InkLine, ...]  # of all scans together: where they differ, a person is asked
    since: tuple[int, ...]  # by scan, the fact from which on it counts: read, or identified by a person
    differs: int  # the newest fact with a scan that changed a row; 0: none
    pad: PadIn | None = None  # what is ticked on it, where the season was not printed
    noted: int = 0  # the newest fact with new writing outside its rows, or with other ticks for the season
    read_at: tuple[str, ...] = ()  # by scan, when it was read

    @property
    def came(self) -> int:
        """The fact from which on it counts."""
        return min(self.since)

    @property
    def serial(self) -> int:
        return self.printed.id.serial

    @property
    def outside(self) -> tuple[Box, ...]:
        """Where something is written outside the rows, according to the newest scan that shows any."""
        return next((scan.outside for scan in reversed(self.scans) if scan.outside), ())

    @property
    def is_empty(self) -> bool:
        """Whether nothing is written in its rows."""
        return all(line.tier is Tier.BLANK for line in self.lines)

    @property
    def news(self) -> int:
        """The newest fact with something new on it; 0 if it is empty."""
        came = 0 if self.is_empty and not self.outside else self.came
        return max(came, self.differs, self.noted)


def filled_sheets(sheets: tuple[SheetIn, ...]) -> tuple[SheetIn, ...]:
    """The sheets that are not empty; the first one if all are."""
    return tuple(sheet for sheet in sheets if not sheet.is_empty) or sheets[:1]


def as_of(sheet: SheetIn, number: int) -> SheetIn | None:
    """A sheet as it was at a fact; None if none of its scans counted then."""
    known = [each for each in zip(sheet.scans, sheet.since, sheet.read_at, strict=True) if each[1] <= number]
    if not known:
        return None
    scans, since = tuple(scan for scan, _, _ in known), tuple(since for _, since, _ in known)
    noted = sheet.noted if sheet.noted <= number else _newest_outside(scans, since)
    differs = _newest_difference(scans, since)
    lines, read_at = merge_scans(scans), tuple(at for _, _, at in known)
    return replace(sheet, scans=scans, lines=lines, since=since, differs=differs, noted=noted, read_at=read_at)


class ReadOnce(Struct, frozen=True):
    """One reading of one page."""

    number: int  # of its fact
    at: str  # when that was written
    tray: Tray
    transcription: Transcription


class Papers:
    """The sheets that came in so far, updated fact by fact."""

    def __init__(self, event: Event) -> None:
        self.printed = printed_sheets(event)
        self.seats = OldSeats.of(event)
        self.opened = OpenPhases(standing(event.facts, OnGame))
        self.readings: dict[str, list[ReadOnce]] = {}  # by sheet
        # by scan (its hash as short as in names of pictures) and page: the ids of the sheets that the page was read as
        self.shown_on: dict[tuple[str, int], set[str]] = {}
        self.named: dict[tuple[str, int], tuple[int, str]] = {}  # by page: the fact that first said so, and the sheet
        for kind in (PageIdentified, PageRead):
            for fact in standing(event.facts, kind):
                if page := self.seats.now(fact, self.printed):
                    self.take(page)

    def take(self, fact: Fact[OnPage]) -> tuple[Turn, ...]:
        """Apply a page that was read or identified; returns the turns that it changes.

        After a change of seats it is applied to the seats as they are now (`OldSeats.now`).
        """
        match fact.said:
            case PageIdentified() as named:
                return self.take_named(fact.number, named)
            case PageRead(tray=Tray.FILED | Tray.DOUBTFUL as tray, transcription=Transcription() as transcription):
                self.readings.setdefault(transcription.sheet_id, []).append(
                    ReadOnce(fact.number, fact.at, tray, transcription)
                )
                self.shown_on.setdefault((transcription.scan_sha256[:SHORT], transcription.page), set()).add(
                    transcription.sheet_id
                )
                return self.turns(transcription.sheet_id)
        return ()

    def take_named(self, number: int, named: PageIdentified) -> tuple[Turn, ...]:
        """Apply a person's answer to the question which sheet a page is."""
        page = named.place
        touched = [
            sheet for sheet, reads in self.readings.items() if any(page_of(r.transcription) == page for r in reads)
        ]
        before = [turn for sheet_id in touched for turn in self.turns(sheet_id)]
        if page not in self.named or self.named[page][1] != named.sheet:
            self.named[page] = (number, named.sheet)
        return tuple(dict.fromkeys([*before, *(turn for sheet_id in touched for turn in self.turns(sheet_id))]))

    def counted_readings(self, sheet_id: str) -> tuple[ReadOnce, ...]:
        """What was read of one sheet, oldest first.

        A page that a person identified counts for that sheet only. Until then a page without readable codes counts for
        no sheet.
        """
        return tuple(
            read
            for read in self.readings.get(sheet_id, ())
            if (
                sheet_id == self.named[page_of(read.transcription)][1]
                if page_of(read.transcription) in self.named
                else read.tray is Tray.FILED
            )
        )

    def counts_since(self, read: ReadOnce) -> int:
        """The fact from which on a page counts: its reading, or a person's identification where its codes were gone."""
        named = self.named.get(page_of(read.transcription))
        return read.number if named is None else max(read.number, named[0])

    def turns(self, sheet_id: str) -> tuple[Turn, ...]:
        """Every turn that a sheet may be for: of a printed one, its own; of a pad, by what was read so far."""
        sheet = self.printed[sheet_id]
        phases = [
            *self.by_phase(sheet, self.readings[sheet_id]),
            *self.by_phase(sheet, self.counted_readings(sheet_id)),
        ]
        return tuple(sheet.turn.at(phase) for phase in dict.fromkeys(phases))

    def by_phase(self, sheet: PrintedSheet, reads: Iterable[ReadOnce]) -> dict[Phase, list[ReadOnce]]:
        """Sort the readings of one sheet by phase; only a pad can be for several.

        A pad is for the phase that was open when it came in. Scanned again later with the ticks of that earlier phase,
        it is the same paper again, and nothing new.
        """
        turn = sheet.turn
        phases: dict[Phase, list[ReadOnce]] = {} if sheet.request.is_pad else {turn.phase: []}
        for read in reads:
            phase = turn.phase
            if sheet.request.is_pad:
                ticked = Ticked.of(read.transcription.ticks, turn.phase.step).phase
                opened = due_phase(self.opened.at(turn.board, read.number), turn.phase.step)
                phase = ticked if ticked in phases and ticked is not None else opened
            phases.setdefault(phase, []).append(read)
        return phases

    def of(self, turn: Turn) -> tuple[SheetIn, ...]:
        mine = [s for s in self.readings if self.printed[s].turn.at(turn.phase) == turn]
        return in_order(sheet for sheet_id in mine for when, sheet in self.sheets(sheet_id) if when == turn)

    def by_turn(self) -> dict[Turn, tuple[SheetIn, ...]]:
        sheets_of: dict[Turn, list[SheetIn]] = {}
        for sheet_id in self.readings:
            for turn, sheet in self.sheets(sheet_id):
                sheets_of.setdefault(turn, []).append(sheet)
        return {turn: in_order(sheets) for turn, sheets in sheets_of.items()}

    def sheets(self, sheet_id: str) -> Iterator[tuple[Turn, SheetIn]]:
        """One sheet for each turn for which a reading of it counts; more than one turn only where a pad is in doubt."""
        printed = self.printed[sheet_id]
        before = None
        for phase, reads in self.by_phase(printed, self.counted_readings(sheet_id)).items():
            if not reads:
                continue
            scans = tuple(read.transcription for read in reads)
            noted = _newest_outside(scans, [read.number for read in reads])
            pad = None
            if printed.request.is_pad:
                noted = max(noted, _newest_ticks(reads, phase))
                ticked = Ticked.of(scans[-1].ticks, phase.step)
                pad = PadIn(sheet_id, ticked, phase, before)
                before = before or phase
            since = tuple(self.counts_since(read) for read in reads)
            differs, read_at = _newest_difference(scans, since), tuple(read.at for read in reads)
            sheet = SheetIn(printed, scans, merge_scans(scans), since, differs, pad, noted, read_at)
            yield printed.turn.at(phase), sheet

    def sheet_of_page(self, sha256: str, page: int) -> PrintedSheet | None:
        """The sheet that a page shows; None if it shows none. ``sha256`` may be as short as in names of pictures."""
        shown = self.shown_on.get((sha256[:SHORT], page), ())
        for sheet_id in (each for each in self.readings if each in shown):
            reads = (read.transcription for read in self.counted_readings(sheet_id))
            if any(scan.scan_sha256.startswith(sha256) and scan.page == page for scan in reads):
                return self.printed[sheet_id]
        return None


def in_order(sheets: Iterable[SheetIn]) -> tuple[SheetIn, ...]:
    return tuple(sorted(sheets, key=lambda sheet: sheet.serial))


def page_of(transcription: Transcription) -> tuple[str, int]:
    return transcription.scan_sha256, transcription.page


def sheets_in(event: Event) -> dict[Turn, tuple[SheetIn, ...]]:
    """Every sheet that was filed, by board, phase and power."""
    return Papers(event).by_turn()


def _newest_ticks(reads: Sequence[ReadOnce], phase: Phase) -> int:
    """The newest fact that shows a pad ticked for another season than an earlier scan of it; 0 where none does."""
    ticked = [Ticked.of(read.transcription.ticks, phase.step) for read in reads]
    changed = (read.number for read, (before, now) in zip(reads[1:], pairwise(ticked), strict=True) if before != now)
    return max(changed, default=0)
