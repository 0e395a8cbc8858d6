"""A drawing as a picture of dots, through its PDF: what is on the screen is what is on paper."""

from io import BytesIO

import pypdfium2

from pipeline.picture.commands import Drawing
from pipeline.picture.formats.pdf import PaperSize, as_pdf

POINTS = 72  # an inch


def as_png(drawing: Drawing, dpi: float = 150, paper: PaperSize = PaperSize.A4) -> bytes:
    """Make a PNG of a drawing; without paper, a drawing unit is a point (a 72nd of an inch)."""
    document = pypdfium2.PdfDocument(as_pdf(drawing, paper))
    try:
        page = document[0]
        picture = BytesIO()
        page.render(scale=dpi / POINTS).to_pil().save(picture, "PNG")
        page.close()
    finally:
        document.close()
    return picture.getvalue()
