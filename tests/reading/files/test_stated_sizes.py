"""What a file states of its size in millimetres is taken where a scanner measured it, and is turned as the page is."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from pipeline.reading.pages import PageImage, stated_mm

SHAPE = (300, 200)  # of an upright page
GREY = np.full(SHAPE, 255, np.uint8)


def saved(folder: Path, name: str, size: tuple[int, int] = (200, 300), **said: object) -> Path:
    path = folder / name
    Image.new("L", size, 255).save(path, **said)  # type: ignore[arg-type] # what a format takes
    return path


def page(path: Path, stated: tuple[float, float] | None = None) -> PageImage:
    return PageImage(path.name, 1, GREY, stated)


@pytest.mark.parametrize(
    ("dpi", "is_measured"), [(72, False), (96, False), (97, True), (300, True), (2400, True), (2401, False)]
)
def test_a_resolution_that_no_scanner_has_states_nothing(dpi: int, is_measured: bool, tmp_path: Path) -> None:
    path = saved(tmp_path, "scan.tif", dpi=(dpi, dpi))
    found = stated_mm(path, page(path), SHAPE)
    assert found == (pytest.approx((200 * 25.4 / dpi, 300 * 25.4 / dpi), rel=1e-3) if is_measured else None)


def test_a_resolution_of_one_side_alone_states_nothing(tmp_path: Path) -> None:
    for dpi in ((300, 72), (72, 300)):
        path = saved(tmp_path, "scan.tif", dpi=dpi)
        assert stated_mm(path, page(path), SHAPE) is None


@pytest.mark.parametrize("name", ["scan.png", "scan.jpg", "scan.tif", "scan.bmp"])
def test_a_picture_without_a_resolution_states_nothing(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    assert cv2.imwrite(str(path), GREY)
    assert stated_mm(path, page(path), SHAPE) is None


def test_sides_are_turned_with_the_page(tmp_path: Path) -> None:
    path = saved(tmp_path, "scan.tif", dpi=(254, 127))  # 20 mm across, 60 mm down
    upright, lying = (20.0, 60.0), (60.0, 20.0)
    assert stated_mm(path, page(path), (300, 200)) == pytest.approx(upright)
    assert stated_mm(path, page(path), (200, 300)) == pytest.approx(lying)
    for stated in (upright, lying):  # as a PDF has it, whichever way its page is stored
        assert stated_mm(path, page(path, stated), (300, 200)) == upright
        assert stated_mm(path, page(path, stated), (200, 300)) == lying
