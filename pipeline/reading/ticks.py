"""Which boxes are ticked: ink inside a box, well away from its printed frame."""

import numpy as np

from pipeline.ink import Box
from pipeline.reading.register import RegisteredPage
from pipeline.reading.strokes import LEAST_CONTRAST
from pipeline.reading.warp import PIXELS_PER_MM
from pipeline.reading.whiten import WHITE, on_white

FRAME_MM = 0.6  # the frame, and how far it may lie off
AROUND_MM = 4.0  # of paper, to see how bright it is
TICKED = 0.025  # of the box: a tick of a thin pen covers 0.06, dirt 0.01
DEEP = 2.0  # times the least contrast: what shines through from the back is fainter


def ticked(page: RegisteredPage) -> frozenset[str]:
    """Name the boxes with a mark in them; a box blacked out is a mark too."""
    return frozenset(tick.name for tick in page.form.ticks if ink_share(page, tick.box) >= TICKED)


def ink_share(page: RegisteredPage, box: Box) -> float:
    """Measure how much of a box is covered with ink."""
    left, top = (max(0.0, edge - AROUND_MM) for edge in (box.left, box.top))
    around = page.flat[
        round(top * PIXELS_PER_MM) : round((box.top + box.height + AROUND_MM) * PIXELS_PER_MM),
        round(left * PIXELS_PER_MM) : round((box.left + box.width + AROUND_MM) * PIXELS_PER_MM),
    ]
    white = on_white(around)
    inside = white[
        round((box.top - top + FRAME_MM) * PIXELS_PER_MM) : round(
            (box.top - top + box.height - FRAME_MM) * PIXELS_PER_MM
        ),
        round((box.left - left + FRAME_MM) * PIXELS_PER_MM) : round(
            (box.left - left + box.width - FRAME_MM) * PIXELS_PER_MM
        ),
    ]
    return float(np.mean(inside < WHITE - DEEP * LEAST_CONTRAST))
