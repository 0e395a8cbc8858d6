"""PDFs made by hand, such as no printer makes them."""

import zlib
from collections.abc import Sequence
from pathlib import Path

SQUARE = b"0 0 9 9 re f "


def pdf_with(objects: Sequence[bytes]) -> bytes:
    """Write a PDF of these objects, numbered from 1; the first is its catalogue."""
    made, places = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, start=1):
        places.append(len(made))
        made += b"%d 0 obj\n%b\nendobj\n" % (number, each)
    count, table = len(objects) + 1, b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n%btrailer <</Size %d/Root 1 0 R>>\n" % (count, table, count)
    return made + head + b"startxref\n%d\n%%%%EOF\n" % len(made)


def empty_pdf(path: Path, count: int) -> Path:
    """Write a file of so many empty pages."""
    kids = b" ".join(b"%d 0 R" % number for number in range(3, 3 + count))
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>"
    catalogue = (b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[%b]/Count %d>>" % (kids, count))
    path.write_bytes(pdf_with([*catalogue, *[page] * count]))
    return path


def stream(head: bytes, data: bytes) -> bytes:
    """Write an object with data behind it."""
    return b"<<%b/Length %d>>stream\n%b\nendstream" % (head, len(data), data)


def picture_pdf(side: int, filters: bytes, data: bytes, bits: int = 8, more: bytes = b"") -> bytes:
    """Write a PDF of one page with a square grey picture all over it, packed in this way."""
    head = b"/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceGray/BitsPerComponent %d/Filter[%b]%b"
    return pdf_with([
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>",
        stream(b"", b"q 595 0 0 842 0 0 cm /I Do Q"),
        stream(head % (side, side, bits, filters, more), data),
    ])  # fmt: skip


def three_pages(shown: bytes, resources: bytes, *more: bytes, content: bytes = b"") -> bytes:
    """Write a PDF of three pages: on the second is ``shown``, with ``more`` objects from the 7th on, else a square."""
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents %d 0 R/Resources<<%b>>>>"
    return pdf_with([
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R 5 0 R 3 0 R]/Count 3>>",
        page % (4, b""),
        stream(b"", b"99 99 99 99 re f"),
        page % (6, resources),
        stream(content, shown),
        *more,
    ])  # fmt: skip


def nested(depth: int = 12) -> bytes:
    """A page that draws a thing ten times, which draws another ten times, and so on."""
    head, things = b"/Type/XObject/Subtype/Form/BBox[0 0 595 842]", []
    for number in range(8, 7 + depth):
        things.append(stream(head + b"/Resources<</XObject<</X %d 0 R>>>>" % number, b"/X Do " * 10))
    return three_pages(b"/X Do", b"/XObject<</X 7 0 R>>", *things, stream(head, SQUARE))


def bomb() -> bytes:
    """A page whose 100 kB of drawing are 65 MB, and take twenty times as much."""
    return three_pages(zlib.compress(SQUARE * 5_000_000, 9), b"", content=b"/Filter/FlateDecode")


def tiled() -> bytes:
    """A page painted with so small a pattern that no one sees the end of it."""
    head = b"/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 0.001/YStep 0.001/Resources<<>>"
    return three_pages(
        b"/Pattern cs /P scn 0 0 595 842 re f", b"/Pattern<</P 7 0 R>>", stream(head, SQUARE)
    )  # fmt: skip
