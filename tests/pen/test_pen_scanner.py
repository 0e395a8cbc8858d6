"""The scanner's truth is where things are, its damages do what they say, and its files open."""

from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from benchmarks.damaged.kinds import PRESETS, Damage, DamageKind, read_damages
from benchmarks.damaged.scans import DamagedScan, scan
from pipeline.pen.laying import Picture
from pipeline.pen.scanner import _jpeg_of, _png_of, deliver, write_scans
from pipeline.problems import Stopped

DPI = 150
WIDE, HIGH = 105.0, 148.0  # mm, A6: small and quick
DOTS = np.array([(x, y) for x in (20.0, 52.5, 85.0) for y in (20.0, 55.0, 90.0, 128.0)])
MOVING = [
    DamageKind.PRINT_SCALE,
    DamageKind.FOLD,
    DamageKind.CRUMPLE,
    DamageKind.STRETCH,
    DamageKind.SKEW,
    DamageKind.MIRRORED,
    DamageKind.SHIFT,
    DamageKind.ROTATION,
    DamageKind.UPSIDE_DOWN,
    DamageKind.SIDEWAYS,
    DamageKind.PERSPECTIVE,
]


def sheet(*, colour: bool = False) -> Picture:
    """A page with black dots of 2 mm at known places."""
    px = DPI / 25.4
    page = np.full((round(HIGH * px), round(WIDE * px)), 255, np.uint8)
    for x, y in DOTS:
        centre = (round((x * px - 0.5) * 16), round((y * px - 0.5) * 16))
        cv2.circle(page, centre, round(px * 16), (0,), -1, cv2.LINE_AA, 4)
    page[round(36 * px) : round(40 * px), round(25 * px) : round(45 * px)] = 0  # so that left is not right
    return np.repeat(page[:, :, None], 3, axis=2) if colour else page


def scanned(*damages: Damage, seed: int = 1, dpi: int = DPI) -> DamagedScan:
    return scan(sheet(), damages, np.random.default_rng(seed), page_dpi=DPI, dpi=dpi)


def worst_mm(found: DamagedScan) -> float:
    """How far the dots are from where the truth says, at worst."""
    px = found.dpi / 25.4
    reach = int(1.8 * px)
    errors = []
    for x, y in found.path.place(DOTS):
        left, top = int(x) - reach, int(y) - reach
        patch = 255.0 - found.image[top : top + 2 * reach, left : left + 2 * reach]
        patch = np.maximum(patch - patch.max() / 2, 0)
        ys, xs = np.mgrid[0 : patch.shape[0], 0 : patch.shape[1]]
        errors.append(np.hypot((xs * patch).sum() / patch.sum() + left - x, (ys * patch).sum() / patch.sum() + top - y))
    return float(max(errors) / px)


@pytest.mark.parametrize("kind", MOVING)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_truth_says_where_the_dots_are(kind: DamageKind, seed: int) -> None:
    # a fold or a crumple also bends the dot itself, so that its middle of gravity moves a little
    assert worst_mm(scanned(Damage(kind, 0.8), seed=seed)) < 0.1


@pytest.mark.parametrize("dpi", [150, 200, 300, 600])
def test_the_truth_holds_at_any_resolution(dpi: int) -> None:
    assert worst_mm(scanned(Damage(DamageKind.ROTATION, 0.4), Damage(DamageKind.STRETCH, 0.4), dpi=dpi)) < 0.1


def test_the_truth_holds_for_all_movements_together() -> None:
    everything = [Damage(kind, 0.3) for kind in MOVING if kind is not DamageKind.PERSPECTIVE]
    assert worst_mm(scanned(*everything)) < 0.15


def test_one_matrix_tells_the_truth_where_nothing_bends() -> None:
    found = scanned(Damage(DamageKind.ROTATION, 0.5), Damage(DamageKind.PERSPECTIVE, 0.5))
    assert found.path.homography is not None
    mapped = np.column_stack([DOTS, np.ones(len(DOTS))]) @ found.path.homography.T
    assert np.allclose(mapped[:, :2] / mapped[:, 2:], found.path.place(DOTS))
    assert scanned(Damage(DamageKind.CRUMPLE)).path.homography is None


def test_a_mirrored_page_is_turned_inside_out() -> None:
    matrix = scanned(Damage(DamageKind.MIRRORED)).path.homography
    assert matrix is not None
    assert np.linalg.det(matrix) < 0


@pytest.mark.parametrize("kind", list(DamageKind))
def test_every_damage_shows_more_the_stronger_it_is(kind: DamageKind) -> None:
    clean = scanned().image
    weak, strong = (scanned(Damage(kind, strength)).image for strength in (0.15, 1.0))
    assert strong.shape != clean.shape or np.abs(strong.astype(int) - clean).mean() > 0.05
    if kind in {
        DamageKind.NOISE,
        DamageKind.SPECKS,
        DamageKind.LOW_CONTRAST,
        DamageKind.STAIN,
        DamageKind.SCREEN,
        DamageKind.CRUMPLE,
        DamageKind.SHADOW,
    }:
        assert np.abs(strong.astype(int) - clean).mean() > np.abs(weak.astype(int) - clean).mean()


def test_damages_are_read_from_words() -> None:
    assert read_damages("stain:1+jpeg") == (Damage(DamageKind.STAIN, 1.0), Damage(DamageKind.JPEG, 0.5))
    assert read_damages("phone") == PRESETS["phone"]


def test_every_word_that_is_no_damage_is_named() -> None:
    with pytest.raises(Stopped) as stopped:
        read_damages("stein+jpeg:2+blur:0.1")
    assert [p.where for p in stopped.value.problems] == ["stein", "jpeg:2"]
    assert stopped.value.problems[1].text.startswith("expected a strength from 0 to 1, found 2.0; one of clean, ")


def test_a_batch_holds_every_scan_once_in_mixed_order(tmp_path: Path) -> None:
    scans = [scanned(seed=n) for n in range(9)]
    for number, one in enumerate(scans):
        one.image[:40] = 20 * number
    went = deliver(scans, tmp_path, np.random.default_rng(3))
    assert [d.scan for d in went] == list(range(9))
    assert [(d.file, d.page) for d in went] != sorted((d.file, d.page) for d in went)
    assert {Path(d.file).suffix for d in went} == {".pdf", ".tif", ".jpg", ".png"}
    for delivered in went:
        grey = read_page(tmp_path / delivered.file, delivered.page)
        assert abs(float(np.median(grey[5:35])) - 20 * delivered.scan) < 6


def read_page(file: Path, page: int) -> Picture:
    if file.suffix == ".tif":
        return np.asarray(cv2.imreadmulti(str(file), flags=cv2.IMREAD_GRAYSCALE)[1][page - 1], np.uint8)
    if file.suffix != ".pdf":
        return np.asarray(cv2.imread(str(file), cv2.IMREAD_GRAYSCALE), np.uint8)
    with pypdfium2.PdfDocument(file) as document:
        picture: Picture = document[page - 1].render(scale=DPI / 72, grayscale=True).to_numpy().copy()
    return picture.reshape(picture.shape[:2])


def test_a_pdf_page_is_as_large_as_the_sheet_and_holds_the_picture_as_it_was(tmp_path: Path) -> None:
    one = scanned()
    write_scans([one, one], tmp_path / "a.pdf")
    with pypdfium2.PdfDocument(tmp_path / "a.pdf") as document:
        assert len(document) == 2
        size = [side / 72 * 25.4 for side in document[0].get_size()]
        assert size == pytest.approx([WIDE, HIGH], abs=0.2)
        (picture,) = document[0].get_objects()
        assert isinstance(picture, pypdfium2.PdfImage)
        assert picture.get_px_size() == (one.image.shape[1], one.image.shape[0])
        assert picture.get_filters() == ["DCTDecode"]


def test_pictures_know_their_resolution_and_a_fax_is_small() -> None:
    assert _jpeg_of(scanned())[13:18] == bytes((1, 0, DPI, 0, DPI))
    fax, grey = _png_of(scanned(Damage(DamageKind.FAX, 0.2))), _png_of(scanned())
    assert b"pHYs\x00\x00\x17\x12" in fax
    assert len(fax) < len(grey)
    assert cv2.imdecode(np.frombuffer(fax, np.uint8), cv2.IMREAD_UNCHANGED) is not None


def test_a_batch_refuses_what_no_file_can_hold(tmp_path: Path) -> None:
    one = scanned()
    with pytest.raises(Stopped, match=r"no such kind of file as '\.bmp'"):
        write_scans([one], tmp_path / "a.bmp")
    with pytest.raises(Stopped, match="2 scans for one picture"):
        write_scans([one, one], tmp_path / "a.jpg")
