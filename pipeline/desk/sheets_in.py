"""What came in on paper: for every power the sheets that were read, and what is doubtful about them as sheets."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pipeline.desk.event import Event
from pipeline.desk.printing import PrintedSheet, printed_sheets
from pipeline.desk.transcripts import read_transcription
from pipeline.desk.turn import Turn
from pipeline.ink import InkLine, Reading, Tier, Transcription
from pipeline.store.facts import Fact


@dataclass(frozen=True, slots=True)
class SheetIn:
    """One sheet of paper that came in, once or several times."""

    printed: PrintedSheet
    scans: tuple[Transcription, ...]  # oldest first
    lines: tuple[InkLine, ...]  # of all scans together: where they differ, a person is asked

    @property
    def serial(self) -> int:
        """The sheet's serial."""
        return self.printed.request.id.serial

    @property
    def is_empty(self) -> bool:
        """Whether nothing is written in its rows."""
        return all(line.tier is Tier.BLANK for line in self.lines)


class Papers:
    """The sheets that came in so far; it takes new facts one by one, so that a page that arrives costs nothing."""

    def __init__(self, event: Event) -> None:
        self.printed = printed_sheets(event)
        self.readings: dict[str, list[tuple[str, Transcription]]] = {}  # by sheet: the tray, and what was read
        self.named = {(f.body["sha256"], f.body["page"]): f.body["sheet"] for f in event.facts.read("page identified")}
        for fact in event.facts.read("page read"):
            self.take(fact)

    def take(self, fact: Fact) -> tuple[Turn, ...]:
        """Take a page that was read, or a person's word which sheet a page is; give back the turns that it changes."""
        page = (fact.body["sha256"], fact.body["page"])
        if fact.kind == "page identified":
            self.named[page] = fact.body["sheet"]
            touched = [sheet_id for sheet_id, read in self.readings.items() if any(page_of(t) == page for _, t in read)]
            return tuple(dict.fromkeys(turn_of(self.printed[sheet_id]) for sheet_id in touched))
        if fact.body["tray"] not in ("filed", "doubtful") or "form" in fact.body:
            return ()
        found = read_transcription(fact.body["transcription"])
        self.readings.setdefault(found.sheet_id, []).append((fact.body["tray"], found))
        return (turn_of(self.printed[found.sheet_id]),)

    def counted(self, sheet_id: str) -> tuple[Transcription, ...]:
        """What was read of one sheet, oldest first.

        A page that a person named is that sheet and no other; one whose codes are gone is none until it is named.
        """
        return tuple(
            found
            for tray, found in self.readings.get(sheet_id, ())
            if (sheet_id == self.named[page_of(found)] if page_of(found) in self.named else tray == "filed")
        )

    def of(self, turn: Turn) -> tuple[SheetIn, ...]:
        """The sheets of one turn, by serial."""
        return self.in_order(sheet_id for sheet_id in self.readings if turn_of(self.printed[sheet_id]) == turn)

    def by_turn(self) -> dict[Turn, tuple[SheetIn, ...]]:
        """All sheets."""
        found: dict[Turn, list[str]] = {}
        for sheet_id in self.readings:
            found.setdefault(turn_of(self.printed[sheet_id]), []).append(sheet_id)
        sheets = {turn: self.in_order(sheet_ids) for turn, sheet_ids in found.items()}
        return {turn: each for turn, each in sheets.items() if each}

    def in_order(self, sheet_ids: Iterable[str]) -> tuple[SheetIn, ...]:
        """Put sheets together of which a reading counts, by serial."""
        found = [
            SheetIn(self.printed[sheet_id], pages, together(pages))
            for sheet_id in sheet_ids
            if (pages := self.counted(sheet_id))
        ]
        return tuple(sorted(found, key=lambda s: s.serial))

    def sheet_of_page(self, sha256: str, page: int) -> PrintedSheet | None:
        """The sheet that a page shows, by the beginning of its scan's hash; None for a page that is nowhere."""
        for sheet_id in self.readings:
            if any(t.scan_sha256.startswith(sha256) and t.page == page for t in self.counted(sheet_id)):
                return self.printed[sheet_id]
        return None


def page_of(transcription: Transcription) -> tuple[str, int]:
    """Which page of which scan was read."""
    return transcription.scan_sha256, transcription.page


def sheets_in(event: Event) -> dict[Turn, tuple[SheetIn, ...]]:
    """Every sheet that was filed, by board, phase and power."""
    return Papers(event).by_turn()


def turn_of(sheet: PrintedSheet) -> Turn:
    """The turn that a sheet was printed for."""
    return Turn(f"{sheet.request.round}.{sheet.request.board}", sheet.request.phase, sheet.request.power)


def together(scans: Sequence[Transcription]) -> tuple[InkLine, ...]:
    """Lay several scans of the same paper over one another: a row counts as read only where all scans agree."""
    lines = {line.number: line for line in scans[0].lines}
    for scan in scans[1:]:
        for line in scan.lines:
            before = lines.get(line.number)
            lines[line.number] = line if before is None else agree(before, line)
    return tuple(lines[number] for number in sorted(lines))


def agree(first: InkLine, second: InkLine) -> InkLine:
    """Lay two readings of one row together: the better tier where the texts are the same, else a person is asked."""
    if fold(first.text) == fold(second.text) and (first.tier is Tier.BLANK) == (second.tier is Tier.BLANK):
        ranks = [Tier.ACCEPTED, Tier.MARKED, Tier.BLANK, Tier.ASKED]
        return min(first, second, key=lambda line: ranks.index(line.tier))
    readings: dict[str, Reading] = {}
    for reading in (*first.readings, *second.readings):
        kept = readings.setdefault(reading.text, reading)
        readings[reading.text] = max(kept, reading, key=lambda r: r.confidence)
    ranked = tuple(sorted(readings.values(), key=lambda r: -r.confidence))
    return replace(second, readings=ranked, tier=Tier.ASKED, notes=(*second.notes, "two scans of this row differ"))


def fold(text: str) -> str:
    """Compare texts without spaces and case."""
    return "".join(text.split()).casefold()
