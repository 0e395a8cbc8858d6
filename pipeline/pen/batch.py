"""Scans as files, as they come from a scanner or a phone: PDF, TIFF, JPEG, PNG, pages in any order."""

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pypdfium2

from pipeline.pen.laying import MM_PER_INCH, Picture
from pipeline.pen.scanner import Scan
from pipeline.problems import ExitCode, stop

PX_PER_METRE = 1000 / MM_PER_INCH
SUFFIXES = (".pdf", ".tif", ".jpg", ".png")


@dataclass(frozen=True, slots=True)
class Delivered:
    """Where one scan went."""

    scan: int  # 0.., its place in what was given
    file: str
    page: int  # 1..


def deliver(
    scans: Sequence[Scan], folder: Path, rng: np.random.Generator, *, in_pdf: float = 0.6, quality: int = 80
) -> tuple[Delivered, ...]:
    """Write scans in mixed order into files of all kinds, and say where each went.

    ``in_pdf`` is the share of the pages that goes into PDFs and TIFFs of several pages, the rest are single pictures.
    """
    order = rng.permutation(len(scans)).tolist()
    bundled = round(in_pdf * len(order))
    size = max(1, -(-bundled // 3))
    went: list[Delivered] = []
    for number, start in enumerate(range(0, bundled, size), 1):
        group = order[start : min(start + size, bundled)]
        file = folder / f"scan{number:03d}{'.tif' if number == 3 else '.pdf'}"
        write_scans([scans[index] for index in group], file, quality)
        went += [Delivered(index, file.name, page) for page, index in enumerate(group, 1)]
    for number, index in enumerate(order[bundled:], 1):
        file = folder / f"IMG_{4000 + number}{'.png' if number % 4 == 0 else '.jpg'}"
        write_scans([scans[index]], file, quality)
        went.append(Delivered(index, file.name, 1))
    return tuple(sorted(went, key=lambda delivered: delivered.scan))


def write_scans(scans: Sequence[Scan], file: Path, quality: int = 80) -> None:
    """Write scans into one file of the kind its name says; a JPEG or a PNG holds one."""
    suffix = file.suffix.lower()
    if suffix not in SUFFIXES:
        raise stop(f"no such kind of file as {suffix!r}; one of {', '.join(SUFFIXES)}", str(file))
    if len(scans) != 1 and suffix in {".jpg", ".png"}:
        raise stop(f"{len(scans)} scans for one picture; use .pdf or .tif", str(file))
    match suffix:
        case ".pdf":
            file.write_bytes(pdf_of(scans, quality))
        case ".tif":
            write_tiff(scans, file)
        case ".jpg":
            file.write_bytes(jpeg_of(scans[0], quality))
        case _:
            file.write_bytes(png_of(scans[0]))


def pdf_of(scans: Sequence[Scan], quality: int = 80) -> bytes:
    """Make a PDF with one scan a page, each embedded as a JPEG, the page as large as the scan says."""
    document = pypdfium2.PdfDocument.new()
    kept = []  # the documents read from these until they are saved
    for scan in scans:
        picture = pypdfium2.PdfImage.new(document)
        data = BytesIO(jpeg_of(scan, quality))
        kept.append(data)
        height, width = (side * 72 / scan.dpi for side in scan.image.shape[:2])
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


def write_tiff(scans: Sequence[Scan], file: Path) -> None:
    """Write a TIFF with one scan a page."""
    dpi = str(scans[0].dpi)
    flags = [cv2.IMWRITE_TIFF_RESUNIT, 2, cv2.IMWRITE_TIFF_XDPI, int(dpi), cv2.IMWRITE_TIFF_YDPI, int(dpi)]
    if not cv2.imwritemulti(str(file), [scan.image for scan in scans], flags):
        raise stop("could not be written", str(file), code=ExitCode.MACHINE_LACKS)


def jpeg_of(scan: Scan, quality: int = 80) -> bytes:
    """Encode a JPEG that knows its resolution."""
    _, data = cv2.imencode(".jpg", scan.image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    found = bytearray(data.tobytes())
    head = found.index(b"JFIF\0")
    found[head + 7 : head + 12] = struct.pack(">BHH", 1, scan.dpi, scan.dpi)
    return bytes(found)


def png_of(scan: Scan) -> bytes:
    """Encode a PNG that knows its resolution; one bit a pixel where the scan has no more."""
    flags = [cv2.IMWRITE_PNG_BILEVEL, 1] if is_bilevel(scan.image) else []
    data = cv2.imencode(".png", scan.image, flags)[1].tobytes()
    size = round(scan.dpi * PX_PER_METRE)
    chunk = b"pHYs" + struct.pack(">IIB", size, size, 1)
    after_header = 8 + 25  # the signature, and IHDR with its length, name and checksum
    resolution = struct.pack(">I", 9) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return data[:after_header] + resolution + data[after_header:]


def is_bilevel(image: Picture) -> bool:
    """Say whether a picture is only black and white."""
    return image.ndim == 2 and bool(np.isin(image, (0, 255)).all())
