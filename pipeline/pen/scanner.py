"""The scanner: a filled sheet in; the picture that arrives on the director's computer out, and the truth beside it."""

import struct
import zlib
from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
from msgspec import Struct
from numpy.typing import NDArray

from pipeline.pen.damage import BENDING, ON_PAPER, ORDER, SENSED, Damage, DamageKind, Rng, soft_noise
from pipeline.pen.laying import MM_PER_INCH, Homography, Picture, ScanPath
from pipeline.problems import ExitCode, stop


class Scan(Struct, frozen=True, eq=False):
    """A picture of a sheet, and where everything on the sheet is in it."""

    image: Picture
    dpi: int  # of the picture; of a phone's picture, what it would be from straight above
    path: ScanPath  # `path.place(points_mm)` → px; `path.homography` where one matrix says it all
    damages: tuple[Damage, ...]


def scan(
    page: Picture,
    damages: Iterable[Damage],
    rng: Rng,
    *,
    page_dpi: int,
    dpi: int | None = None,
    size_mm: tuple[float, float] | None = None,
) -> Scan:
    """Scan a page at ``dpi`` (as drawn if left out) with any damages together.

    They happen in the order of `DamageKind`, whatever order they are given in. ``size_mm`` is the sheet's size in the
    layout: a renderer rounds a page up to whole pixels, and without it the truth is off by half a pixel at the edge.
    """
    dpi = dpi or page_dpi
    paper = _resample_page(page, page_dpi, dpi)
    todo = sorted((d for d in damages if d.strength > 0), key=lambda damage: ORDER[damage.kind])
    width_mm, height_mm = size_mm or (page.shape[1] / page_dpi * MM_PER_INCH, page.shape[0] / page_dpi * MM_PER_INCH)
    height, width = paper.shape[:2]
    path = ScanPath((width / width_mm, height / height_mm), (width, height))
    for damage in todo:
        if damage.kind in ON_PAPER:
            ON_PAPER[damage.kind](paper, damage.strength, rng, dpi)
        elif damage.kind in BENDING:
            BENDING[damage.kind](paper, path, damage.strength, rng, dpi)
        elif damage.kind not in SENSED:
            _move(path, damage, rng)
    image = _soften(path.picture(paper, _draw_background(path, paper, todo, rng)), rng, dpi)
    for damage in todo:
        if damage.kind in SENSED:
            image = SENSED[damage.kind](image, damage.strength, rng, dpi)
    return Scan(image, dpi, path, tuple(todo))


def _soften(image: Picture, rng: Rng, dpi: int) -> Picture:
    """See it as any scanner does: paper is not quite white, and edges are soft by 0.06 mm."""
    soft = cv2.GaussianBlur(image, (0, 0), max(0.3, 0.06 * dpi / MM_PER_INCH))
    return np.asarray(cv2.convertScaleAbs(soft, alpha=rng.uniform(0.94, 1.0)), np.uint8)


def _resample_page(page: Picture, page_dpi: int, dpi: int) -> Picture:
    """Bring a page to a resolution; always a copy."""
    if page_dpi == dpi:
        return page.copy()
    size = (round(page.shape[1] * dpi / page_dpi), round(page.shape[0] * dpi / page_dpi))
    how = cv2.INTER_AREA if dpi < page_dpi else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(page, size, interpolation=how), np.uint8)


def _move(path: ScanPath, damage: Damage, rng: Rng) -> None:
    """Move the page on its way to the picture."""
    strength, (width, height) = damage.strength, path.size
    match damage.kind:
        case DamageKind.PRINT_SCALE:
            share = 1 - strength * rng.uniform(0.03, 0.08)
            path.printed = _around_middle(width, height, np.diag([share, share])) @ path.printed
        case DamageKind.SKEW:
            lean = np.tan(np.radians(2 * strength * rng.uniform(-1, 1)))
            path.then(_around_middle(width, height, np.array([[1, lean], [0, 1]])))
        case DamageKind.MIRRORED:
            path.then(np.array([[-1.0, 0, width - 1], [0, 1, 0], [0, 0, 1]]))
        case DamageKind.SHIFT:
            along, down = strength * rng.uniform(-6, 6, 2) * path.per_mm
            path.then(np.array([[1.0, 0, along], [0, 1, down], [0, 0, 1]]))
        case DamageKind.ROTATION:
            _turn_by(path, 10 * strength * rng.uniform(0.5, 1) * rng.choice([-1, 1]), grow=strength > 0.3)
        case DamageKind.UPSIDE_DOWN:
            path.then(np.array([[-1.0, 0, width - 1], [0, -1, height - 1], [0, 0, 1]]))
        case DamageKind.SIDEWAYS:
            left = np.array([[0.0, 1, 0], [-1, 0, width - 1], [0, 0, 1]])
            right = np.array([[0.0, -1, height - 1], [1, 0, 0], [0, 0, 1]])
            path.then(left if rng.random() < 0.5 else right, (height, width))
        case DamageKind.PERSPECTIVE:
            _photograph(path, strength, rng)
        case _:
            raise AssertionError(damage.kind)  # every other kind stands in a table of `damage`


def _around_middle(width: int, height: int, matrix: NDArray[np.float64]) -> Homography:
    """Make a 2 × 2 matrix act around the middle of the page."""
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    whole = np.eye(3)
    whole[:2, :2] = matrix
    whole[:2, 2] = middle - matrix @ middle
    return whole


def _turn_by(path: ScanPath, degrees: float, *, grow: bool) -> None:
    """Turn the page; ``grow`` makes the picture large enough to lose nothing (a flat bed, not a feeder)."""
    width, height = path.size
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    matrix = _around_middle(width, height, np.array([[cos, sin], [-sin, cos]]))
    if grow:
        wide, high = (round(abs(cos) * a + abs(sin) * b) for a, b in ((width, height), (height, width)))
        matrix[:2, 2] += ((wide - width) / 2, (high - height) / 2)
        path.then(matrix, (wide, high))
    else:
        path.then(matrix)


def _photograph(path: ScanPath, strength: float, rng: Rng) -> None:
    """Take a picture by hand from above: four corners anywhere near where they should be, some desk around."""
    width, height = path.size
    corners = np.array([(0, 0), (width - 1, 0), (width - 1, height - 1), (0, height - 1)], np.float32)
    seen = corners + rng.uniform(-0.10, 0.10, (4, 2)) * strength * (width, height)
    turn = np.radians(rng.uniform(-25, 25) * strength + (rng.choice([0, 90, 180, 270]) if rng.random() < 0.3 else 0))
    middle = seen.mean(axis=0)
    seen = (seen - middle) @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    desk = rng.uniform(0.02, 0.12, 2) * (width, height)
    low, high = seen.min(axis=0), seen.max(axis=0)
    placed = (seen - low + desk).astype(np.float32)
    wide, tall = (int(v) for v in high - low + 2 * desk + 1)
    path.then(np.asarray(cv2.getPerspectiveTransform(corners, placed), np.float64), (wide, tall))


def _draw_background(path: ScanPath, paper: Picture, damages: list[Damage], rng: Rng) -> Picture:
    """Lay out what is seen around the paper: the scanner's lid, or a desk."""
    width, height = path.size
    shape = (height, width, 3) if paper.ndim == 3 else (height, width)
    if not any(damage.kind is DamageKind.PERSPECTIVE for damage in damages):
        return np.full(shape, rng.choice([255, 245, 200, 30]), np.uint8)
    grain = soft_noise((height, width), 5, rng) * 25
    grain += np.sin(np.arange(width, dtype=np.float32) / np.float32(rng.uniform(3, 30))) * np.float32(
        rng.uniform(0, 12)
    )
    grain += rng.standard_normal((height, width), dtype=np.float32) * 8
    tint = np.array(rng.uniform(0.7, 1.0, 3), np.float32) if paper.ndim == 3 else np.float32(1)
    plain = grain + rng.uniform(40, 150)
    return np.asarray(np.clip((plain[:, :, None] if paper.ndim == 3 else plain) * tint, 0, 255), np.uint8)


QUALITY = 80  # of a JPEG, as office scanners keep pages


# Scans as files, as they come from a scanner or a phone: PDF, TIFF, JPEG, PNG, pages in any order.

PX_PER_METRE = 1000 / MM_PER_INCH
SUFFIXES = (".pdf", ".tif", ".jpg", ".png")


class Delivered(Struct, frozen=True):
    """Where one scan went."""

    scan: int  # 0.., its place in what was given
    file: str
    page: int  # 1..


IN_BUNDLES = 0.6  # the share of the pages that goes into PDFs and TIFFs of several pages; the rest are single pictures


def deliver(scans: Sequence[Scan], folder: Path, rng: np.random.Generator) -> tuple[Delivered, ...]:
    """Write scans in mixed order into files of all kinds, and say where each went."""
    order = rng.permutation(len(scans)).tolist()
    bundled = round(IN_BUNDLES * len(order))
    size = max(1, -(-bundled // 3))
    went: list[Delivered] = []
    for number, start in enumerate(range(0, bundled, size), 1):
        group = order[start : min(start + size, bundled)]
        file = folder / f"scan{number:03d}{'.tif' if number == 3 else '.pdf'}"
        write_scans([scans[index] for index in group], file)
        went += [Delivered(index, file.name, page) for page, index in enumerate(group, 1)]
    for number, index in enumerate(order[bundled:], 1):
        file = folder / f"IMG_{4000 + number}{'.png' if number % 4 == 0 else '.jpg'}"
        write_scans([scans[index]], file)
        went.append(Delivered(index, file.name, 1))
    return tuple(sorted(went, key=lambda delivered: delivered.scan))


def write_scans(scans: Sequence[Scan], file: Path) -> None:
    """Write scans into one file of the kind its name says; a JPEG or a PNG holds one."""
    suffix = file.suffix.lower()
    if suffix not in SUFFIXES:
        raise stop(f"no such kind of file as {suffix!r}; one of {', '.join(SUFFIXES)}", str(file))
    if len(scans) != 1 and suffix in {".jpg", ".png"}:
        raise stop(f"{len(scans)} scans for one picture; use .pdf or .tif", str(file))
    match suffix:
        case ".pdf":
            file.write_bytes(_pdf_of(scans))
        case ".tif":
            dpi = str(scans[0].dpi)
            flags = [cv2.IMWRITE_TIFF_RESUNIT, 2, cv2.IMWRITE_TIFF_XDPI, int(dpi), cv2.IMWRITE_TIFF_YDPI, int(dpi)]
            if not cv2.imwritemulti(str(file), [one.image for one in scans], flags):
                raise stop("could not be written", str(file), code=ExitCode.MACHINE_LACKS)
        case ".jpg":
            file.write_bytes(_jpeg_of(scans[0]))
        case _:
            file.write_bytes(_png_of(scans[0]))


def _pdf_of(scans: Sequence[Scan]) -> bytes:
    """Make a PDF with one scan a page, each embedded as a JPEG, the page as large as the scan says."""
    document = pypdfium2.PdfDocument.new()
    kept = []  # the documents read from these until they are saved
    for one in scans:
        picture = pypdfium2.PdfImage.new(document)
        data = BytesIO(_jpeg_of(one))
        kept.append(data)
        height, width = (side * 72 / one.dpi for side in one.image.shape[:2])
        page = document.new_page(width, height)
        picture.load_jpeg(data, pages=[page])
        picture.set_matrix(pypdfium2.PdfMatrix().scale(width, height))
        page.insert_obj(picture)
        page.gen_content()
        page.close()
    saved = BytesIO()
    document.save(saved)
    document.close()
    return saved.getvalue()


def _jpeg_of(one: Scan) -> bytes:
    """Encode a JPEG that knows its resolution."""
    _, data = cv2.imencode(".jpg", one.image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    jpeg = bytearray(data.tobytes())
    head = jpeg.index(b"JFIF\0")
    jpeg[head + 7 : head + 12] = struct.pack(">BHH", 1, one.dpi, one.dpi)
    return bytes(jpeg)


def _png_of(one: Scan) -> bytes:
    """Encode a PNG that knows its resolution; one bit a pixel where the scan has no more."""
    is_bilevel = one.image.ndim == 2 and np.isin(one.image, (0, 255)).all()
    flags = [cv2.IMWRITE_PNG_BILEVEL, 1] if is_bilevel else []
    data = cv2.imencode(".png", one.image, flags)[1].tobytes()
    size = round(one.dpi * PX_PER_METRE)
    chunk = b"pHYs" + struct.pack(">IIB", size, size, 1)
    after_header = 8 + 25  # the signature, and IHDR with its length, name and checksum
    resolution = struct.pack(">I", 9) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return data[:after_header] + resolution + data[after_header:]
