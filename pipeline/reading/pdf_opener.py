"""A separate process that opens and rasterises PDFs: ``python -m pipeline.reading.pdf_opener SECONDS BYTES``.

A hostile PDF may hang, exhaust the memory or crash its reader: then only this process ends. It ends itself when a
request takes longer than SECONDS, and on Linux when it needs more than BYTES of memory.

Questions come on standard input and are answered on standard output, each a line of JSON; behind the line of a page
come its pixels.
"""

import faulthandler
import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
from msgspec import Struct

from pipeline import processes
from pipeline.reading import limits
from pipeline.words.speech import write_count

# What is on a page of a PDF: the picture that a scanner put there, or else the page as it is drawn.

RENDER_DPI = 200  # of a page that is drawn, no scan: as sheets are laid straight
POINTS_PER_INCH = 72
MM_PER_POINT = limits.MM_PER_INCH / POINTS_PER_INCH
LEAST_POINTS = 20  # a side of 7 mm: no page
COVERS = 0.8  # a scanner's picture covers the page; a logo does not


class PictureOnPage(Struct, frozen=True):
    """A page, and how large the file says that its picture is."""

    bitmap: pdfium.PdfBitmap
    width_mm: float
    height_mm: float


def _open_pdf(path: Path) -> pdfium.PdfDocument:
    try:
        return pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        if "assword" in str(error):
            text = "the PDF is locked with a password; save it without one, or scan to jpeg"
        else:
            text = f"not a PDF that can be opened ({error}); scan it again"
        raise limits.Unreadable(text) from error


def _on_page(document: pdfium.PdfDocument, number: int) -> PictureOnPage:
    """Get the picture of a page, 1..; raises `Unreadable` with what is wrong with it."""
    try:
        page = document[number - 1]
    except pdfium.PdfiumError as error:
        raise limits.Unreadable(f"the page is damaged ({error}); scan it again") from error
    try:
        return _found_on(page)
    except (pdfium.PdfiumError, ValueError) as error:
        raise limits.Unreadable(f"the page cannot be drawn ({error}); scan it again") from error
    finally:
        page.close()


def _found_on(page: pdfium.PdfPage) -> PictureOnPage:
    """Take the picture that a scanner put into the page; draw the page where there is anything else on it."""
    for picture in _pictures_on(page):
        limits.check_size(*picture.get_px_size())
    shown = _scanned_picture(page) or _draw_page(page)
    is_lost = any(map(_is_lost_fax, _pictures_on(page)))
    if is_lost or (_is_even(shown.bitmap) and any(map(_is_broken, _pictures_on(page)))):  # the page only looks empty
        raise limits.Unreadable(
            "the picture on the page is damaged, or of an unknown kind; save it as jpeg, or scan it again"
        )
    return shown


def _scanned_picture(page: pdfium.PdfPage) -> PictureOnPage | None:
    """Take the one picture that covers the page; None where there is more to see, or only drawing can decode it."""
    picture = _only_picture(page)
    if picture is None:
        return None
    try:
        bitmap = picture.get_bitmap()
    except (pdfium.PdfiumError, ValueError):
        return None
    left, bottom, right, top = picture.get_bounds()
    return PictureOnPage(bitmap, abs(right - left) * MM_PER_POINT, abs(top - bottom) * MM_PER_POINT)


def _draw_page(page: pdfium.PdfPage) -> PictureOnPage:
    width, height = page.get_size()
    if min(width, height) < LEAST_POINTS:
        raise ValueError(f"a page of {width:.0f} × {write_count(round(height), 'point')}")
    scale = min(RENDER_DPI / POINTS_PER_INCH, limits.LONGEST_SIDE / max(width, height))
    bitmap = page.render(scale=scale, grayscale=True, may_draw_forms=True)
    return PictureOnPage(bitmap, width * MM_PER_POINT, height * MM_PER_POINT)


def _pictures_on(page: pdfium.PdfPage) -> Iterator[pdfium.PdfImage]:
    """Go through the pictures on a page, also those within other things."""
    yield from page.get_objects(filter=(pdfium_c.FPDF_PAGEOBJ_IMAGE,))


def _is_even(bitmap: pdfium.PdfBitmap) -> bool:
    """Say whether a picture is the same everywhere."""
    across = bitmap.width * bitmap.n_channels
    rows = memoryview(bitmap.buffer).cast("B")
    first = bytes(rows[:1]) * across
    return all(
        rows[start : start + across] == first for start in range(0, bitmap.height * bitmap.stride, bitmap.stride)
    )


def _is_broken(picture: pdfium.PdfImage) -> bool:
    """Say whether a picture that came out the same everywhere is one that cannot be decoded."""
    try:
        picture.get_bitmap()
    except pdfium.PdfiumError:
        return True
    match picture.get_filters(skip_simple=True):
        case []:
            return len(_pack_picture(picture)) < _unpacked_bytes(picture)
        case ["JBIG2Decode"]:
            return not limits.is_whole(_pack_picture(picture))
        case _:
            return False  # its decoder says so


def _unpacked_bytes(picture: pdfium.PdfImage) -> int:
    """How many bytes the pixels of a picture take; a row may end within a byte."""
    width, height = picture.get_px_size()
    return int(height * (width * picture.get_metadata().bits_per_pixel // 8))


def _is_lost_fax(picture: pdfium.PdfImage) -> bool:
    """Say whether most of a fax's rows are missing."""
    is_fax = picture.get_filters(skip_simple=True) == ["CCITTFaxDecode"]
    return is_fax and not limits.has_rows(_pack_picture(picture), picture.get_px_size()[1])


def _pack_picture(picture: pdfium.PdfImage) -> bytes:
    """Give the data of a picture: its pixels, or what only a decoder of pictures can unpack."""
    return bytes(picture.get_data(decode_simple=True))


def _only_picture(page: pdfium.PdfPage) -> pdfium.PdfImage | None:
    """Find the one picture that covers the page and has nothing visible beside it."""
    pictures = []
    for thing in page.get_objects(max_depth=1):
        if thing.type == pdfium_c.FPDF_PAGEOBJ_IMAGE:
            pictures.append(thing)
        elif not _is_invisible_text(thing):
            return None
    if len(pictures) != 1:
        return None
    left, bottom, right, top = pictures[0].get_bounds()
    width, height = page.get_size()
    area = abs(right - left) * abs(top - bottom)
    return pictures[0] if area >= COVERS * width * height else None


def _is_invisible_text(thing: pdfium.PdfObject) -> bool:
    """Say whether this is a word that a scanner's own text recognition laid under the picture."""
    if thing.type != pdfium_c.FPDF_PAGEOBJ_TEXT:
        return False
    mode = pdfium_c.FPDFTextObj_GetTextRenderMode(thing.raw)
    return bool(mode == pdfium_c.FPDF_TEXTRENDERMODE_INVISIBLE)


def _limit_memory(most: int) -> None:
    """Limit the memory of this process, and disable core dumps. On Windows only the time is limited."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - there is none on Windows

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        hardest = resource.getrlimit(resource.RLIMIT_DATA)[1]
        if hardest == resource.RLIM_INFINITY or hardest > most:
            resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _memory_held() -> int:
    """The bytes of memory that this process holds now; 0 where the system does not say (elsewhere than on Linux)."""
    if sys.platform == "win32":
        return 0
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0


def _serve(questions: BinaryIO, answers: BinaryIO, seconds: float) -> None:
    """Answer every question until there are no more."""
    document: pdfium.PdfDocument | None = None
    with Path(os.devnull).open("w") as nowhere:
        for line in questions:
            faulthandler.dump_traceback_later(seconds, exit=True, file=nowhere)
            question, picture = json.loads(line), None
            try:
                if "page" in question:
                    picture = _on_page(document, question["page"])
                    answer = _lie_of(picture)
                else:
                    if document is not None:
                        document.close()
                    document = _open_pdf(Path(question["file"]))
                    answer = {"pages": len(document)}
            except limits.Unreadable as unreadable:
                answer = {"unreadable": str(unreadable)}
            except MemoryError:  # as where PDFium itself runs out of it, and ends the process
                return
            answers.write(json.dumps(answer | {"memory": _memory_held()}).encode() + b"\n")
            if picture is not None:
                answers.write(memoryview(picture.bitmap.buffer))
            picture = None  # a page at 1200 dpi takes 400 MB, and the next question may be long in coming
            answers.flush()
            faulthandler.cancel_dump_traceback_later()


def _lie_of(page: PictureOnPage) -> dict[str, Any]:
    """The memory layout of a page's pixels, and its size."""
    bitmap = page.bitmap
    lie = {"width": bitmap.width, "height": bitmap.height, "stride": bitmap.stride, "channels": bitmap.n_channels}
    return lie | {"stated_mm": [page.width_mm, page.height_mm]}


def main() -> None:
    """Serve the process that started this one; signals such as Ctrl-C are left to that process.

    Otherwise the page being drawn would be reported as unreadable.
    """
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever a library prints must not end up among the answers
    _limit_memory(int(sys.argv[2]))
    processes.serve_until_end(lambda: _serve(sys.stdin.buffer, answers, float(sys.argv[1])))


if __name__ == "__main__":
    main()
