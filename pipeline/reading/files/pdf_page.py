"""What is on a page of a PDF: the picture that a scanner put there, or else the page as it is drawn."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from pipeline.reading.files.fax import has_rows
from pipeline.reading.files.jbig2 import is_whole
from pipeline.reading.files.limits import LONGEST_SIDE, MM_PER_INCH, Unreadable, check_size

RENDER_DPI = 200  # of a page that is drawn, no scan: as sheets are laid straight
POINTS_PER_INCH = 72
MM_PER_POINT = MM_PER_INCH / POINTS_PER_INCH
LEAST_POINTS = 20  # a side of 7 mm: no page
COVERS = 0.8  # a scanner's picture covers the page; a logo does not


@dataclass(frozen=True, slots=True)
class PictureOnPage:
    """A page, and how large the file says that its picture is."""

    bitmap: pdfium.PdfBitmap
    width_mm: float
    height_mm: float


def opened(path: Path) -> pdfium.PdfDocument:
    """Open a PDF."""
    try:
        return pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        if "assword" in str(error):
            text = "the PDF is locked with a password; save it without one, or scan to jpeg"
        else:
            text = f"not a PDF that can be opened ({error}); scan it again"
        raise Unreadable(text) from error


def on_page(document: pdfium.PdfDocument, number: int) -> PictureOnPage:
    """Take what is on a page, 1..; `Unreadable` says what is wrong with it."""
    try:
        page = document[number - 1]
    except pdfium.PdfiumError as error:
        raise Unreadable(f"the page is damaged ({error}); scan it again") from error
    try:
        return found_on(page)
    except (pdfium.PdfiumError, ValueError) as error:
        raise Unreadable(f"the page cannot be drawn ({error}); scan it again") from error
    finally:
        page.close()


def found_on(page: pdfium.PdfPage) -> PictureOnPage:
    """Take the picture that a scanner put into the page; draw the page where there is anything else on it."""
    for picture in pictures_on(page):
        check_size(*picture.get_px_size())
    found = scanned(page) or drawn(page)
    is_lost = any(map(is_lost_fax, pictures_on(page)))
    if is_lost or (is_even(found.bitmap) and any(map(is_broken, pictures_on(page)))):  # the page only looks empty
        raise Unreadable("the picture on the page is damaged, or of an unknown kind; save it as jpeg, or scan it again")
    return found


def scanned(page: pdfium.PdfPage) -> PictureOnPage | None:
    """Take the one picture that covers the page; None where there is more to see, or only drawing can decode it."""
    picture = only_picture(page)
    if picture is None:
        return None
    try:
        bitmap = picture.get_bitmap()
    except (pdfium.PdfiumError, ValueError):
        return None
    left, bottom, right, top = picture.get_bounds()
    return PictureOnPage(bitmap, abs(right - left) * MM_PER_POINT, abs(top - bottom) * MM_PER_POINT)


def drawn(page: pdfium.PdfPage) -> PictureOnPage:
    """Draw the page."""
    width, height = page.get_size()
    if min(width, height) < LEAST_POINTS:
        raise ValueError(f"a page of {width:.0f} × {height:.0f} points")
    scale = min(RENDER_DPI / POINTS_PER_INCH, LONGEST_SIDE / max(width, height))
    bitmap = page.render(scale=scale, grayscale=True, may_draw_forms=True)
    return PictureOnPage(bitmap, width * MM_PER_POINT, height * MM_PER_POINT)


def pictures_on(page: pdfium.PdfPage) -> Iterator[pdfium.PdfImage]:
    """Go through the pictures on a page, also those within other things."""
    yield from page.get_objects(filter=(pdfium_c.FPDF_PAGEOBJ_IMAGE,))


def is_even(bitmap: pdfium.PdfBitmap) -> bool:
    """Say whether a picture is the same everywhere."""
    across = bitmap.width * bitmap.n_channels
    rows = memoryview(bitmap.buffer).cast("B")
    first = bytes(rows[:1]) * across
    return all(
        rows[start : start + across] == first for start in range(0, bitmap.height * bitmap.stride, bitmap.stride)
    )


def is_broken(picture: pdfium.PdfImage) -> bool:
    """Say whether a picture that came out the same everywhere is one that cannot be decoded."""
    try:
        picture.get_bitmap()
    except pdfium.PdfiumError:
        return True
    match picture.get_filters(skip_simple=True):
        case []:
            return len(packed(picture)) < unpacked_bytes(picture)
        case ["JBIG2Decode"]:
            return not is_whole(packed(picture))
        case _:
            return False  # its decoder says so


def unpacked_bytes(picture: pdfium.PdfImage) -> int:
    """How many bytes the pixels of a picture take, of which each row may end with a part of one."""
    width, height = picture.get_px_size()
    return int(height * (width * picture.get_metadata().bits_per_pixel // 8))


def is_lost_fax(picture: pdfium.PdfImage) -> bool:
    """Say whether most of a fax's rows are missing."""
    is_fax = picture.get_filters(skip_simple=True) == ["CCITTFaxDecode"]
    return is_fax and not has_rows(packed(picture), picture.get_px_size()[1])


def packed(picture: pdfium.PdfImage) -> bytes:
    """Give the data of a picture: its pixels, or what only a decoder of pictures can unpack."""
    return bytes(picture.get_data(decode_simple=True))


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
