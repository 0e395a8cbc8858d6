"""What a player copied to show his hand: whether the ink is what was printed beside it, as far as the readers see.

Nothing here is an order, and nobody is misread by it: a line that is taken for what was to be copied teaches the hand,
any other teaches nothing. So the test is weaker than that of an order. It weighs the printed words against all their
own slips, and against the likeliest letters, by all readers alike.
"""

from collections.abc import Sequence
from statistics import fmean

from pipeline.ink import InkReading, Note, Tier
from pipeline.reading.net.free import free_text, struck_notes
from pipeline.reading.net.lattice import Frames
from pipeline.reading.net.normalise import Ink
from pipeline.reading.rows.recogniser import RowReading, Vocabulary, VocabularyLine
from pipeline.reading.thresholds.evidence import Evidence, Expected, weigh

# Log odds, the mean of the readers. Of 124 lines of samples by 14 people of the half that the gate is fitted on, 95 in
# 100 are taken for what was to be copied; with one letter slipped 2 in 109 are, whose letter looks like the right one
LEAST_TO_SLIPS = -4.5
LEAST_TO_FREE = -6.5


def read_copy(text: str, ink: Ink, frames: Sequence[Frames]) -> RowReading:
    """Say whether a row is a copy of a text, as each reader sees it, the first of them first."""
    expected = Expected(Vocabulary((VocabularyLine(((text,),)),)))
    found = [weigh([each], expected)[0][0] for each in frames]
    free = free_text(expected.only_wanted(frames[0]), ink)
    struck = struck_notes(free) or ((Note.PARTLY_STRUCK,) if any(each.struck for each in found) else ())
    if not struck and is_copy(found):
        return RowReading((InkReading(text, 1.0),), Tier.ACCEPTED)
    return RowReading((InkReading(free, 0.0),) if free else (), Tier.ASKED, struck)


def is_copy(found: Sequence[Evidence]) -> bool:
    """Whether the readers together take a row for what was to be copied."""
    to_slips, to_free = fmean(each.to_slips for each in found), fmean(each.to_free for each in found)
    return to_slips > LEAST_TO_SLIPS and to_free > LEAST_TO_FREE
