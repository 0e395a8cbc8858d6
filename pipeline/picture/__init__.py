"""Pictures of the board: one drawing from one geometry file, as SVG, PDF and PNG."""

from pipeline.picture.commands import Drawing, Frame
from pipeline.picture.draw import crop_around, draw_candidates, draw_position, draw_resolution
from pipeline.picture.formats.pdf import PaperSize, as_pdf
from pipeline.picture.formats.png import as_png
from pipeline.picture.formats.svg import as_svg
from pipeline.picture.panel import Caption

__all__ = [
    "Caption",
    "Drawing",
    "Frame",
    "PaperSize",
    "as_pdf",
    "as_png",
    "as_svg",
    "crop_around",
    "draw_candidates",
    "draw_position",
    "draw_resolution",
]

DOOR = ("dark", "draw", "formats", "look", "panel", "payouts")
