"""What every printed paper has in the same way: corner markers, codes, and lines of type, in millimetres."""

from typing import Protocol

from pipeline.ink import Box
from pipeline.paper.sheet.sheet import Codes, Markers

ID_MM = 50.0  # the longest id in 10 points; nothing else is printed there
POINT_MM = 25.4 / 72


class Framed(Protocol):
    """Whatever has corner markers and codes: a sheet, a form."""

    @property
    def width(self) -> float:
        """Of the paper."""

    @property
    def height(self) -> float:
        """Of the paper."""

    @property
    def markers(self) -> Markers:
        """The corner markers."""

    @property
    def codes(self) -> Codes:
        """The two codes."""


def marker_boxes(template: Framed) -> tuple[Box, Box, Box, Box]:
    """Where the corner markers are."""
    size, margin = template.markers.size, template.markers.margin
    right, bottom = template.width - margin - size, template.height - margin - size
    return (
        Box(margin, margin, size, size),
        Box(right, margin, size, size),
        Box(right, bottom, size, size),
        Box(margin, bottom, size, size),
    )


def code_boxes(template: Framed) -> tuple[Box, Box]:
    """Where the two codes are: beside the top right marker, and beside the bottom left one."""
    marker, margin, codes = template.markers.size, template.markers.margin, template.codes
    left = template.width - margin - marker - codes.gap - codes.top
    low = template.height - margin - codes.bottom
    return (
        Box(left, margin, codes.top, codes.top),
        Box(margin + marker + codes.gap, low, codes.bottom, codes.bottom),
    )


def type_box(left: float, right: float, y: float, points: float) -> Box:
    """The box of a line of type that stands at ``y``: tails reach a quarter of its size down, accents all of it up."""
    size = points * POINT_MM
    return rounded(left - 1, y - 0.95 * size, right - left + 2, 1.25 * size)


def rounded(left: float, top: float, width: float, height: float) -> Box:
    """A box to the micrometre, so that sums of lengths read well in the layout."""
    return Box(round(left, 3), round(top, 3), round(width, 3), round(height, 3))
