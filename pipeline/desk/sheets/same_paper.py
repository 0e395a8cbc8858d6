"""Several scans of the same paper, laid over one another: what they show together, and what one shows that is new."""

from collections.abc import Sequence
from dataclasses import replace

from pipeline.ink import Box, InkLine, InkReading, Note, Tier, Transcription, surest_first
from pipeline.reading.ink.line_notes import SPOILS

SPOILT = SPOILS | {Note.SCANS_DIFFER}  # a third scan that agrees with one of the two settles nothing


def together(scans: Sequence[Transcription]) -> tuple[InkLine, ...]:
    """Lay several scans of the same paper over one another: a row counts as read only where all scans agree."""
    lines = {line.number: line for line in scans[0].lines}
    for scan in scans[1:]:
        for line in scan.lines:
            before = lines.get(line.number)
            lines[line.number] = line if before is None else agree(before, line)
    return tuple(lines[number] for number in sorted(lines))


def newest_difference(scans: Sequence[Transcription], since: Sequence[int]) -> int:
    """The newest fact since which a row shows otherwise than all earlier scans; ``since`` is each scan's fact."""
    asked = [
        {line.number for line in together(scans[:count]) if line.tier is Tier.ASKED}
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
    """Whether a row surely shows what no earlier scan of it did: another text, or that something was struck out."""
    before = [earlier for scan in scans for earlier in scan.lines if earlier.number == line.number]
    if is_hidden(line):
        return not any(is_spoilt(earlier) or surest(line) == fold(earlier.text) for earlier in before)
    if is_spoilt(line):
        return not any(is_spoilt(earlier) and not is_hidden(earlier) for earlier in before)
    return line.tier is not Tier.ASKED and fold(line.text) not in {fold(earlier.text) for earlier in before}


def newest_outside(scans: Sequence[Transcription], facts: Sequence[int]) -> int:
    """The newest fact that tells of something outside the rows where no earlier scan did; 0 where none does."""
    seen: list[Box] = []
    newest = 0
    for scan, fact in zip(scans, facts, strict=True):
        if any(not any(overlap(box, other) for other in seen) for box in scan.outside):
            newest = fact
        seen += scan.outside
    return newest


def overlap(one: Box, other: Box) -> bool:
    """Whether two places on a sheet have anything in common."""
    return (
        one.left < other.left + other.width
        and other.left < one.left + one.width
        and one.top < other.top + other.height
        and other.top < one.top + one.height
    )


def agree(first: InkLine, second: InkLine) -> InkLine:
    """Lay two readings of one row together: the surer where both saw the same text unspoilt, else a person is asked.

    A row that one scan shows struck out, ticked twice or torn is asked however sure the other is: what came on the
    paper between the two scans is what was written last. Where a scan was merely not sure of the text, the other is.
    A row that could not be seen, and can now, is what is seen now, unless other ink was seen of it before. One that is
    hidden in the second scan is what the first shows only if the second shows all of its ink: paint hides it, too.
    """
    if Note.HIDDEN in first.notes and not first.readings and Note.HIDDEN not in second.notes:
        return second
    if is_hidden(first) and not is_spoilt(second) and surest(first) and surest(first) in fold(second.text):
        return second
    if is_hidden(second) and not is_spoilt(first) and surest(second) and shows_all(second, first.text):
        return replace(first, notes=tuple(dict.fromkeys((*first.notes, *second.notes))))
    same = fold(first.text) == fold(second.text) and (first.tier is Tier.BLANK) == (second.tier is Tier.BLANK)
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
    """Whether a person is asked about a line for what is seen on the paper, or because scans of it differ already."""
    return line.tier is Tier.ASKED and not SPOILT.isdisjoint(line.notes)


def is_hidden(line: InkLine) -> bool:
    """Whether a person is asked about a line for nothing but that part of it cannot be seen."""
    return line.tier is Tier.ASKED and SPOILT.intersection(line.notes) == {Note.HIDDEN}


def surest(line: InkLine) -> str:
    """What was read most surely: of a line that is cut off what is left; the best reading may make an order of it."""
    return fold(max(line.readings, key=lambda reading: reading.confidence).text) if line.readings else ""


def shows_all(line: InkLine, text: str) -> bool:
    """Whether a line was read as all of a text, and no reading of it has only a part of that."""
    whole = fold(text)
    return surest(line) == whole and all(
        each == whole or each not in whole for each in (fold(reading.text) for reading in line.readings)
    )


def fold(text: str) -> str:
    """Compare texts without spaces and case."""
    return "".join(text.split()).casefold()
