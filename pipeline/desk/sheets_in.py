"""What came in on paper: for every power the sheets that were read, and what is doubtful about them as sheets."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pipeline.desk.event import Event
from pipeline.desk.printing import PrintedSheet, printed_sheets
from pipeline.desk.transcripts import read_transcription
from pipeline.desk.turn import Turn
from pipeline.ink import InkLine, Reading, Tier, Transcription


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


def sheets_in(event: Event) -> dict[Turn, tuple[SheetIn, ...]]:
    """Every sheet that was filed, by board, phase and power."""
    printed = printed_sheets(event)
    scans: dict[str, list[Transcription]] = {}
    named = {(f.body["sha256"], f.body["page"]): f.body["sheet"] for f in event.facts.read("page identified")}
    for fact in event.facts.read("page read"):
        by_hand = named.get((fact.body["sha256"], fact.body["page"]))
        if fact.body["tray"] == "filed" or (fact.body["tray"] == "doubtful" and by_hand is not None):
            transcription = read_transcription(fact.body["transcription"])
            scans.setdefault(by_hand or transcription.sheet_id, []).append(transcription)
    found: dict[Turn, list[SheetIn]] = {}
    for sheet_id, pages in scans.items():
        sheet = printed[sheet_id]
        turn = Turn(f"{sheet.request.round}.{sheet.request.board}", sheet.request.phase, sheet.request.power)
        found.setdefault(turn, []).append(SheetIn(sheet, tuple(pages), together(pages)))
    return {turn: tuple(sorted(sheets, key=lambda s: s.serial)) for turn, sheets in found.items()}


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
