"""Pages out of files, one at a time: PDF, TIFF, JPEG, PNG. One clear problem for each file or page that is bad."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from pipeline.problems import Problem, Weight
from pipeline.reading.picture import LONGEST_SIDE, Grey, Unreadable, check_size, frames, shrunk

RENDER_DPI = 200
COVERS = 0.8  # a scanner's picture covers the page; a logo does not


@dataclass(frozen=True, slots=True)
class PageImage:
    """One page as a scanner or telephone saw it."""

    file: str
    number: int  # 1.., in the file
    grey: Grey

    @property
    def where(self) -> str:
        """The page as a director finds it."""
        return f"{self.file} page {self.number}"


@dataclass(frozen=True, slots=True)
class BadPage:
    """A page, or a whole file, that could not be opened."""

    file: str
    number: int | None  # None: the file
    problem: Problem


def pages(path: Path) -> Iterator[PageImage | BadPage]:
    """Read the pages of one file as they are needed; what cannot be opened comes as a `BadPage` in its place."""
    try:
        with path.open("rb") as file:
            start = file.read(1024)
    except OSError as error:
        yield bad(path.name, None, f"the file cannot be opened ({error.strerror})")
        return
    if not start:
        yield bad(path.name, None, "the file is empty; scan it again")
        return
    found = pdf_pages(path) if b"%PDF-" in start else frames(path)
    number = 0
    try:
        for number, grey in enumerate(found, start=1):
            if isinstance(grey, Unreadable):
                yield bad(path.name, number, str(grey))
            else:
                yield PageImage(path.name, number, grey)
    except Unreadable as unreadable:
        yield bad(path.name, None, str(unreadable))
        return
    if number == 0:
        yield bad(path.name, None, "the file has no pages; scan it again")


def bad(file: str, number: int | None, text: str) -> BadPage:
    """Say what is wrong with a page or a file."""
    return BadPage(file, number, Problem(Weight.ASKS, text, file if number is None else f"{file} page {number}"))


def pdf_pages(path: Path) -> Iterator[Grey | Unreadable]:
    """Read the pages of a PDF."""
    try:
        document = pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        raise Unreadable(why_not(error)) from error
    try:
        for number in range(len(document)):
            try:
                page = document[number]
            except pdfium.PdfiumError as error:
                yield Unreadable(f"the page is damaged ({error}); scan it again")
                continue
            try:
                yield pdf_page(page)
            except Unreadable as unreadable:
                yield unreadable
            except (pdfium.PdfiumError, ValueError, MemoryError) as error:
                yield Unreadable(f"the page cannot be drawn ({error}); scan it again")
            finally:
                page.close()
    finally:
        document.close()


def why_not(error: pdfium.PdfiumError) -> str:
    """Say why a PDF does not open."""
    if "assword" in str(error):
        return "the PDF is locked with a password; save it without one, or scan to jpeg"
    return f"not a PDF that can be opened ({error}); scan it again"


def pdf_page(page: pdfium.PdfPage) -> Grey:
    """Take the picture that a scanner put into the page; draw the page where there is anything else on it."""
    for picture in pictures_on(page):
        check_size(*picture.get_px_size())
    scanned = only_picture(page)
    if scanned is not None:
        try:
            return shrunk(to_array(scanned.get_bitmap()))
        except (pdfium.PdfiumError, ValueError):
            pass  # a filter that only the drawing code knows
    width, height = page.get_size()
    if min(width, height) < 20:
        raise ValueError(f"a page of {width:.0f} × {height:.0f} points")
    scale = min(RENDER_DPI / 72, LONGEST_SIDE / max(width, height))
    drawn = to_array(page.render(scale=scale, grayscale=True, may_draw_forms=True))
    if drawn.min() == drawn.max() and has_broken_picture(page):  # it was left out, and the page only looks empty
        raise Unreadable("the picture on the page is damaged, or of an unknown kind; save it as jpeg, or scan it again")
    return shrunk(drawn)


def pictures_on(page: pdfium.PdfPage) -> Iterator[pdfium.PdfImage]:
    """Go through the pictures on a page, also those within other things."""
    yield from page.get_objects(filter=(pdfium_c.FPDF_PAGEOBJ_IMAGE,))


def has_broken_picture(page: pdfium.PdfPage) -> bool:
    """Say whether a page has a picture that cannot be decoded."""
    for picture in pictures_on(page):
        try:
            picture.get_bitmap()
        except pdfium.PdfiumError:
            return True
    return False


def only_picture(page: pdfium.PdfPage) -> pdfium.PdfImage | None:
    """Find the one picture that covers the page and has nothing visible beside it."""
    pictures = []
    for thing in page.get_objects(max_depth=1):
        if thing.type == pdfium_c.FPDF_PAGEOBJ_IMAGE:
            pictures.append(thing)
        elif not is_invisible_text(thing):
            return None
    if len(pictures) != 1:
        return None
    left, bottom, right, top = pictures[0].get_bounds()
    width, height = page.get_size()
    area = abs(right - left) * abs(top - bottom)
    return pictures[0] if area >= COVERS * width * height else None


def is_invisible_text(thing: pdfium.PdfObject) -> bool:
    """Say whether this is a word that a scanner's own text recognition laid under the picture."""
    if thing.type != pdfium_c.FPDF_PAGEOBJ_TEXT:
        return False
    mode = pdfium_c.FPDFTextObj_GetTextRenderMode(thing.raw)
    return bool(mode == pdfium_c.FPDF_TEXTRENDERMODE_INVISIBLE)


def to_array(bitmap: pdfium.PdfBitmap) -> Grey:
    """Bring a bitmap of any of PDFium's formats to grey."""
    raw = bitmap.to_numpy()
    if raw.ndim == 2 or raw.shape[2] == 1:
        return np.array(raw.reshape(raw.shape[:2]), np.uint8)
    blue, green, red = (raw[:, :, channel].astype(np.uint16) for channel in range(3))
    grey: Grey = ((29 * blue + 150 * green + 77 * red) >> 8).astype(np.uint8)
    return grey
