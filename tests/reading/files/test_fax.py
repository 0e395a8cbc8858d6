"""A fax whose data is lost is told, for decoders make it white; an empty back that was faxed is empty paper."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PIL.TiffImagePlugin import TiffImageFile
from sampled import slow_after

from pipeline.reading.identify import NothingThere, identify
from pipeline.reading.pages import BadPage, PageImage, pages
from reading.pdfs import picture_pdf

SIDE = 1000  # pixels
CODES = ("group3", "group4", "tiff_ccitt")
EMPTY_T6 = b"\xff" * (SIDE // 8) + b"\x00\x10\x01"


def fax(path: Path, code: str, *, is_empty: bool) -> None:
    """Save a page as a fax machine does: what is not set in the data is white."""
    black = np.zeros((SIDE, SIDE), bool)
    if not is_empty:
        black[100:800, 100:800] = np.random.default_rng(1).random((700, 700)) < 0.5
    Image.fromarray(~black).save(path, compression=code, tiffinfo={262: 0})


def only(path: Path) -> PageImage | BadPage:
    (page,) = pages(path)
    return page


def is_blank(page: PageImage | BadPage) -> bool:
    return isinstance(page, PageImage) and isinstance(identify(page.grey, {}, "TEST"), NothingThere)


@pytest.mark.parametrize("code", CODES)
def test_an_empty_back_is_empty_paper(tmp_path: Path, code: str) -> None:
    fax(tmp_path / "back.tif", code, is_empty=True)
    assert is_blank(only(tmp_path / "back.tif"))


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("kept", slow_after(1, [0, 20]))
def test_a_tiff_with_a_hole_in_it_is_damaged(tmp_path: Path, code: str, kept: int) -> None:
    fax(tmp_path / "scan.tif", code, is_empty=False)
    whole = only(tmp_path / "scan.tif")
    assert isinstance(whole, PageImage)
    assert not is_blank(whole)
    with Image.open(tmp_path / "scan.tif") as picture:
        assert isinstance(picture, TiffImageFile)
        strips = list(zip(picture.tag_v2[273], picture.tag_v2[279], strict=True))
    data = bytearray((tmp_path / "scan.tif").read_bytes())
    for place, count in strips:
        data[place + kept : place + count] = bytes(count - kept)
    (tmp_path / "scan.tif").write_bytes(data)
    page = only(tmp_path / "scan.tif")
    assert isinstance(page, BadPage)
    assert page.problem.text.startswith("the picture is damaged (")


@pytest.mark.parametrize("black", [b"true", b"false"])
@pytest.mark.parametrize(("kind", "data"), [(-1, bytes(9000)), (0, bytes(9000)), (-1, b"\xff\xff"), (0, b"\x00\x10")])
def test_a_pdf_with_a_hole_in_it_is_damaged(tmp_path: Path, black: bytes, kind: int, data: bytes) -> None:
    more = b"/DecodeParms[<</K %d/Columns %d/Rows %d/BlackIs1 %b>>]" % (kind, SIDE, SIDE, black)
    (tmp_path / "scan.pdf").write_bytes(picture_pdf(SIDE, b"/CCITTFaxDecode", data, bits=1, more=more))
    page = only(tmp_path / "scan.pdf")
    assert isinstance(page, BadPage)
    assert page.problem.text.startswith("the picture on the page is damaged, or of an unknown kind")


def test_an_empty_back_in_a_pdf_is_empty_paper(tmp_path: Path) -> None:
    more = b"/DecodeParms[<</K -1/Columns %d/Rows %d>>]" % (SIDE, SIDE)
    (tmp_path / "back.pdf").write_bytes(picture_pdf(SIDE, b"/CCITTFaxDecode", EMPTY_T6, bits=1, more=more))
    assert is_blank(only(tmp_path / "back.pdf"))


def test_pixels_that_are_not_there_are_no_empty_paper(tmp_path: Path) -> None:
    more = b"/Decode[1 0]"  # what is missing is white
    (tmp_path / "scan.pdf").write_bytes(picture_pdf(SIDE, b"/ASCIIHexDecode", b"0000>", bits=1, more=more))
    assert isinstance(only(tmp_path / "scan.pdf"), BadPage)
    whole = b"00" * (SIDE * SIDE // 8) + b">"
    (tmp_path / "back.pdf").write_bytes(picture_pdf(SIDE, b"/ASCIIHexDecode", whole, bits=1, more=more))
    assert is_blank(only(tmp_path / "back.pdf"))
