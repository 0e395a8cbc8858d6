"""Paper that a picture does not show: cut off, under another sheet, painted over. What is written there nobody knows.

Each row has a dotted line from end to end, or two. Where a long stretch has neither dots nor ink, something hides it.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pipeline.ink import Box
from pipeline.paper.layout.sheet_layout import Guide
from pipeline.reading.files.picture import Grey
from pipeline.reading.ink.band import guides_of
from pipeline.reading.registration.dewarp_bars import find_bars
from pipeline.reading.registration.dots import small_and_long
from pipeline.reading.registration.picture_faults import PictureFault
from pipeline.reading.registration.register import RegisteredPage
from pipeline.reading.registration.warp import PIXELS_PER_MM
from pipeline.words import Told

PIECE_MM = 6.0  # 44 damaged pages are the same with 3 to 12 (benchmarks/constants.py)
HIDDEN_MM = 24.0  # so long a stretch; a short order has 25
BAND_MM = 3.5  # above and below the line, for the paper around the dots to be known
DOWN_MM = 1.2  # where a dot may be, above and below its line
LEAST_DOTS = 8.0  # grey levels of the dots of the whole page; below, blurred or faded, they tell nothing
GONE = 0.25  # of that; under glare, in shadow and on stains dots have 0.35 at the least
STROKE = 25.0  # grey levels of a pen's stroke that hides the dots: that is ink


def hidden_rows(page: RegisteredPage) -> frozenset[int]:
    """Name the rows of which a long stretch cannot be seen."""
    form, flat = page.form, page.flat
    lines = [
        (field.row or 0, *dots_and_strokes(flat, guide)) for field in form.rows for guide in guides_of(form, field)
    ]
    usual = float(np.median(np.concatenate([dots for _, dots, _ in lines]))) if lines else 0.0
    if usual >= LEAST_DOTS and not page.is_one_bit:  # a fax keeps some dots and drops others
        return frozenset(row for row, dots, strokes in lines if has_gap((dots < GONE * usual) & ~strokes))
    gone = [
        pair
        for pair, seen in zip(form.bars, np.isfinite(find_bars(flat, form).offsets[..., 0]), strict=True)
        if not seen.any()
    ]
    return frozenset(field.row or 0 for field in form.rows if any(is_beside(field.box, bar) for bar, _ in gone))


def is_beside(row: Box, bar: Box) -> bool:
    """Say whether a bar stands beside a row."""
    return row.top <= bar.top + bar.height / 2 <= row.top + row.height


def dots_and_strokes(flat: Grey, guide: Guide) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Piece by piece: how dark the dots of a line are, and whether a stroke lies over them."""
    top = max(0, round((guide.y - BAND_MM) * PIXELS_PER_MM))
    small, long = small_and_long(flat[top : round((guide.y + BAND_MM) * PIXELS_PER_MM)])
    near = slice(round((guide.y - DOWN_MM) * PIXELS_PER_MM) - top, round((guide.y + DOWN_MM) * PIXELS_PER_MM) - top)
    edges = np.round((np.array(guide.dots) - guide.pitch / 2) * PIXELS_PER_MM).astype(int)
    edges = edges[edges < flat.shape[1]]
    per = round(PIECE_MM / guide.pitch)
    count = len(edges) // per
    dots, strokes = (np.maximum.reduceat(kind[near].max(axis=0), edges)[: count * per] for kind in (small, long))
    return np.median(dots.reshape(count, per), axis=1), np.median(strokes.reshape(count, per), axis=1) > STROKE


def has_gap(gone: NDArray[np.bool_]) -> bool:
    """Say whether so many pieces beside one another are gone."""
    least = round(HIDDEN_MM / PIECE_MM)
    return bool((np.convolve(gone, np.ones(least, int)) == least).any())


def told_rows(rows: Sequence[int]) -> tuple[Told, ...]:
    """Tell of rows that cannot be seen, while the paper is still in the hand.

    >>> [told.as_body() for told in told_rows([16, 17])]
    [{'code': 'ROWS_HIDDEN', 'rows': [16, 17]}]
    """
    return (Told.of(PictureFault.ROWS_HIDDEN, rows=tuple(rows)),) if rows else ()
