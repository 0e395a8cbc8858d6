"""The later stages of a form: the fields that it asks for, the ink in them, and what was read."""

from collections.abc import Iterator, Mapping

import numpy as np

from pipeline.ink import Box, InkLine, Tier
from pipeline.paper.layout.answers import Answer, ChoiceAnswer, NumberAnswer, SignatureAnswer, TextAnswer, place_of
from pipeline.paper.layout.sheet_layout import Field
from pipeline.reading.album.canvas import AlbumPen, Canvas, labelled, png
from pipeline.reading.album.cut import INK, CutAnswer, cut_of
from pipeline.reading.album.leaf import RowSeen, StagePicture
from pipeline.reading.album.looks import READERS, TIERS, Strip, quoted, stacked
from pipeline.reading.files.picture import Grey
from pipeline.reading.ink.background import on_white
from pipeline.reading.ink.strokes import ink_parts
from pipeline.reading.ink.ticks import FRAME_MM
from pipeline.reading.registration.warp import PIXELS_PER_MM
from pipeline.reading.rows.rows import part, view
from pipeline.reading.transcription.stages import AnswersRead
from pipeline.words import sentence

FIELDS = "3. Fields cut out"
PENS: Mapping[Tier, AlbumPen] = {
    Tier.BLANK: AlbumPen.EMPTY,
    Tier.ASKED: AlbumPen.DOUBT,
    Tier.MARKED: AlbumPen.FOUND,
    Tier.ACCEPTED: AlbumPen.FOUND,
}


def pictures_of_form(stage: AnswersRead) -> Iterator[StagePicture]:
    """Show a form's fields, its ink, and what was read."""
    lines = {line.number: line for line in stage.transcription.lines}
    cuts = {answer.number: cuts_of(stage, answer) for answer in stage.layout.answers}
    yield picture_of_fields(stage, lines)
    yield picture_of_ink(stage, [cut for each in cuts.values() for cut in each])
    strips = [strip for answer in stage.layout.answers for strip in strips_of(stage, answer, lines[answer.number])]
    told = (f"fields that are filled in: {len(strips)} of {len(lines)}",)
    yield StagePicture("05-answers", READERS, told, labelled(stacked(strips), READERS, told))


def picture_of_fields(stage: AnswersRead, lines: Mapping[int, InkLine]) -> StagePicture:
    """Show where each field is."""
    canvas = Canvas(stage.straight.flat, pale=True)
    for answer in stage.layout.answers:
        for box in boxes_of(answer):
            canvas.box(box, PENS[lines[answer.number].tier])
    told = ("blue: filled in and read; vermilion: a person is asked; grey: empty",)
    return StagePicture("03-fields", FIELDS, told, labelled(canvas.picture, FIELDS, told))


def picture_of_ink(stage: AnswersRead, cuts: list[CutAnswer]) -> StagePicture:
    """Show the ink of the fields."""
    flat = stage.straight.flat
    canvas = Canvas(flat, pale=True)
    own, gone = (np.zeros(flat.shape, np.bool_) for _ in range(2))
    for cut in cuts:
        cut.laid_on(own, gone)
    canvas.stain(gone & ~own, AlbumPen.PRINT)
    canvas.stain(own, AlbumPen.INK)
    told = ("blue is a person's ink; orange was printed, and is taken out",)
    return StagePicture("04-ink", INK, told, labelled(canvas.picture, INK, told))


def boxes_of(answer: Answer) -> tuple[Box, ...]:
    """The boxes of an answer."""
    return answer.boxes if isinstance(answer, NumberAnswer | ChoiceAnswer) else (answer.box,)


def cuts_of(stage: AnswersRead, answer: Answer) -> list[CutAnswer]:
    """Cut the fields of an answer out, and find the ink within the frames."""
    flat = stage.straight.flat
    match answer:
        case TextAnswer() | SignatureAnswer():
            return [cut_of(flat, stage.straight.form, Field(answer.name, None, answer.box))]
        case _:
            return [cut_of_box(flat, box) for box in answer.boxes]


def cut_of_box(flat: Grey, box: Box) -> CutAnswer:
    """Cut one printed box out; what is on its frame is print."""
    grey = on_white(part(flat, box, FRAME_MM))
    inked, edge = ink_parts(grey).mask, round(2 * FRAME_MM * PIXELS_PER_MM)
    inside = np.zeros(inked.shape, np.bool_)
    inside[edge:-edge, edge:-edge] = True
    left, top = (max(0, round((start - FRAME_MM) * PIXELS_PER_MM)) for start in (box.left, box.top))
    return CutAnswer(grey, inked & inside, inked & ~inside, left, top)


def strips_of(stage: AnswersRead, answer: Answer, line: InkLine) -> Iterator[Strip]:
    """One answer that was filled in: its picture, and what was read."""
    if line.tier is Tier.BLANK:
        return
    read = " or ".join(quoted(reading) for reading in line.readings[:3]) or "there"
    notes = f" ({', '.join(map(sentence, line.notes))})" if line.notes else ""
    yield Strip(
        f"row {line.number}, {answer.name}: {read};   {TIERS[line.tier]}{notes}",
        PENS[line.tier],
        part(stage.straight.flat, place_of(answer), 1.0),
    )


def answers_seen(stage: AnswersRead) -> Iterator[RowSeen]:
    """Show each field that is filled in by itself."""
    for answer, line in zip(stage.layout.answers, stage.transcription.lines, strict=True):
        if line.tier is not Tier.BLANK:
            cuts = cuts_of(stage, answer)
            yield RowSeen(line.number, view(stage.straight.flat, place_of(answer)), beside_one_another(cuts))


def beside_one_another(cuts: list[CutAnswer]) -> bytes:
    """The ink of the boxes of one answer, from the left."""
    height, width = max(len(cut.own) for cut in cuts), sum(cut.own.shape[1] for cut in cuts)
    canvas = Canvas(np.full((height, width), 255, np.uint8))
    own, gone = (np.zeros((height, width), np.bool_) for _ in range(2))
    left = 0
    for cut in cuts:
        here = (slice(0, len(cut.own)), slice(left, left + cut.own.shape[1]))
        own[here], gone[here] = cut.own, cut.gone
        left += cut.own.shape[1]
    canvas.stain(gone, AlbumPen.PRINT)
    canvas.stain(own, AlbumPen.INK)
    return png(canvas.picture)
