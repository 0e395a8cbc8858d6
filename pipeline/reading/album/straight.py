"""The second stage: the sheet laid straight, and how well it lies; or how it was tried, and why it failed."""

import numpy as np

from pipeline.ink import Box
from pipeline.paper.layout.sheet_layout import Form
from pipeline.reading.album.canvas import AlbumPen, Canvas, labelled
from pipeline.reading.album.leaf import StagePicture
from pipeline.reading.album.marks import draw_marks, in_words
from pipeline.reading.files.picture import Grey
from pipeline.reading.registration.dewarp_bars import find_bars
from pipeline.reading.registration.fit import fit
from pipeline.reading.registration.register import RegisteredPage
from pipeline.reading.registration.warp import Warp
from pipeline.reading.transcription.stages import Laid, NotLaid
from pipeline.words import sentence

NAME = "02-registered"
LAID, NOT_LAID = "2. Laid straight", "2. Not laid straight"


def picture_of_laid(stage: Laid) -> StagePicture:
    """Show a sheet that lies straight, with the places of its marks and bars as they were printed."""
    straight = stage.straight
    canvas = Canvas(straight.flat)
    for box in (*straight.form.markers, *straight.form.codes):
        canvas.box(box, AlbumPen.FOUND)
    draw_bars(canvas, straight.flat, straight.form)
    told = (measured(straight), *map(sentence, straight.warnings))
    return StagePicture(NAME, LAID, told, labelled(canvas.picture, LAID, told))


def measured(straight: RegisteredPage) -> str:
    """Say how a sheet was laid straight."""
    turned = f"turned by {straight.turned} degrees, " if straight.turned else ""
    return (
        f"scanned at about {straight.dpi:.0f} dpi; {turned}the print lies {straight.residual_mm:.2f} mm off its places"
    )


def draw_bars(canvas: Canvas, flat: Grey, form: Form) -> int:
    """Outline where the bars beside the rows were printed: found, or not; how many were not."""
    offsets = find_bars(flat, form).offsets
    lost = 0
    for pair, places in zip(form.bars, offsets, strict=True):
        for bar, offset in zip(pair, places, strict=True):
            is_found = bool(np.isfinite(offset).all())
            lost += not is_found
            canvas.box(wider(bar), AlbumPen.FOUND if is_found else AlbumPen.DOUBT)
    return lost


def wider(bar: Box, by_mm: float = 0.8) -> Box:
    """A box so much larger all round, to be drawn round what is in it."""
    return Box(bar.left - by_mm, bar.top - by_mm, bar.width + 2 * by_mm, bar.height + 2 * by_mm)


def picture_of_not_laid(stage: NotLaid) -> StagePicture:
    """Show how far it went: the sheet as its marks would have it, or where they leave it unknown, the marks."""
    found, form = stage.found, stage.layout.form
    fitted = fit(found.marks, stage.layout.marker_ids, form)
    told: tuple[str, ...] = (f"why not: {stage.straight.why}", in_words(found.marks))
    if fitted is None:
        canvas = Canvas(found.grey)
        draw_marks(canvas, found.marks)
        return StagePicture(NAME, NOT_LAID, told, labelled(canvas.picture, NOT_LAID, told))
    flat = Warp.flat(fitted.perspective, form.width, form.height).picture(found.grey)
    canvas = Canvas(flat)
    for number, box in zip(stage.layout.marker_ids, form.markers, strict=True):
        canvas.box(box, AlbumPen.FOUND if number in found.marks.markers else AlbumPen.DOUBT)
    lost, bars = draw_bars(canvas, flat, form), sum(len(pair) for pair in form.bars)
    told += (f"tried as {stage.layout.sheet}: {bars - lost} of {bars} bars beside the rows are near their places",)
    return StagePicture(NAME, NOT_LAID, told, labelled(canvas.picture, NOT_LAID, told))
