"""Read the pages of PDF and TIFF files, and pictures as telephones and programs keep them, one at a time.

Each bad file or page gives one clear problem. The orientation that a file states (EXIF) is applied here.
"""

import itertools
import json
import os
import struct
import subprocess
import threading
import warnings
from collections.abc import Container, Iterable, Iterator
from contextlib import nullcontext
from importlib.util import find_spec
from io import BufferedReader, BufferedWriter
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeGuard, TypeVar, cast

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PIL import Image, ImageSequence, UnidentifiedImageError
from PIL.TiffImagePlugin import TiffImageFile

from pipeline import processes
from pipeline.problems import ExitCode, Problem, Weight, stop
from pipeline.reading import limits

# One picture as grey values: whatever a scanner or a telephone saves, upright, 8 bit, of a size one can work with.

Grey = NDArray[np.uint8]

Image.MAX_IMAGE_PIXELS = (
    None  # Pillow would report a decompression bomb; `decode` checks first, and says how to mend it
)

# What Pillow raises on files that are cut short or made up; each has been seen on one.
BROKEN = (
    OSError,
    EOFError,
    SyntaxError,
    ValueError,
    LookupError,
    TypeError,
    ArithmeticError,
    MemoryError,
    struct.error,
)
KINDS = {b"II*\0": "TIFF", b"MM\0*": "TIFF", b"\xff\xd8": "JPEG", b"\x89PNG": "PNG"}  # by how they begin
FORMATS = ("JPEG", "PNG", "TIFF", "WEBP", "BMP", "GIF", "JPEG2000") + (
    ("AVIF",) if find_spec("PIL.AvifImagePlugin") else ()  # since Pillow 11.3
)
ONE_PAGE = ("MPO", "GIF", "WEBP", "AVIF")  # what follows the first picture is a thumbnail, a depth map or a film
FAXES = ("group3", "group4", "tiff_ccitt")
MOST_FAX_BYTES = 1 << 24  # A4 at 600 dpi has 4 MB before it is packed
ROWS, STRIPS, STRIPS_BYTES = 257, 273, 279  # tags of a TIFF: how many rows it has, and where they lie
TELEPHONES = (b"ftypheic", b"ftypheix", b"ftyphevc", b"ftypmif1", b"ftypmsf1")
LEAST_SIDE = 200  # A5 at 35 dpi
EXIF_ORIENTATION = 0x0112
# by the orientation that a file states (EXIF 2.32, tag 274): how to rotate, then along which axis to flip
TURNS = {
    2: (None, 1),
    3: (cv2.ROTATE_180, None),
    4: (None, 0),
    5: (cv2.ROTATE_90_CLOCKWISE, 1),
    6: (cv2.ROTATE_90_CLOCKWISE, None),
    7: (cv2.ROTATE_90_COUNTERCLOCKWISE, 1),
    8: (cv2.ROTATE_90_COUNTERCLOCKWISE, None),
}


def _open_picture(path: Path) -> Image.Image:
    """Open a picture without decoding it; `Unreadable` where it is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow warns of odd tags
            if _is_of_telephone(path):
                from pi_heif import register_heif_opener  # noqa: PLC0415 - 30 ms, and few pictures need it

                register_heif_opener()
                return Image.open(path, formats=("HEIF",))
            return Image.open(path, formats=FORMATS)
    except UnidentifiedImageError as unknown:  # its message contains our internal file name
        raise limits.Unreadable(why_not(path)) from unknown
    except BROKEN as broken:
        raise limits.Unreadable(
            f"not a picture that can be opened ({broken}); save it as pdf, tiff, jpeg or png"
        ) from broken


def _is_of_telephone(path: Path) -> bool:
    """Whether a file begins as telephones keep pictures (HEIC)."""
    with path.open("rb") as file:
        return file.read(12)[4:12] in TELEPHONES


def why_not(path: Path) -> str:
    """Say why a file is no picture that can be opened, by how it begins."""
    with path.open("rb") as file:
        start = file.read(12)
    if start[4:12] in TELEPHONES:
        return "a telephone's picture (HEIC) that is cut short or damaged; take it again, or save it as jpeg"
    kind = next((kind for begins, kind in KINDS.items() if start.startswith(begins)), None)
    if kind is not None:
        return f"the {kind} is cut short or damaged; scan it again"
    return "not a picture that can be opened; save it as pdf, tiff, jpeg or png"


def frames(path: Path, known: Container[int] = ()) -> Iterator[Grey | limits.Unreadable | None]:
    """Read the pages of a picture file one at a time; a page that is broken does not hold up the next.

    Those that are ``known`` are passed over.
    """
    with _open_picture(path) as picture:
        turning = ImageSequence.Iterator(picture)
        for number in itertools.count(1):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    frame = next(turning)
            except StopIteration:
                return
            except BROKEN as broken:
                yield limits.Unreadable(f"the file ends before this page does ({broken}); scan it again")
                return
            try:
                page = None if number in known else decode(frame)
            except limits.Unreadable as unreadable:
                yield unreadable
            else:
                _forget_pixels(picture)
                yield page
            if picture.format in ONE_PAGE:
                return


def _forget_pixels(picture: Image.Image) -> None:
    """Free what was decoded, which is larger than the page as it is read; an animated PNG needs it for what follows."""
    if isinstance(picture, TiffImageFile) or not getattr(picture, "is_animated", False):
        picture.im = cast(Any, None)


def _frame_count(path: Path, most: int) -> int:
    """Count the pages of a picture file, without decoding them; of a TIFF not many more than ``most``."""
    with _open_picture(path) as picture:
        if isinstance(picture, TiffImageFile):  # its pages are found one after the other
            for number in range(1, most + 1):
                try:
                    picture.seek(number)
                except EOFError:
                    return number
            return most + 1
        return 1 if picture.format in ONE_PAGE else int(getattr(picture, "n_frames", 1))


def decode(picture: Image.Image) -> Grey:
    """Decode an opened picture to upright grey of a size that can be read; `Unreadable` says why it cannot."""
    width, height = picture.size
    bytes_each = _bytes_for_pixel(picture)
    if picture.format in ("JPEG", "MPO") and bytes_each == limits.FLAT:
        halves = max(1, max(width, height) // limits.LONGEST_SIDE)
        picture.draft("L", (width // halves, height // halves))
        width, height = picture.size
    limits.check_size(width, height, bytes_each)
    if min(width, height) < LEAST_SIDE:
        raise limits.Unreadable(f"the picture has only {width} × {height} pixels; scan at 200 to 300 dpi")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if isinstance(picture, TiffImageFile) and not _is_fax(picture):
                # keeps Pillow from memory-mapping the file, which confuses width and height of turned pictures
                picture.filename = ""
            grey = _shrunk(_to_grey(picture))
            turn, flip = TURNS.get(picture.getexif().get(EXIF_ORIENTATION, 1), (None, None))  # TIFFs come turned
        if _is_lost_fax(picture):
            raise ValueError("most of its rows are missing")
    except BROKEN as broken:
        raise limits.Unreadable(f"the picture is damaged ({broken}); scan it again") from broken
    if turn is not None:
        grey = cv2.rotate(grey, turn).astype(np.uint8, copy=False)
    if flip is not None:
        grey = cv2.flip(grey, flip).astype(np.uint8, copy=False)
    return grey


def _is_fax(picture: Image.Image) -> TypeGuard[TiffImageFile]:
    """Say whether a picture is kept as faxes are, one bit a pixel."""
    return isinstance(picture, TiffImageFile) and picture.info.get("compression") in FAXES


def _is_lost_fax(picture: Image.Image) -> bool:
    """Say whether most of the rows of a fax, kept as TIFF, are missing."""
    if not _is_fax(picture):
        return False
    tags, data = picture.tag_v2, bytearray()
    with Path(os.fsdecode(picture.filename)).open("rb") as file:
        for place, size in zip(tags.get(STRIPS, ()), tags.get(STRIPS_BYTES, ()), strict=False):
            file.seek(place)
            data += file.read(min(size, MOST_FAX_BYTES - len(data)))
    return STRIPS in tags and not limits.has_rows(bytes(data), tags[ROWS])


def _bytes_for_pixel(picture: Image.Image) -> int:
    """How many bytes each pixel takes while a picture is opened: some codecs hold the whole picture more than once."""
    if picture.format in ("HEIF", "AVIF", "JPEG2000", "WEBP"):
        return 10
    return 11 if "progressive" in picture.info else limits.FLAT


BAND = 256  # rows that are brought to grey at once: of a picture as a whole it would take several times its memory


def _to_grey(picture: Image.Image) -> Grey:
    """Bring every kind of pixel to 8 bits of grey; what is transparent is paper."""
    picture.load()
    is_deep = picture.mode.startswith(("I", "F"))
    full = _white_of(picture) if is_deep else 0.0
    grey = np.empty((picture.height, picture.width), np.uint8)
    for top in range(0, picture.height, BAND):
        rows = picture.crop((0, top, picture.width, min(top + BAND, picture.height)))
        grey[top : top + rows.height] = _eight_bits(np.asarray(rows), full) if is_deep else _grey_rows(rows)
    return grey


def _grey_rows(rows: Image.Image) -> Grey:
    if rows.mode in ("LA", "PA", "RGBA", "La", "RGBa") or "transparency" in rows.info:
        paper = Image.new("RGBA", rows.size, "white")
        paper.alpha_composite(rows.convert("RGBA"))
        return np.asarray(paper.convert("L"))
    if rows.mode in ("CMYK", "LAB", "HSV"):
        rows = rows.convert("RGB")
    return np.asarray(rows.convert("L"))


def _white_of(picture: Image.Image) -> float:
    """The white of 16 and 32 bit grey: the least of 1, 255 and 65535 that is not exceeded, or the largest value."""
    bands = (
        np.asarray(picture.crop((0, top, picture.width, min(top + BAND, picture.height))), np.float32)
        for top in range(0, picture.height, BAND)
    )
    top = max(float(np.nan_to_num(rows).max()) for rows in bands)
    return 1.0 if 0 < top <= 1 else 255.0 if top <= 255 else 65535.0 if top <= 65535 else top


def _eight_bits(deep: NDArray[np.generic], white: float) -> Grey:
    """Bring 16 and 32 bit grey to 8."""
    grey: Grey = np.clip(np.nan_to_num(deep.astype(np.float32)) * (255 / white), 0, 255).astype(np.uint8)
    return grey


def _shrunk(grey: Grey) -> Grey:
    """Make a picture smaller where it is finer than reading needs."""
    longest = max(grey.shape)
    if longest <= limits.LONGEST_SIDE:
        return np.ascontiguousarray(grey)
    scale = limits.LONGEST_SIDE / longest
    return cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


# PDF pages, rendered by a separate process: if it crashes on a page, that page is unreadable.

ANSWERS_WITHIN_S = 20.0  # a scanner's page takes a tenth of a second, A4 at 1200 dpi in colour some seconds
MEMORY = 600 << 20  # bytes; A4 at 1200 dpi in colour takes 0.5 GB
RESTS_BELOW = 128 << 20  # bytes; a process that holds more is ended, and another started with the next page
MOST_IN_A_ROW = 10  # pages that cannot be read, before the rest of a file is given up: it may say that it has a million
MOST_TOO_MUCH = 2  # pages of a file that end the process
MEND = "print the file again to PDF, or scan it to TIFF or PNG"
TOO_MUCH = f"takes too much time or memory, or ends the program that draws it; {MEND}"


class PdfPage(Struct, frozen=True):
    """One page of a PDF."""

    grey: Grey
    stated_mm: tuple[float, float]  # width and height as the file states them


class Opener:
    """The process that opens PDFs for this one, started with the first. Use it with ``with``, and from one thread."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.opened: Path | None = None
        self.memory = 0  # bytes that it held when it answered

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def pages(self, path: Path, known: Container[int] = ()) -> Iterator[PdfPage | limits.Unreadable | None]:
        """Read the pages of a PDF one by one, but those that are ``known``.

        `Unreadable` is raised where that is all there is to say of the file.
        """
        bad_in_a_row = too_much = 0
        for number in range(1, self.open(path) + 1):
            page = None if number in known else self.page(path, number)
            bad_in_a_row = bad_in_a_row + 1 if isinstance(page, limits.Unreadable) else 0
            too_much += isinstance(page, limits.Unreadable) and str(page).endswith(TOO_MUCH)
            if too_much > MOST_TOO_MUCH:
                raise limits.Unreadable(
                    f"page {number} and others take too much time or memory, and the rest was not tried; {MEND}"
                )
            if bad_in_a_row > MOST_IN_A_ROW:
                text = f"page {number} and the {MOST_IN_A_ROW} before it cannot be read, and the rest was not tried"
                raise limits.Unreadable(f"{text}; {MEND}")
            self.rest()
            yield page

    def rest(self) -> None:
        """End the process if it holds much memory, since the next question may be long in coming."""
        if self.memory > RESTS_BELOW:
            self.end()

    def open(self, path: Path) -> int:
        """Open a file, and say how many pages it has."""
        self.opened = None
        answer = self.ask({"file": str(path)})
        if answer is None:
            raise limits.Unreadable(f"opening the file {TOO_MUCH}")
        if "unreadable" in answer:
            raise limits.Unreadable(answer["unreadable"])
        self.opened = path
        return int(answer["pages"])

    def page(self, path: Path, number: int) -> PdfPage | limits.Unreadable:
        """Draw a page, 1..; the file is opened anew where the process ended on an earlier one."""
        if self.opened != path:
            self.open(path)
        answer = self.ask({"page": number})
        if answer is None:
            return limits.Unreadable(f"the page {TOO_MUCH}")
        if "unreadable" in answer:
            return limits.Unreadable(answer["unreadable"])
        width, height = answer["stated_mm"]
        return PdfPage(_shrunk(answer["grey"]), (width, height))

    def ask(self, question: dict[str, Any]) -> dict[str, Any] | None:
        """Ask the process, which is started if there is none; None where it ends before it has answered."""
        if self.process is None:
            self.process = _started_opener()
        questions, answers = cast(BufferedWriter, self.process.stdin), cast(BufferedReader, self.process.stdout)
        try:
            questions.write(json.dumps(question).encode() + b"\n")
            questions.flush()
            answer: dict[str, Any] = json.loads(answers.readline())
            if "stride" in answer:
                answer["grey"] = _read_bitmap(answers, answer)
        except (OSError, EOFError, ValueError):
            processes.check_not_ending()
            self.end()
            return None
        self.memory = answer["memory"]
        return answer

    def end(self) -> None:
        """End the process: it keeps nothing."""
        process, self.process, self.opened, self.memory = self.process, None, None, 0
        if process is not None:
            process.kill()
            process.communicate()


def _started_opener() -> "subprocess.Popen[bytes]":
    """Start the process; where none can be had the PDF is kept, unopened."""
    try:
        return processes.start_process("pipeline.reading.pdf_opener", str(ANSWERS_WITHIN_S), str(MEMORY))
    except OSError as error:
        text = f"no process can be started to open PDFs: {error.strerror or error}; end other programs, then 'scan'"
        raise stop(text, "pdf", ExitCode.MACHINE_LACKS) from error


def _read_bitmap(coming: BufferedReader, lie: dict[str, Any]) -> Grey:
    """Read the pixels of a page as grey, some rows at a time; `EOFError` where the process ends before they came."""
    grey = np.empty((lie["height"], lie["width"]), np.uint8)
    raw = np.empty((min(BAND, lie["height"]), lie["stride"]), np.uint8)
    for top in range(0, lie["height"], BAND):
        rows = raw[: lie["height"] - top]
        if coming.readinto(rows.data) < rows.nbytes:
            raise EOFError
        grey[top : top + BAND] = _grey_of_pdf(rows, lie["width"], lie["channels"])
    return grey


def _grey_of_pdf(raw: Grey, width: int, channels: int) -> Grey:
    """Bring a bitmap of any of PDFium's formats to grey; its rows may be longer than the picture is wide."""
    rows = raw[:, : width * channels]
    if channels == 1:
        return rows
    blue, green, red = (rows[:, channel::channels].astype(np.uint16) for channel in range(3))
    grey: Grey = ((29 * blue + 150 * green + 77 * red) >> 8).astype(np.uint8)
    return grey


class PageImage(Struct, frozen=True):
    """One page as a scanner or telephone saw it."""

    file: str
    number: int  # 1.., in the file
    grey: Grey
    stated_mm: tuple[float, float] | None = None  # width and height, where the file is a PDF, which always states them


class BadPage(Struct, frozen=True):
    """A page, or a whole file, that could not be opened."""

    number: int | None  # None: the whole file
    problem: Problem


_OPENING = threading.Lock()  # held while a page is opened: a large one takes some 700 MB for a moment
T = TypeVar("T")


def _open_one_at_a_time(coming: Iterable[T]) -> Iterator[T]:
    """Go through pages so that no two threads of this program open one at the same time."""
    turning, last = iter(coming), object()
    while True:
        with _OPENING:
            opened = next(turning, last)
        if opened is last:
            return
        yield cast(T, opened)


def pages(path: Path, opener: Opener | None = None, known: Container[int] = ()) -> Iterator[PageImage | BadPage]:
    """Read the pages of one file as they are needed; what cannot be opened comes as a `BadPage` in its place.

    Whoever reads many files gives the ``opener`` of their PDFs: to start one for each takes as long as reading a page.
    Pages whose numbers are ``known`` are passed over, and not even drawn.
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
            found_in = pdfs.pages(path, known) if b"%PDF-" in start else frames(path, known)
            for number, page in enumerate(_open_one_at_a_time(found_in), start=1):
                match page:
                    case None:
                        continue
                    case limits.Unreadable():
                        yield bad(path.name, number, str(page))
                    case PdfPage():
                        yield PageImage(path.name, number, page.grey, page.stated_mm)
                    case _:
                        yield PageImage(path.name, number, page)
    except limits.Unreadable as unreadable:
        yield bad(path.name, None, str(unreadable))
        return
    if number == 0:
        yield bad(path.name, None, "the file has no pages; scan it again")


def page_count(path: Path, opener: Opener, most: int) -> int:
    """Count the pages of one file without reading them; 1 if unknown. Above ``most`` the number need not be exact."""
    try:
        with path.open("rb") as file:
            is_pdf = b"%PDF-" in file.read(1024)
        with _OPENING:
            if not is_pdf:
                return _frame_count(path, most)
            try:
                return opener.open(path)
            finally:
                opener.rest()
    except (limits.Unreadable, *BROKEN):
        return 1


def bad(file: str, number: int | None, text: str) -> BadPage:
    """Say what is wrong with a page or a file."""
    return BadPage(number, Problem(Weight.ASKS, text, file if number is None else f"{file} page {number}"))


# The size of a picture as stated in its file, to tell a shrunk print from a coarse scan.

LEAST_DPI, MOST_DPI = 97, 2400  # 72 and 96 are written by telephones and screens, which measure nothing


def stated_mm(path: Path, page: PageImage, shape: tuple[int, ...]) -> tuple[float, float] | None:
    """Width and height in mm that a file states for one of its pages; None where it states none.

    ``shape`` is that of the page's picture, upright: a file may state the sides of a picture that is stored lying.
    """
    try:
        size_mm = page.stated_mm or _picture_mm(path, page.number)
    except (limits.Unreadable, *BROKEN):
        return None
    if size_mm is None:
        return None
    height, width = shape[:2]
    return size_mm if (width > height) == (size_mm[0] > size_mm[1]) else size_mm[::-1]


def _picture_mm(path: Path, number: int) -> tuple[float, float] | None:
    """The size of a picture by its own resolution."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow warns of large pictures; nothing is decoded here
        with _open_picture(path) as picture:
            if picture.format != "MPO":
                picture.seek(number - 1)
            across, down = _stated_dpi(picture)
            width, height = picture.size
    if not all(LEAST_DPI <= dpi <= MOST_DPI for dpi in (across, down)):
        return None
    return width / across * limits.MM_PER_INCH, height / down * limits.MM_PER_INCH


def _stated_dpi(picture: Image.Image) -> tuple[float, float]:
    """The resolution in a picture's own words, across and down; nothing where there is none."""
    across, down = picture.info.get("dpi", (0, 0))
    return float(across), float(down)
