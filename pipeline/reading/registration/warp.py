"""Where each millimetre of the sheet is on the picture: a perspective, and on top of it what paper and rollers did."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.reading.files.limits import MM_PER_INCH
from pipeline.reading.files.picture import Grey
from pipeline.reading.registration.marks import Points

FLAT_DPI = 200  # of every sheet taken out of its picture
NODE_PIXELS = 24  # between two nodes of the grid, so that the grid grows by a whole number to pixels
NODE_MM = NODE_PIXELS * MM_PER_INCH / FLAT_DPI  # 3.05; paper does not bend more finely
PIXELS_PER_MM = FLAT_DPI / MM_PER_INCH
Grid = NDArray[np.float64]  # rows by columns by 2


@dataclass(frozen=True, slots=True)
class Warp:
    """A map from mm on the sheet to pixels on the picture."""

    perspective: NDArray[np.float64]  # 3 by 3, mm -> pixels
    width: float  # mm
    height: float
    bend: Grid  # at each node, how many mm further the paper really is

    @classmethod
    def flat(cls, perspective: NDArray[np.float64], width: float, height: float) -> "Warp":
        """Make the map of a sheet that lies flat."""
        rows, columns = node_counts(width, height)
        return cls(perspective, width, height, np.zeros((rows, columns, 2)))

    @property
    def pixels_per_mm(self) -> float:
        """How finely the middle of the sheet was scanned."""
        middle = np.array([[self.width / 2, self.height / 2]]) + np.array([[0, 0], [1, 0], [0, 1]])
        origin, right, down = transform(self.perspective, middle)
        (a, b), (c, d) = right - origin, down - origin
        return float(np.sqrt(abs(a * d - b * c)))

    def bent(self, more: Grid) -> "Warp":
        """Add to the bend."""
        return replace(self, bend=self.bend + more)

    def scaled(self, scale: float) -> "Warp":
        """The map onto the same picture made smaller; pixel middles stay middles."""
        shift = (scale - 1) / 2
        smaller = np.array([[scale, 0, shift], [0, scale, shift], [0, 0, 1]])
        return replace(self, perspective=smaller @ self.perspective)

    def nodes(self) -> Grid:
        """Where the nodes are, in mm on the sheet."""
        rows, columns = self.bend.shape[:2]
        x = (np.arange(columns) - 1) * NODE_MM
        y = (np.arange(rows) - 1) * NODE_MM
        return np.stack(np.meshgrid(x, y), axis=-1).astype(np.float64)

    def picture(self, grey: Grey) -> Grey:
        """Take the sheet out of the picture, straight, at `FLAT_DPI`; the first pixel's middle is half a pixel in."""
        return remapped(grey, *self._places())

    def strips(self, grey: Grey, columns: Iterable[slice]) -> Grey:
        """Take some columns of it out of the picture; the others are left black."""
        x, y = self._places()
        flat: Grey = np.zeros(x.shape, np.uint8)
        for strip in columns:
            flat[:, strip] = remapped(grey, x[:, strip], y[:, strip])
        return flat

    def _places(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Where each pixel of the sheet is on the picture: columns and rows."""
        places = transform(self.perspective, (self.nodes() + self.bend).reshape(-1, 2))
        rows, columns = self.bend.shape[:2]
        grid = places.reshape(rows, columns, 2).astype(np.float32)
        return self._dense(grid[..., 0]), self._dense(grid[..., 1])

    def _dense(self, grid: NDArray[np.float32]) -> NDArray[np.float32]:
        """Grow the nodes of one axis to the pixels of the sheet."""
        rows, columns = grid.shape
        grown = cv2.resize(np.ascontiguousarray(grid), (columns * NODE_PIXELS, rows * NODE_PIXELS))
        first = NODE_PIXELS * 3 // 2  # the second node, where the sheet begins, is the edge before this pixel
        width, height = round(self.width * PIXELS_PER_MM), round(self.height * PIXELS_PER_MM)
        return np.asarray(grown[first : first + height, first : first + width], np.float32)


def remapped(grey: Grey, x: NDArray[np.float32], y: NDArray[np.float32]) -> Grey:
    """Take pixels out of a picture that lie at these places of it."""
    found: Grey = cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.uint8, copy=False)
    return found


def node_counts(width: float, height: float) -> tuple[int, int]:
    """How many rows and columns of nodes cover a sheet, with one outside on each side."""
    return int(np.ceil(height / NODE_MM)) + 3, int(np.ceil(width / NODE_MM)) + 3


def transform(perspective: NDArray[np.float64], points: Points) -> Points:
    """Carry points through a perspective."""
    carried = np.c_[points, np.ones(len(points))] @ perspective.T
    flat: Points = carried[:, :2] / carried[:, 2:]
    return flat
