"""The fifth stage: what the readers were shown of each row, and what each of them read there."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from PIL import Image, ImageDraw

from pipeline.ink import InkLine, InkReading, Tier
from pipeline.reading.album.canvas import LETTER_PX, MARGIN_PX, AlbumPen, labelled, letters
from pipeline.reading.album.leaf import ReaderSaid, RowSeen, StagePicture
from pipeline.reading.files.picture import Grey
from pipeline.reading.handwriting.each_alone import Alone, Looks, each_alone
from pipeline.reading.handwriting.hand_reader import HandReader
from pipeline.reading.net.normalise import Ink
from pipeline.reading.rows.recogniser import AFTER_FIRST, Crop, Sure
from pipeline.reading.transcription.stages import RowsRead
from pipeline.words import sentence

FIRST = "first"
READERS = "5. What the readers saw"
WIDE_PX = 1180
STRIP_PX = 44  # height of what a net is shown; it sees 40 or 48 rows of pixels
CROP_PX = 80  # height of a row as it was scanned, with room above and below
TIERS: Mapping[Tier, str] = {
    Tier.ACCEPTED: "accepted: passed the absolute test",
    Tier.MARKED: "marked: passed, worth a glance",
    Tier.ASKED: "asked: a person must say what is written",
    Tier.BLANK: "blank",
}


@dataclass(frozen=True, slots=True, eq=False)
class Strip:
    """One line of the picture: words, and below them what they are about."""

    text: str
    pen: AlbumPen = AlbumPen.WORDS
    grey: Grey | None = None
    tall: int = STRIP_PX

    @property
    def height(self) -> int:
        """How much room it takes, in pixels."""
        return LETTER_PX + 8 + (0 if self.grey is None else self.tall + 4)


def looks_of(stage: RowsRead) -> dict[int, Looks]:
    """What each reader made of the rows, by their numbers; nothing where the engine cannot say."""
    inked = [row.number for row in stage.rows if not row.is_blank]
    if not isinstance(stage.engine, HandReader) or len(stage.engine.seen) != len(inked):
        return {}
    found = zip(inked, each_alone(stage.engine, stage.vocabulary), strict=True)
    return {number: looks for number, looks in found if looks is not None}


def with_readers(seen: RowSeen, looks: Looks | None) -> RowSeen:
    """Add what the readers said to what was seen of a row."""
    if looks is None:
        return seen
    return replace(seen, first=said(looks.first), further=tuple(map(said, looks.further)))


def said(alone: Alone) -> ReaderSaid:
    """What one reader said, without what it was shown."""
    return ReaderSaid(alone.letters, alone.line)


def picture_of_looks(stage: RowsRead, looks: Mapping[int, Looks]) -> StagePicture:
    """Show every inked row as the readers saw it, with their letters, their best lines, and the verdict."""
    lines = {line.number: line for line in stage.transcription.lines}
    strips = [
        strip
        for row in stage.rows
        if not row.is_blank
        for strip in strips_of(lines[row.number], row.crop, looks.get(row.number))
    ]
    told = [f"{sum(not row.is_blank for row in stage.rows)} rows read by {stage.transcription.reader}"]
    told += looked_at(looks.values()) if looks else []
    told += ["nothing is written in the rows"] if not strips else []
    return StagePicture("05-readers", READERS, tuple(told), labelled(stacked(strips), READERS, told))


def looked_at(looks: Collection[Looks]) -> Iterator[str]:
    """Say at how many rows each reader after the first looked."""
    for number, name in enumerate(AFTER_FIRST):
        count = sum(len(each.further) > number for each in looks)
        yield f"the {name} reader looked at {count} of them, where those before it were not sure"


def strips_of(line: InkLine, crop: Crop, looks: Looks | None) -> Iterator[Strip]:
    """One row: its ink, what each reader saw and said, and the verdict."""
    sure = [part.text for part in crop.parts if isinstance(part, Sure) and part.text]
    certain = f"; ticked or printed, so certain (black below): {' | '.join(sure)}" if sure else ""
    yield Strip(f"row {line.number}: its ink, cleaned{certain}", grey=crop.grey, tall=CROP_PX)
    for name, alone in (
        zip((FIRST, *AFTER_FIRST), (looks.first, *looks.further), strict=False) if looks is not None else ()
    ):
        best = "" if alone.line is None else f";   best line: {quoted(alone.line)}"
        yield Strip(f"the {name} reader is shown this, and sees letters: {quoted(alone.letters)}{best}",
                    grey=shown(alone.ink))  # fmt: skip
    notes = f" ({', '.join(map(sentence, line.notes))})" if line.notes else ""
    best = quoted(line.readings[0]) if line.readings else "nothing legible"
    pen = AlbumPen.DOUBT if line.tier is Tier.ASKED else AlbumPen.FOUND
    yield Strip(f"together: {best};   {TIERS[line.tier]}{notes}", pen)


def quoted(reading: InkReading) -> str:
    """A reading with its confidence.

    >>> quoted(InkReading("A VIE - GAL", 0.9876))
    'A VIE - GAL (98.8 %)'
    """
    return f"{reading.text or 'nothing'} ({reading.confidence:.1%})".replace("%", " %")


def shown(ink: Ink) -> Grey:
    """What a net is shown, dark on white."""
    return (255 - 255 * np.clip(ink, 0, 1)).astype(np.uint8)


def stacked(strips: Sequence[Strip]) -> Image.Image:
    """Lay strips one under another."""
    whole = Image.new("RGB", (WIDE_PX, max(1, sum(strip.height for strip in strips) + MARGIN_PX)), (255, 255, 255))
    draw = ImageDraw.Draw(whole)
    top = 0
    for strip in strips:
        if strip.text.startswith("row "):
            draw.line((0, top + 2, WIDE_PX, top + 2), fill=AlbumPen.EMPTY.value)
        draw.text((MARGIN_PX, top + 5), strip.text, font=letters(LETTER_PX - 3), fill=strip.pen.value)
        if strip.grey is not None:
            whole.paste(fitted(strip.grey, strip.tall), (MARGIN_PX, top + LETTER_PX + 8))
        top += strip.height
    return whole


def fitted(grey: Grey, tall: int) -> Image.Image:
    """Make a strip so high, and no wider than the picture."""
    picture = Image.fromarray(grey).convert("RGB")
    scale = min(tall / picture.height, (WIDE_PX - 2 * MARGIN_PX) / picture.width)
    return picture.resize((max(1, round(picture.width * scale)), max(1, round(picture.height * scale))))
