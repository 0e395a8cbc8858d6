"""Which boxes are ticked: ink inside a box, well away from its printed frame."""

import numpy as np

from pipeline.ink import Box
from pipeline.reading.files.picture import Grey
from pipeline.reading.ink.background import WHITE, on_white
from pipeline.reading.ink.strokes import LEAST_CONTRAST
from pipeline.reading.registration.register import RegisteredPage
from pipeline.reading.registration.warp import PIXELS_PER_MM

FRAME_MM = 0.6  # the frame, and how far it may lie off
AROUND_MM = 4.0  # of paper, to see how bright it is
TICKED = 0.025  # of the box: a tick of a thin pen covers 0.06, dirt 0.01
FRAME_SEEN = 0.3  # of the frame; under another paper there is nothing of it
DEEP = 2.0  # times the least contrast: what shines through from the back is fainter


def ticked(page: RegisteredPage) -> frozenset[str]:
    """Name the boxes with a mark in them; a box blacked out is a mark too."""
    return frozenset(tick.name for tick in page.form.ticks if ink_share(page, tick.box) >= TICKED)


def ink_share(page: RegisteredPage, box: Box) -> float:
    """Measure how much of a box is covered with ink."""
    inside = cut(page, box, -FRAME_MM)
    return float(np.mean(inside < WHITE - DEEP * LEAST_CONTRAST))


def has_frame(page: RegisteredPage, box: Box) -> bool:
    """Say whether the printed frame of a box can be seen; where it cannot, something lies on the box or cut it off."""
    here = cut(page, box, FRAME_MM)
    wide = 2 * round(FRAME_MM * PIXELS_PER_MM)
    if min(here.shape) <= 2 * wide:
        return False
    sides = (here[:wide].min(axis=0), here[-wide:].min(axis=0), here[:, :wide].min(axis=1), here[:, -wide:].min(axis=1))
    return float(np.mean(np.concatenate(sides) < WHITE - LEAST_CONTRAST)) >= FRAME_SEEN


def cut(page: RegisteredPage, box: Box, more_mm: float) -> Grey:
    """Cut a box out of the sheet, larger or smaller all round, as bright as the paper around it says."""
    left, top = (max(0.0, edge - AROUND_MM) for edge in (box.left, box.top))
    around = page.flat[
        round(top * PIXELS_PER_MM) : round((box.top + box.height + AROUND_MM) * PIXELS_PER_MM),
        round(left * PIXELS_PER_MM) : round((box.left + box.width + AROUND_MM) * PIXELS_PER_MM),
    ]
    across, down = (
        slice(
            max(0, round((near - edge - more_mm) * PIXELS_PER_MM)),
            round((near - edge + size + more_mm) * PIXELS_PER_MM),
        )
        for near, edge, size in ((box.left, left, box.width), (box.top, top, box.height))
    )
    return on_white(around)[down, across]
