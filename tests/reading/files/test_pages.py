"""Every file becomes pages or one clear problem; the next page is read whatever the last one was."""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from pipeline.paper.printed_sheet import print_sheets
from pipeline.reading import pages as picture
from pipeline.reading.limits import LONGEST_SIDE
from pipeline.reading.marks import find_codes
from pipeline.reading.pages import BadPage, Grey, Opener, PageImage, page_count, pages
from reading.sheetbench import Bench


@pytest.fixture(scope="module")
def upright() -> Grey:
    """Something with an up and a left: dark at the top left."""
    grey = np.full((700, 500), 240, np.uint8)
    grey[:200, :150] = 20
    return grey


Save = Callable[[Grey, Path], None]


def pil(mode: str, **options: object) -> Save:
    def save(grey: Grey, path: Path) -> None:
        Image.fromarray(grey).convert(mode).save(path, **options)  # type: ignore[arg-type]  # Pillow's own options

    return save


def deep(grey: Grey, path: Path) -> None:
    Image.fromarray(grey.astype(np.uint16) * 257).save(path)


def deep_colour(grey: Grey, path: Path) -> None:
    cv2.imwrite(str(path), cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR).astype(np.uint16) * 257)


def turned_by_exif(grey: Grey, path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.fromarray(grey).rotate(90, expand=True).save(path, exif=exif)


def lying(orientation: int, mode: str, compression: str | None) -> Save:
    """Store the rows of a TIFF as a scanner lays them down, and say how they are to be turned (TIFF 6.0, tag 274)."""
    stored: dict[int, Callable[[Grey], Grey]] = {
        2: lambda grey: grey[:, ::-1],
        3: lambda grey: grey[::-1, ::-1],
        4: lambda grey: grey[::-1],
        5: lambda grey: grey.T,
        6: np.rot90,
        7: lambda grey: np.rot90(grey, 2).T,
        8: lambda grey: np.rot90(grey, -1),
    }

    def save(grey: Grey, path: Path) -> None:
        rows = np.where(stored.get(orientation, np.asarray)(grey) < 128, 0, 255).astype(np.uint8)
        Image.fromarray(rows).convert(mode).save(path, tiffinfo={274: orientation}, compression=compression)

    return save


def see_through(grey: Grey, path: Path) -> None:
    clear = np.dstack([np.full_like(grey, 20)] * 3 + [np.where(grey < 100, 255, 0).astype(np.uint8)])
    Image.fromarray(clear, "RGBA").save(path)


@pytest.mark.parametrize(
    ("name", "save"),
    [
        ("grey.jpg", pil("L")),
        ("cmyk.jpg", pil("CMYK")),
        ("cmyk.tif", pil("CMYK")),
        ("fax.tif", pil("1", compression="group4")),
        ("palette.png", pil("P")),
        ("deep.tif", deep),
        ("deep.png", deep),
        ("deep colour.tif", deep_colour),
        ("deep colour.png", deep_colour),
        ("telephone.jpg", turned_by_exif),
        ("scanner.pdf", pil("L", resolution=72)),
        ("fax.pdf", pil("1", resolution=72)),
    ],
)
def test_every_kind_of_picture_becomes_upright_grey(tmp_path: Path, upright: Grey, name: str, save: Save) -> None:
    save(upright, tmp_path / name)
    (page,) = pages(tmp_path / name)
    assert isinstance(page, PageImage)
    assert page.grey.shape == (700, 500)
    assert page.grey.dtype == np.uint8
    assert int(page.grey[100, 75]) < 60
    assert int(page.grey[600, 400]) > 200


def test_what_is_transparent_is_paper(tmp_path: Path, upright: Grey) -> None:
    see_through(upright, tmp_path / "clear.png")
    (page,) = pages(tmp_path / "clear.png")
    assert isinstance(page, PageImage)
    assert (int(page.grey[100, 75]), int(page.grey[600, 400])) == (20, 255)


def test_the_pages_of_a_tiff_and_of_a_pdf_come_in_order(tmp_path: Path, upright: Grey) -> None:
    sheets = [Image.fromarray(np.full((400, 300), level, np.uint8)) for level in (10, 100, 200)]
    for name in ("many.tif", "many.pdf"):
        sheets[0].save(tmp_path / name, save_all=True, append_images=sheets[1:])
        found = [page for page in pages(tmp_path / name) if isinstance(page, PageImage)]
        assert [page.number for page in found] == [1, 2, 3]
        assert [int(page.grey[50, 50]) for page in found] == pytest.approx([10, 100, 200], abs=3)


def test_a_pdf_that_was_drawn_is_drawn(tmp_path: Path, bench: Bench) -> None:
    (tmp_path / "sheets.pdf").write_bytes(print_sheets([bench.request(1), bench.request(2)], bench.template))
    found = [page.grey.shape for page in pages(tmp_path / "sheets.pdf") if isinstance(page, PageImage)]
    assert found == [(2339, 1654)] * 2


def bad_files(folder: Path, upright: Grey) -> None:
    """Write one file of every kind that cannot be opened."""
    whole = folder / "whole.jpg"
    Image.fromarray(upright).save(whole)
    (folder / "half.jpg").write_bytes(whole.read_bytes()[:900])
    Image.fromarray(upright).save(folder / "whole.tif", save_all=True, append_images=[Image.fromarray(upright)] * 2)
    data = (folder / "whole.tif").read_bytes()
    (folder / "half.tif").write_bytes(data[: len(data) // 2])
    (folder / "nothing.pdf").write_bytes(b"")
    (folder / "torn.pdf").write_bytes(b"%PDF-1.7\n1 0 obj <<")
    (folder / "letter.txt").write_text("Dear director, my orders are")
    (folder / "stamp.png").write_bytes(b"")
    Image.fromarray(upright[:50, :50]).save(folder / "stamp.png")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("half.jpg", "the picture is damaged"),
        ("nothing.pdf", "the file is empty; scan it again"),
        ("torn.pdf", "not a PDF that can be opened"),
        ("letter.txt", "not a picture that can be opened"),
        ("stamp.png", "the picture has only 50 × 50 pixels; scan at 200 to 300 dpi"),
        ("not there.pdf", "the file cannot be opened (No such file or directory)"),
    ],
)
def test_a_bad_file_is_one_problem_that_says_what_to_do(tmp_path: Path, upright: Grey, name: str, said: str) -> None:
    bad_files(tmp_path, upright)
    (bad,) = pages(tmp_path / name)
    assert isinstance(bad, BadPage)
    assert bad.problem.text.startswith(said)
    assert bad.problem.where.startswith(name)


def test_the_good_pages_of_a_torn_tiff_are_kept(tmp_path: Path, upright: Grey) -> None:
    bad_files(tmp_path, upright)
    found = list(pages(tmp_path / "half.tif"))
    assert isinstance(found[0], PageImage)
    assert isinstance(found[-1], BadPage)


def test_a_finer_picture_than_needed_is_made_smaller(tmp_path: Path) -> None:
    Image.fromarray(np.full((11000, 8000), 250, np.uint8)).save(tmp_path / "fine.jpg")
    (page,) = pages(tmp_path / "fine.jpg")
    assert isinstance(page, PageImage)
    assert max(page.grey.shape) <= LONGEST_SIDE


def test_what_a_broken_picture_raises_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, upright: Grey) -> None:
    Image.fromarray(upright).save(tmp_path / "a.png")

    def fail(_: object) -> Grey:
        raise ArithmeticError("no such colour")

    monkeypatch.setattr(picture, "_to_grey", fail)
    (bad,) = pages(tmp_path / "a.png")
    assert isinstance(bad, BadPage)
    assert bad.problem.text == "the picture is damaged (no such colour); scan it again"


def test_the_pages_of_files_are_counted_without_being_read(upright: Grey, tmp_path: Path) -> None:
    sheet = Image.fromarray(upright)
    sheet.save(tmp_path / "three.tif", save_all=True, append_images=[sheet, sheet])
    sheet.save(tmp_path / "two.pdf", save_all=True, append_images=[sheet])
    sheet.save(tmp_path / "one.jpg")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 nothing follows")
    (tmp_path / "empty.png").write_bytes(b"")
    with Opener() as opener:
        counts = {path.name: page_count(path, opener, 100) for path in sorted(tmp_path.iterdir())}
        gone = page_count(tmp_path / "gone.pdf", opener, 100)
    assert counts == {"broken.pdf": 1, "empty.png": 1, "one.jpg": 1, "three.tif": 3, "two.pdf": 2}
    assert gone == 1


def test_a_telephones_own_picture_is_read_and_stands_upright() -> None:
    [page] = pages(Path(__file__).with_name("sheet.heic"))
    assert isinstance(page, PageImage)
    height, width = page.grey.shape
    assert height > width
    assert [code.text[:4] for code in find_codes(page.grey)] == ["7F64", "7F64"]


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("compression", [None, "tiff_lzw", "group4"])
def test_a_tiff_stands_upright_whichever_way_its_rows_are_stored(
    tmp_path: Path, upright: Grey, orientation: int, compression: str | None
) -> None:
    path = tmp_path / "lying.tif"
    lying(orientation, "1" if compression == "group4" else "L", compression)(upright, path)
    (page,) = pages(path)
    assert isinstance(page, PageImage)
    assert page.grey.shape == upright.shape
    assert np.array_equal(page.grey < 128, upright < 128)
