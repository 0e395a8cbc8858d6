"""The first stages: which codes and markers were found on the picture as it came, and where several sheets lie."""

import numpy as np

from pipeline.reading.album.canvas import AlbumPen, Canvas, labelled
from pipeline.reading.album.leaf import StagePicture
from pipeline.reading.files.picture import Grey
from pipeline.reading.identity.identify import BySlot, Identified, Layouts, NotOurs, Unclear, all_markers
from pipeline.reading.registration.marks import Marks, find_codes, find_markers
from pipeline.reading.transcription.stages import MarksSought, SheetsParted

CLOCKWISE = ("top left", "top right", "bottom right", "bottom left")


def picture_of_marks(stage: MarksSought) -> StagePicture:
    """Show the codes and corner markers."""
    found = stage.found
    if isinstance(found, Identified | BySlot):
        grey, marks = found.grey, found.marks
    else:
        grey, marks = stage.page.grey, sought_again(stage.page.grey, stage.layouts)
    canvas = Canvas(grey)
    draw_marks(canvas, marks)
    told = (in_words(marks), *(f"the code reads {text[:60]}" for text in marks.texts))
    if isinstance(found, Identified):
        places = zip(CLOCKWISE, found.layout.marker_ids, strict=True)
        lost = [where for where, number in places if number not in marks.markers]
        told += (f"not found: the marker {', '.join(lost)}",) if lost else ()
        told += ("the picture was mirrored, and is turned round here",) if grey is not stage.page.grey else ()
    if isinstance(found, NotOurs | Unclear):
        told += (found.text,)
    return StagePicture("01-marks", "1. Marks found", told, labelled(canvas.picture, "1. Marks found", told))


def sought_again(grey: Grey, layouts: Layouts) -> Marks:
    """Find the marks of a picture of which no sheet could be named."""
    return Marks(find_codes(grey), find_markers(grey, all_markers(layouts)))


def draw_marks(canvas: Canvas, marks: Marks) -> None:
    """Outline codes and markers."""
    for code in marks.codes:
        canvas.outline(code.corners, AlbumPen.FOUND, "code")
    for number, corners in marks.markers.items():
        canvas.outline(corners, AlbumPen.FOUND, f"marker {number}")


def in_words(marks: Marks) -> str:
    """Count the marks.

    >>> in_words(Marks((), {}))
    'no code and no corner marker found'
    """
    codes, markers = len(marks.codes), len(marks.markers)
    if not codes and not markers:
        return "no code and no corner marker found"
    return f"found: {codes} of 2 codes, {markers} of 4 corner markers"


def picture_of_sheets(stage: SheetsParted) -> StagePicture:
    """Show where several sheets lie on one picture."""
    canvas = Canvas(stage.page.grey)
    size = np.array(stage.page.grey.shape[::-1], np.float64)
    for number, quad in enumerate(stage.quads, start=1):
        canvas.outline(np.asarray(quad) * size, AlbumPen.FOUND, f"part {number}")
    told = (f"{len(stage.quads)} sheets on one picture: each is cut out and read as a page of its own",)
    title = "2. Several sheets"
    return StagePicture("02-sheets", title, told, labelled(canvas.picture, title, told))
