"""The scanner: a filled sheet in; the picture that arrives on the director's computer out."""

import struct
import zlib
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
from msgspec import Struct
from numpy.typing import NDArray

from pipeline.pen.laying import MM_PER_INCH, Picture
from pipeline.problems import ExitCode, stop
from pipeline.words.speech import write_count

Homography = NDArray[np.float64]  # (3, 3)


class Scan(Struct, frozen=True, eq=False):
    """A picture of a sheet."""

    image: Picture
    dpi: int  # of the picture; of a phone's picture, what it would be from straight above


Rng = np.random.Generator
ASKEW = 1.5  # degrees, the most that a feeder turns a page
ROUGH = 0.3  # how bad noise and compression are: 0 not at all … 1 as bad as a director will see
LIDS = (255, 245, 200, 30)  # grey levels of what a scanner shows around the paper


def scan_page(page: Picture, rng: Rng, *, page_dpi: int, dpi: int, is_upside_down: bool) -> Scan:
    """Scan a page as a feeder does: a little askew."""
    paper = resample_page(page, page_dpi, dpi)
    height, width = paper.shape[:2]
    matrix = turn_around_middle(width, height, ASKEW * rng.uniform(0.5, 1) * rng.choice([-1, 1]))
    if is_upside_down:
        matrix = np.array([[-1.0, 0, width - 1], [0, -1, height - 1], [0, 0, 1]]) @ matrix
    lid = np.full(paper.shape, rng.choice(LIDS), np.uint8)
    seen = cv2.warpPerspective(paper, matrix, (width, height), lid, cv2.INTER_CUBIC, cv2.BORDER_TRANSPARENT)
    image = soften(np.asarray(seen, np.uint8), rng, dpi)
    return Scan(compress_jpeg(add_noise(image, ROUGH, rng), ROUGH), dpi)


def soften(image: Picture, rng: Rng, dpi: int) -> Picture:
    """See it as any scanner does: paper is not quite white, and edges are soft by 0.06 mm."""
    soft = cv2.GaussianBlur(image, (0, 0), max(0.3, 0.06 * dpi / MM_PER_INCH))
    return np.asarray(cv2.convertScaleAbs(soft, alpha=rng.uniform(0.94, 1.0)), np.uint8)


def resample_page(page: Picture, page_dpi: int, dpi: int) -> Picture:
    """Bring a page to a resolution; always a copy."""
    if page_dpi == dpi:
        return page.copy()
    size = (round(page.shape[1] * dpi / page_dpi), round(page.shape[0] * dpi / page_dpi))
    how = cv2.INTER_AREA if dpi < page_dpi else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(page, size, interpolation=how), np.uint8)


def turn_around_middle(width: int, height: int, degrees: float) -> Homography:
    """Turn the page around its middle."""
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return around_middle(width, height, np.array([[cos, sin], [-sin, cos]]))


def around_middle(width: int, height: int, matrix: NDArray[np.float64]) -> Homography:
    """Make a 2 × 2 matrix act around the middle of the page."""
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    whole = np.eye(3)
    whole[:2, :2] = matrix
    whole[:2, 2] = middle - matrix @ middle
    return whole


def add_noise(image: Picture, strength: float, rng: Rng) -> Picture:
    """Add the sensor's noise, up to 16 grey levels."""
    grains = rng.standard_normal(image.shape, dtype=np.float32) * np.float32(16 * strength)
    grains += image
    return np.asarray(np.clip(grains, 0, 255, out=grains), np.uint8)


def compress_jpeg(image: Picture, strength: float) -> Picture:
    """Keep it as a JPEG of quality 75 down to 10."""
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, round(75 - 65 * strength)])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_UNCHANGED), np.uint8)


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
        raise stop(f"{write_count(len(scans), 'scan')} for one picture; use .pdf or .tif", str(file))
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
