"""Files and pages that nobody should hand in, and somebody does: each is read, or told in words; none hangs."""

import struct
import weakref
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from pipeline.reading.identify import Identified, identify
from pipeline.reading.limits import LONGEST_SIDE
from pipeline.reading.pages import FORMATS, TURNS, BadPage, Grey, PageImage, frames, pages
from pipeline.reading.register import RegisteredPage, register
from reading.pdfs import picture_pdf
from reading.sheetbench import EVENT, Bench

SIDE = 20_000  # pixels
TOO_LARGE = "the picture has 20000 × 20000 pixels; scan at 200 to 300 dpi"


@pytest.fixture(scope="module")
def small(sheet: Grey) -> Grey:
    """A sheet as a coarse scan."""
    return cv2.resize(sheet, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA).astype(np.uint8)


def only(path: Path) -> PageImage | BadPage:
    (page,) = pages(path)
    return page


def png_of(side: int) -> bytes:
    """A white PNG of this side, one bit a pixel: 50 kB."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\xff" * (side // 8)) * side, 1)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def test_a_png_of_20000_pixels_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    (tmp_path / "huge.png").write_bytes(png_of(SIDE))
    page = only(tmp_path / "huge.png")
    assert isinstance(page, BadPage)
    assert page.problem.text == TOO_LARGE


def test_a_tiff_of_20000_pixels_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    Image.fromarray(np.full((8, SIDE), 255, np.uint8)).save(tmp_path / "huge.tif")
    data = bytearray((tmp_path / "huge.tif").read_bytes())
    height = data.index(struct.pack("<HHII", 257, 4, 1, 8)) + 8
    data[height : height + 4] = struct.pack("<I", SIDE)
    (tmp_path / "huge.tif").write_bytes(bytes(data))
    page = only(tmp_path / "huge.tif")
    assert isinstance(page, BadPage)
    assert page.problem.text == TOO_LARGE


def test_a_jpeg_20000_pixels_long_is_read_smaller(tmp_path: Path, small: Grey) -> None:
    Image.fromarray(cv2.resize(small, (2000, SIDE))).save(tmp_path / "long.jpg")
    page = only(tmp_path / "long.jpg")
    assert isinstance(page, PageImage)
    assert max(page.grey.shape) <= LONGEST_SIDE


def resized_jpeg(grey: Grey, path: Path, *, progressive: bool) -> None:
    """Save a small JPEG that claims to have 20,000 pixels each way."""
    Image.fromarray(grey).save(path, progressive=progressive)
    data = bytearray(path.read_bytes())
    frame = data.index(b"\xff\xc2" if progressive else b"\xff\xc0")
    data[frame + 5 : frame + 9] = struct.pack(">HH", SIDE, SIDE)
    path.write_bytes(bytes(data))


def test_a_progressive_jpeg_of_20000_pixels_is_refused_for_it_cannot_be_decoded_smaller(
    tmp_path: Path, small: Grey
) -> None:
    resized_jpeg(small, tmp_path / "huge.jpg", progressive=True)
    page = only(tmp_path / "huge.jpg")
    assert isinstance(page, BadPage)
    assert page.problem.text == TOO_LARGE


def test_a_jpeg_of_20000_pixels_each_way_is_decoded_smaller(tmp_path: Path, small: Grey) -> None:
    resized_jpeg(small, tmp_path / "huge.jpg", progressive=False)  # what its file lacks comes out grey
    page = only(tmp_path / "huge.jpg")
    assert isinstance(page, PageImage)
    assert page.grey.shape == (LONGEST_SIDE, LONGEST_SIDE)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_every_exif_orientation_comes_out_upright(tmp_path: Path, orientation: int) -> None:
    upright = np.full((700, 500), 240, np.uint8)
    upright[:200, :150] = 20
    turn, flip = TURNS.get(orientation, (None, None))
    stored = upright if flip is None else cv2.flip(upright, flip)
    if turn is not None:
        back = {cv2.ROTATE_90_CLOCKWISE: cv2.ROTATE_90_COUNTERCLOCKWISE}.get(turn, cv2.ROTATE_90_CLOCKWISE)
        stored = cv2.rotate(stored, cv2.ROTATE_180 if turn == cv2.ROTATE_180 else back)
    exif = Image.Exif()
    exif[0x0112] = orientation
    Image.fromarray(stored).save(tmp_path / "phone.jpg", exif=exif, quality=95)
    page = only(tmp_path / "phone.jpg")
    assert isinstance(page, PageImage)
    assert page.grey.shape == (700, 500)
    assert int(page.grey[100, 75]) < 60
    assert int(page.grey[600, 400]) > 200


@pytest.mark.parametrize("mode", ["CMYK", "I;16", "RGBA", "LAB", "1", "P"])
def test_a_sheet_in_any_kind_of_tiff_is_identified(tmp_path: Path, bench: Bench, sheet: Grey, mode: str) -> None:
    file = tmp_path / "sheet.tif"
    if mode == "I;16":
        Image.fromarray(sheet.astype(np.uint16) * 257).save(file)
    elif mode == "LAB":
        Image.merge("LAB", [Image.fromarray(sheet), *[Image.new("L", sheet.shape[::-1], 128)] * 2]).save(file)
    else:
        Image.fromarray(sheet).convert(mode).save(file)
    page = only(file)
    assert isinstance(page, PageImage)
    layout = bench.layout(bench.request(1))
    assert isinstance(identify(page.grey, {layout.sheet: layout}, EVENT), Identified)


def pdf(path: Path, grey: Grey, count: int, lock: StandardEncryption | None = None) -> None:
    """Make a PDF that shows one picture on many pages; it is stored once."""
    canvas = Canvas(str(path), pagesize=(210, 297), encrypt=lock, pageCompression=1)
    picture = ImageReader(Image.fromarray(grey))
    for _ in range(count):
        canvas.drawImage(picture, 0, 0, 210, 297)
        canvas.showPage()
    canvas.save()


def test_a_pdf_locked_with_a_password_says_so_and_one_that_forbids_printing_is_read(
    tmp_path: Path, small: Grey
) -> None:
    pdf(tmp_path / "locked.pdf", small, 1, StandardEncryption("secret", "owner"))
    page = only(tmp_path / "locked.pdf")
    assert isinstance(page, BadPage)
    assert page.problem.text == "the PDF is locked with a password; save it without one, or scan to jpeg"
    pdf(tmp_path / "forbids.pdf", small, 1, StandardEncryption("", "owner", canPrint=0, canCopy=0))
    assert isinstance(only(tmp_path / "forbids.pdf"), PageImage)


def test_the_pages_of_a_long_pdf_come_one_by_one_and_none_stays_in_memory(tmp_path: Path) -> None:
    pdf(tmp_path / "long.pdf", np.full((420, 300), 240, np.uint8), 500)
    coming = pages(tmp_path / "long.pdf")
    kept: list[weakref.ref[Grey]] = []
    for number, page in enumerate(coming, start=1):
        assert isinstance(page, PageImage)
        assert page.number == number
        kept.append(weakref.ref(page.grey))
        assert sum(ref() is not None for ref in kept[-10:]) <= 3
    assert len(kept) == 500


def test_a_photo_of_a_screen_is_read_like_a_sheet(bench: Bench, sheet: Grey) -> None:
    layout = bench.layout(bench.request(1))
    grey = bench.scanned(sheet, "screen:0.8+perspective:0.5+glare:0.3+noise:0.4+jpeg:0.4", seed=3)
    found = identify(grey, {layout.sheet: layout}, EVENT)
    assert isinstance(found, Identified)
    assert isinstance(register(found.grey, found.marks, layout.marker_ids, layout.form), RegisteredPage)


@pytest.mark.parametrize(
    ("start", "told"),
    [
        (
            b"\0\0\0\x18ftypheic\0\0",
            "a telephone's picture (HEIC) that is cut short or damaged; take it again, or save",
        ),
        (b"II*\0\x08\0\xff\xff", "the TIFF is cut short or damaged; scan it again"),
        (b"\xff\xd8\xff\xe0", "the JPEG is cut short or damaged; scan it again"),
        (b"\x89PNG\r\n\x1a\n", "the PNG is cut short or damaged; scan it again"),
        (b"PK\x03\x04", "not a picture that can be opened; save it as pdf, tiff, jpeg or png"),
    ],
)
def test_a_file_that_does_not_open_says_what_it_is(tmp_path: Path, start: bytes, told: str) -> None:
    (tmp_path / "sheet.jpg").write_bytes(start)
    page = only(tmp_path / "sheet.jpg")
    assert isinstance(page, BadPage)
    assert page.problem.text.startswith(told)


@pytest.mark.parametrize("kind", ["WEBP", "BMP", "GIF", "JPEG2000", "AVIF"])
def test_every_kind_of_picture_that_telephones_and_programs_save_is_read(tmp_path: Path, kind: str) -> None:
    if kind not in FORMATS:
        pytest.skip("this Pillow does not read it")
    grey = np.full((600, 400), 250, np.uint8)
    grey[100:110, 50:350] = 20
    more = {"save_all": True, "append_images": [Image.fromarray(255 - grey)]} if kind == "GIF" else {}
    Image.fromarray(grey).convert("RGB").save(tmp_path / "sheet.x", kind, **more)
    (page,) = frames(tmp_path / "sheet.x")
    assert isinstance(page, np.ndarray)
    assert page.shape == grey.shape
    assert np.abs(page.astype(int) - grey).mean() < 3


@pytest.mark.parametrize("kind", [b"DCTDecode", b"JPXDecode", b"XyzDecode"])
def test_a_page_whose_picture_cannot_be_decoded_is_not_taken_for_a_blank_one(tmp_path: Path, kind: bytes) -> None:
    (tmp_path / "broken.pdf").write_bytes(picture_pdf(1000, b"/" + kind, b"no picture at all"))
    page = only(tmp_path / "broken.pdf")
    assert isinstance(page, BadPage)
    assert page.number == 1
    assert page.problem.text.startswith("the picture on the page is damaged, or of an unknown kind; save it as jpeg")


def test_an_empty_page_of_a_pdf_is_a_page_and_a_picture_of_20000_pixels_in_one_is_refused(tmp_path: Path) -> None:
    (tmp_path / "white.pdf").write_bytes(picture_pdf(1000, b"/FlateDecode", zlib.compress(b"\xff" * 1000_000)))
    assert isinstance(only(tmp_path / "white.pdf"), PageImage)
    (tmp_path / "huge.pdf").write_bytes(picture_pdf(SIDE, b"/FlateDecode", zlib.compress(b"\xff" * 1000)))
    page = only(tmp_path / "huge.pdf")
    assert isinstance(page, BadPage)
    assert page.problem.text == TOO_LARGE


def test_a_picture_of_20000_pixels_that_does_not_cover_its_page_is_refused_too(tmp_path: Path) -> None:
    small = picture_pdf(SIDE, b"/FlateDecode", zlib.compress(b"\xff" * 1000)).replace(
        b"q 595 0 0 842 0 0 cm", b"q 095 0 0 042 0 0 cm"
    )
    (tmp_path / "stamp.pdf").write_bytes(small)
    page = only(tmp_path / "stamp.pdf")
    assert isinstance(page, BadPage)
    assert page.problem.text == TOO_LARGE
