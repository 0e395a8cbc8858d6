"""Pictures of the board: one drawing from one geometry file, as SVG, PDF and PNG."""

from pipeline.picture.commands import Drawing, Frame
from pipeline.picture.draw import Caption, crop_around, draw_candidates, draw_position, draw_resolution
from pipeline.picture.formats import PaperSize, as_pdf, as_png, as_svg

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
