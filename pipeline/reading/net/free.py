"""What a row says when nothing is expected of it: letters, and spaces where the ink leaves a gap."""

import re

import cv2
import numpy as np

from pipeline.ink import Note
from pipeline.reading.ink.pieces import pieces
from pipeline.reading.net.alphabet import AIR, STRUCK, bare
from pipeline.reading.net.best_path import laid_along
from pipeline.reading.net.gaps import INKED, LONGER_THAN_A_STOP, SPACE, gaps
from pipeline.reading.net.lattice import Frames
from pipeline.reading.net.network import best_letters, without
from pipeline.reading.net.normalise import OURS, Ink, NormalCanvas

STROKE = "/"
SET_OFF = re.compile(r"[^()/]*(([^()/]\([a-z]{1,12}\)|[^()/]/[a-z]+)[^()/]*)*")  # spa(nc)-mao, stp/sc
# Ink heights from where a net saw the first and the last letter to the ends of the ink: of 659 legal orders read letter
# by letter, in hands the gate is fitted on, 0.8 of a capital's height in 99.5 %, at most 1.0 and 0.9
BEFORE, BEHIND = 1.05, 0.95
RUNS_OUT = 1.4  # the same of the stroke that the last letter is part of: wide n and e, 8 in 2,062 rows, 0.96 to 1.25
# and of one that all but touches it, the right stem of an H: no more than 0.09 apart in eight rows of one hand; of 93
# rows of others with | or ) written to their H one more passes of each
APART = 0.1


def free_text(frames: Frames, ink: Ink) -> str:
    """Read a row freely, in capitals, with spaces where the gaps are wide and around dashes."""
    letters = best_letters(frames)
    text = ""
    for number, ((letter, _), gap) in enumerate(zip(letters, [0, *gaps(letters, ink)], strict=False)):
        if number and (gap > SPACE or "-" in (letter, letters[number - 1][0])):
            text += " "
        text += letter.upper()
    return text


def has_sign(text: str, frames: Frames, unwanted: str) -> bool:
    """Say whether a sign is seen that no letter of a reading is: ``A VIE - GAL (?)``. A full stop is no such sign.

    It is a digit (``unwanted``: no line here has one), or a bracket or stroke that sets off no word as a coast's does.
    """
    seen = "".join(letter for letter, _ in best_letters(frames))
    plain = "".join(letter for letter in seen if letter not in AIR)
    if any(sign in unwanted for sign in plain) and bare(text) == "".join(c for c in plain if c not in unwanted):
        return True
    letters = best_letters(without(frames, unwanted) if unwanted else frames)
    return not SET_OFF.fullmatch("".join(letter for letter, _ in letters))


def with_strokes(text: str, frames: Frames, silent: Frames) -> str:
    """Put into a reading the strokes that a net sees between its letters: ``F SPA/SC - MAO``, ``A/ VIE - BOH/``.

    ``silent``: the same frames, with strokes taken for the blank between letters.
    """
    strokes = [frame for letter, frame in best_letters(frames) if letter == STROKE]
    if not strokes:
        return text
    at = [frame for _, frame in laid_along(bare(text), silent)]
    before = [sum(frame < stroke for frame in at) for stroke in strokes if stroke not in at]
    found = ""
    letters = 0
    for sign in text:
        if bare(sign):
            found += STROKE * before.count(letters)
            letters += 1
        found += sign
    found += STROKE * before.count(letters)
    return found.replace(f" {STROKE}", STROKE)


def reaches_beyond(frames: Frames, ink: Ink, unwanted: str, canvas: NormalCanvas = OURS) -> bool:
    """Say whether there is ink before the first letter that a net sees, or behind the last: ``A VIE - GAL ~~``."""
    if not ink.size:  # of a row that was kept there is no picture
        return False
    letters = best_letters(without(frames, unwanted) if unwanted else frames)
    _, sizes, _ = pieces((ink > INKED).astype(np.uint8))
    tall = sizes[1:][sizes[1:, cv2.CC_STAT_HEIGHT] > LONGER_THAN_A_STOP * canvas.ink_rows]
    if not letters or not len(tall):
        return False
    first, last = ((frame + 0.5) * canvas.columns_per_frame for _, frame in (letters[0], letters[-1]))
    begins, ends = tall[:, cv2.CC_STAT_LEFT], tall[:, cv2.CC_STAT_LEFT] + tall[:, cv2.CC_STAT_WIDTH]
    touched = ends[begins <= last].max(initial=last) + APART * canvas.ink_rows
    most = np.where(begins <= touched, RUNS_OUT, BEHIND) * canvas.ink_rows
    return bool(first - begins.min() > BEFORE * canvas.ink_rows or (ends - last > most).any())


def struck_notes(free: str) -> tuple[Note, ...]:
    """Say what was crossed out."""
    if STRUCK not in free:
        return ()
    return (Note.STRUCK_OUT,) if set(free) <= {STRUCK, " "} else (Note.PARTLY_STRUCK,)
