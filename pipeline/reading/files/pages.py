"""Pages out of files, one at a time: PDF, TIFF, JPEG, PNG. One clear problem for each file or page that is bad."""

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from pipeline.problems import Problem, Weight
from pipeline.reading.files.limits import Unreadable
from pipeline.reading.files.pdf_pages import Opener, PdfPage
from pipeline.reading.files.picture import BROKEN, Grey, frame_count, frames


@dataclass(frozen=True, slots=True)
class PageImage:
    """One page as a scanner or telephone saw it."""

    file: str
    number: int  # 1.., in the file
    grey: Grey
    stated_mm: tuple[float, float] | None = None  # width and height, where the file is a PDF, which always states them

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


def pages(path: Path, opener: Opener | None = None) -> Iterator[PageImage | BadPage]:
    """Read the pages of one file as they are needed; what cannot be opened comes as a `BadPage` in its place.

    Whoever reads many files gives the ``opener`` of their PDFs: to start one for each takes as long as reading a page.
    """
    try:
        with path.open("rb") as file:
            start = file.read(1024)
    except OSError as error:
        yield bad(path.name, None, f"the file cannot be opened ({error.strerror})")
        return
    if not start:
        yield bad(path.name, None, "the file is empty; scan it again")
        return
    number = 0
    try:
        with nullcontext(opener) if opener else Opener() as pdfs:
            for number, found in enumerate(pdfs.pages(path) if b"%PDF-" in start else frames(path), start=1):
                match found:
                    case Unreadable():
                        yield bad(path.name, number, str(found))
                    case PdfPage():
                        yield PageImage(path.name, number, found.grey, found.stated_mm)
                    case _:
                        yield PageImage(path.name, number, found)
    except Unreadable as unreadable:
        yield bad(path.name, None, str(unreadable))
        return
    if number == 0:
        yield bad(path.name, None, "the file has no pages; scan it again")


def page_count(path: Path, opener: Opener) -> int:
    """Count the pages of one file without reading them; 1 where that cannot be said, and is told when it is read."""
    try:
        with path.open("rb") as file:
            is_pdf = b"%PDF-" in file.read(1024)
        return opener.open(path) if is_pdf else frame_count(path)
    except (Unreadable, *BROKEN):
        return 1


def bad(file: str, number: int | None, text: str) -> BadPage:
    """Say what is wrong with a page or a file."""
    return BadPage(file, number, Problem(Weight.ASKS, text, file if number is None else f"{file} page {number}"))
