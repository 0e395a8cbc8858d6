"""What came in on paper: for every power the sheets that were read, and what is doubtful about them as sheets."""

from collections.abc import Sequence
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
        self.scans: dict[str, list[Transcription]] = {}
        self.doubtful: dict[tuple[str, int], Transcription] = {}
        self.named = {(f.body["sha256"], f.body["page"]): f.body["sheet"] for f in event.facts.read("page identified")}
        for fact in event.facts.read("page read"):
            self.take(fact)

    def take(self, fact: Fact) -> Turn | None:
        """Take a page that was read, or a person's word which sheet a page is; give back the turn it belongs to."""
        page = (fact.body["sha256"], fact.body["page"])
        if fact.kind == "page identified":
            self.named[page] = fact.body["sheet"]
            transcription = self.doubtful.get(page)
        else:
            transcription = self.transcription(fact)
        if transcription is None:
            return None
        sheet_id = self.named.get(page) or transcription.sheet_id
        self.scans.setdefault(sheet_id, []).append(transcription)
        return turn_of(self.printed[sheet_id])

    def transcription(self, fact: Fact) -> Transcription | None:
        """What a page says; nothing while nobody knows which sheet it is."""
        if fact.body["tray"] not in ("filed", "doubtful"):
            return None
        found = read_transcription(fact.body["transcription"])
        page = (fact.body["sha256"], fact.body["page"])
        if fact.body["tray"] == "doubtful" and page not in self.named:
            self.doubtful[page] = found
            return None
        return found

    def of(self, turn: Turn) -> tuple[SheetIn, ...]:
        """The sheets of one turn, by serial."""
        found = [
            SheetIn(self.printed[sheet_id], tuple(pages), together(pages))
            for sheet_id, pages in self.scans.items()
            if turn_of(self.printed[sheet_id]) == turn
        ]
        return tuple(sorted(found, key=lambda s: s.serial))

    def by_turn(self) -> dict[Turn, tuple[SheetIn, ...]]:
        """All sheets."""
        turns = dict.fromkeys(turn_of(self.printed[sheet_id]) for sheet_id in self.scans)
        found: dict[Turn, list[SheetIn]] = {turn: [] for turn in turns}
        for sheet_id, pages in self.scans.items():
            sheet = self.printed[sheet_id]
            found[turn_of(sheet)].append(SheetIn(sheet, tuple(pages), together(pages)))
        return {turn: tuple(sorted(sheets, key=lambda s: s.serial)) for turn, sheets in found.items()}


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
