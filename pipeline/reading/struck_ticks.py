"""A tick that is struck, scrawled over or ringed has longer strokes than the other ticks of its sheet.

A line through a cross looks like a star, through a stroke like a cross, and by a camera that lets in too much light
half of it is lost. But a person ticks boxes alike: the strokes of one tick are seldom a third longer than those of
another. Only a hook may have a long tail, and is known by its shape.
"""

from collections.abc import Sequence
from statistics import median

from pipeline.reading.empty_boxes import SeenBox

LONGER = 1.35  # times as long as the median of the sheet's other ticks
LEAST_OTHERS = 2


def find_longer_ticks(rows: Sequence[Sequence[SeenBox]]) -> list[frozenset[str]]:
    """Name in each row of a sheet the ticks whose strokes are longer than this person's are."""
    drawn = sorted(box.drawn for boxes in rows for box in boxes if box.drawn)
    if len(drawn) <= LEAST_OTHERS:
        return [frozenset()] * len(rows)

    def is_longer(box: SeenBox) -> bool:
        place = drawn.index(box.drawn)
        return box.drawn > LONGER * median(drawn[:place] + drawn[place + 1 :])

    return [frozenset(box.name for box in boxes if box.drawn and not box.is_plain and is_longer(box)) for boxes in rows]
