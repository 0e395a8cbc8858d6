"""A picture packed as JBIG2 that cannot be followed is told; a back that was packed so and is empty is empty paper."""

import struct
from pathlib import Path
from random import Random

import pytest
from sampled import slow_after

from pipeline.reading.identify import NothingThere, identify
from pipeline.reading.limits import is_whole
from pipeline.reading.pages import BadPage, PageImage, pages
from reading.pdfs import picture_pdf

SIDE = 1000  # pixels
NOISE = Random(1).randbytes(20_000)
WHITE = b"\xff" * (SIDE // 8) + b"\x00\x10\x01"  # a bit for each row that is like the one before (T.6), and the end
TOLD = "the picture on the page is damaged, or of an unknown kind; save it as jpeg, or scan it again"


def segment(number: int, kind: int, data: bytes, length: int | None = None) -> bytes:
    return struct.pack(">IBBBI", number, kind, 0, 1, len(data) if length is None else length) + data


def region(packed: bytes, **more: int) -> bytes:
    """The rows of the whole page, packed as a fax is."""
    return segment(1, 38, struct.pack(">IIIIBB", SIDE, SIDE, 0, 0, 0, 1) + packed, **more)


PAGE = segment(0, 48, struct.pack(">IIIIBH", SIDE, SIDE, 0, 0, 0, 0))
MARKED = b"\x26\xa0" + WHITE  # some black in the first row
END = segment(2, 49, b"")


def pdf_of(data: bytes, before: bytes = b"") -> bytes:
    """A page with this picture on it."""
    return picture_pdf(SIDE, before + b"/JBIG2Decode", data, bits=1)


def only(folder: Path, made: bytes) -> PageImage | BadPage:
    (folder / "scan.pdf").write_bytes(made)
    (page,) = pages(folder / "scan.pdf")
    return page


@pytest.mark.parametrize(
    "data", slow_after(2, [PAGE + region(WHITE), PAGE + region(WHITE) + END, PAGE, PAGE + region(WHITE) + b"\n"])
)
def test_an_empty_back_is_empty_paper(tmp_path: Path, data: bytes) -> None:
    for made in (pdf_of(data), pdf_of(data.hex().encode(), b"/ASCIIHexDecode")):
        page = only(tmp_path, made)
        assert isinstance(page, PageImage)
        assert page.grey.min() == 255
        assert isinstance(identify(page.grey, {}, "TEST"), NothingThere)


@pytest.mark.parametrize(
    "data", [NOISE, bytes(20_000), PAGE + NOISE, NOISE[:8], PAGE[:-4], PAGE + region(WHITE)[:40], region(WHITE)]
)
def test_a_picture_that_cannot_be_followed_is_no_empty_paper(tmp_path: Path, data: bytes) -> None:
    page = only(tmp_path, pdf_of(data))
    assert isinstance(page, BadPage)
    assert page.problem.text == TOLD


def test_a_picture_with_something_on_it_is_read_whatever_is_behind_it(tmp_path: Path) -> None:
    page = only(tmp_path, pdf_of(PAGE + region(MARKED) + NOISE))
    assert isinstance(page, PageImage)
    assert page.grey.min() == 0


def test_segments_of_every_kind_that_there_is_are_followed_and_no_others() -> None:
    """T.88 7.3: regions of letters, halftone, bits and corrections, each kept, shown, or shown without loss."""
    regions = {first + kind for first in (4, 20, 36, 40) for kind in (0, 2, 3)}
    dictionaries, others = {0, 16}, {*range(48, 54), 62}
    found = {kind for kind in range(64) if is_whole(PAGE + segment(1, kind, b"") + END)}
    assert found == regions | dictionaries | others


def test_heads_of_every_length_are_followed() -> None:
    many = struct.pack(">IBI", 300, 6, (7 << 29) | 9) + b"\0\0" + bytes(9 * 2) + b"\1" + struct.pack(">I", 4) + b"text"
    far = struct.pack(">IBB", 70_000, 0x40 | 6, 2 << 5) + bytes(2 * 4) + bytes(4) + struct.pack(">I", 0)
    assert is_whole(PAGE + many + far + END)
    assert not is_whole(PAGE + many + far[:-4])
    assert is_whole(PAGE + region(WHITE, length=0xFFFFFFFF))
    assert not is_whole(b"")
