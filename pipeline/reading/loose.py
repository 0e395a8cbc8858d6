"""Loose ink: pieces of a row that hold none of the signs of its reading, above the letters or beside them.

A word above the line, a stroke or a line behind it, a slash beside the dash. Lengths are in heights of the row's own
letters. The limits were set on rows that stood, by 58 people: of 2,737 legal ones 8 are asked, of 125 with a mark 50.
Where the small net (`unread.py`) is sure that all ink belongs to signs, loose ink is no doubt.
"""

import math
from collections.abc import Sequence

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from pipeline.reading.alphabet import AIR
from pipeline.reading.network import INKED, FoundInk
from pipeline.reading.strokes import pieces, square

SeenSign = tuple[str, float]  # of a text, and the column of the crop in which a reader sees it

DASH, DOTTED = "-", "ijt"  # letters of which a dot or a bar may lie above all others
LEAST_HIGH, LEAST_LETTER = 0.3, 0.4  # of the row's height: a piece of a letter, and what letters are taken to have
RULED = 0.8  # of the columns: a row of the picture with more ink is a line to write on
NEAR_RULE = 5  # pixels from it: what is flat there is left of it

# Above the letters: the middle of the piece over the tops of all letters near, its foot over theirs, and its size
NEAR, TALL = 1.3, 0.45  # how far aside letters are compared, and how high they are at least
OVER_TOPS, OVER_FEET = 0.3, 0.75
LEAST_ABOVE, LEAST_ABOVE_DOTTED = 0.28, 0.65  # the size: the square root of width by height
DOT_BEHIND, DOT_BEFORE = 0.6, 0.25  # how far a dot or bar flies behind its letter's middle, or before it

# Beside the letters: half the size of the piece (at most 1) and its distance from the nearest sign
BESIDE, LEAST_BESIDE = 0.12, 0.3  # a sign is in a piece from so near, and how long a piece is at least
COVERED = 0.4  # of its width over or under a piece that holds a sign: it is part of that letter
MOST_APART = 0.9
BEHIND_DASH = 0.3  # what a stroke right behind a dash counts for more
ROUND = 0.2  # how wide for its length a piece is from which it is no stroke: an arrow's head


class Piece(Struct, frozen=True):
    """A piece of ink, in pixels."""

    left: float
    top: float
    right: float
    bottom: float
    middle: float  # row
    roundness: float  # 0: a straight stroke

    @property
    def wide(self) -> float:
        return self.right - self.left

    @property
    def high(self) -> float:
        return self.bottom - self.top

    def holds(self, columns: Sequence[float], room: float) -> bool:
        """Whether one of some columns is in the piece, or so near."""
        return any(self.left - room <= column <= self.right + room for column in columns)

    def apart(self, other: "Piece") -> float:
        """How many columns are between two pieces; less than none where one lies over the other."""
        return max(self.left - other.right, other.left - self.right)


def has_loose_ink(row_ink: FoundInk, signs: Sequence[SeenSign]) -> bool:
    """Whether a row has a piece of ink above its letters, or one beside them that is none of its signs."""
    mask, rules = _without_rules(row_ink)
    some = _find_pieces(mask)
    letters = _letters_among(some, row_ink, signs)
    if not letters:
        return False
    height = _height_of(letters, row_ink)
    free = [one for one in some if one.high > height / 4 or not any(abs(rules - one.middle) <= NEAR_RULE)]
    return any(_is_above(one, letters, signs, height) or _is_beside(one, some, signs, height) for one in free)


def _letters_among(some: Sequence[Piece], row_ink: FoundInk, signs: Sequence[SeenSign]) -> list[Piece]:
    """The pieces that hold letters."""
    columns = [column for sign, column in signs if sign not in AIR and sign != DASH]
    return [one for one in some if one.high > LEAST_HIGH * row_ink.height and one.holds(columns, 2)]


def _height_of(letters: Sequence[Piece], row_ink: FoundInk) -> float:
    """The height of a row's letters, in pixels."""
    return max(float(np.median([one.high for one in letters])), LEAST_LETTER * row_ink.height)


def _without_rules(row_ink: FoundInk) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Where there is ink, and the rows of a line to write on, which is taken out but for the strokes that cross it."""
    mask = row_ink.ink > INKED
    rules = np.flatnonzero(mask.mean(1) >= RULED)
    if len(rules):
        above, below = max(0, rules[0] - 2), min(len(mask) - 1, rules[-1] + 2)
        mask[rules] = mask[above] & mask[below]
    return mask, rules


def _find_pieces(mask: NDArray[np.bool_]) -> list[Piece]:
    labels, sizes, middles = pieces(mask.astype(np.uint8))
    all_pieces = []
    for number, (left, top, wide, high, _) in enumerate(sizes.tolist()):
        part = labels[top : top + high, left : left + wide] == number
        all_pieces.append(Piece(left, top, left + wide, top + high, float(middles[number, 1]), _roundness(part)))
    return all_pieces[1:]  # without the paper


def _roundness(part: NDArray[np.bool_]) -> float:
    """How wide the pixels of a piece lie for their length, by their standard deviations.

    >>> round(_roundness(np.eye(9, dtype=bool)), 1), round(_roundness(np.ones((9, 9), bool)), 1)
    (0.0, 1.0)
    """
    if min(part.shape) == 1:
        return 0.0
    short, long = np.linalg.eigvalsh(np.cov(np.stack(np.nonzero(part))))
    return math.sqrt(max(short, 0.0) / long)


def _is_above(piece: Piece, letters: Sequence[Piece], signs: Sequence[SeenSign], height: float) -> bool:
    """Whether a piece is a mark above the letters; the dots and bars that belong to one are smaller."""
    near = [
        one for one in letters if one is not piece and one.apart(piece) < NEAR * height and one.high > TALL * height
    ]
    if not near:
        return False
    over_tops = min(one.top for one in near) - piece.middle
    over_feet = float(np.median([one.bottom for one in near])) - piece.bottom
    begins, ends = piece.left - DOT_BEHIND * height, piece.right + DOT_BEFORE * height
    is_dotted = any(sign in DOTTED and begins <= column <= ends for sign, column in signs)
    least = LEAST_ABOVE_DOTTED if is_dotted else LEAST_ABOVE
    is_large = math.sqrt(piece.wide * piece.high) > least * height
    return is_large and over_tops > OVER_TOPS * height and over_feet > OVER_FEET * height


def _is_beside(piece: Piece, others: Sequence[Piece], signs: Sequence[SeenSign], height: float) -> bool:
    """Whether a piece stands beside the signs: none is in it, and it is part of no letter."""
    columns, room = [column for _, column in signs], BESIDE * height
    long = max(piece.wide, piece.high) / height
    if long < LEAST_BESIDE or piece.holds(columns, room):
        return False
    held = [one for one in others if one.high > LEAST_BESIDE * height and one.holds(columns, room)]
    if any(-one.apart(piece) > COVERED * piece.wide for one in held):
        return False
    before = [(column, sign) for sign, column in signs if column < piece.left]
    is_behind_dash = bool(before) and max(before)[1] == DASH
    if is_behind_dash and piece.roundness > ROUND:
        return False
    apart = min(max(piece.left - column, column - piece.right) for column in columns) / height
    return min(long, 1.0) / 2 + apart + (BEHIND_DASH if is_behind_dash else 0) > MOST_APART


# A line through letters: straight, through two of them or more, and with strokes that go on above or below it. The
# letters of some hands make such lines, so the net must not be against it. Of the same rows, without those with loose
# ink, 6 legal ones are asked and 14 with a mark.

CLIMBS = tuple(range(-12, 60, 4))  # degrees; a word is struck out with a level line or with a slash
LEAST_LONG = 1.6  # heights of the letters
LEAST_LETTERS = 2  # that it goes through
LEAST_STROKES, LEAST_AT_SIDE = 6, 2  # that leave it, in all and at either side
CLEAR = 0.12  # heights from the line to where a stroke has left it


def has_line_through(row_ink: FoundInk, signs: Sequence[SeenSign]) -> bool:
    """Whether a straight line goes through letters of a row; a dash that touches letters is none."""
    mask, _ = _without_rules(row_ink)
    some = _letters_among(_find_pieces(mask), row_ink, signs)
    if not some:
        return False
    height = _height_of(some, row_ink)
    letters = [column for sign, column in signs if sign not in AIR and sign != DASH]
    dashes = [column for sign, column in signs if sign == DASH]
    clear = round(CLEAR * height + _half_pen(mask) + 1)
    for degrees in CLIMBS:
        turned, back = _turn(mask, degrees)
        for row, first, last in _long_runs(turned, LEAST_LONG * height):
            left, right = (float(back[0] @ (column, row, 1)) for column in (first, last))
            through = sum(left < column < right for column in letters)
            if through < LEAST_LETTERS or any(left - 1 <= column <= right + 1 for column in dashes):
                continue
            sides = [_strokes_at(turned[row + way * clear - 1 : row + way * clear + 1, first:last]) for way in (-1, 1)]
            if min(sides) >= LEAST_AT_SIDE and sum(sides) >= LEAST_STROKES:
                return True
    return False


def _half_pen(mask: NDArray[np.bool_]) -> float:
    """Half the width of the pen's strokes, in pixels."""
    depth = cv2.distanceTransform(mask.astype(np.uint8), cv2.DIST_L2, 3)
    return float(np.median(depth[(depth > 0) & (depth == cv2.dilate(depth, square(3)))]))


def _turn(mask: NDArray[np.bool_], degrees: float) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Turn lines that climb by an angle level, with paper around; and the matrix that leads back to the crop."""
    high, wide = mask.shape
    side = math.ceil(math.hypot(high, wide))
    turn = cv2.getRotationMatrix2D((wide / 2, high / 2), -degrees, 1)
    turn[:, 2] += (side - wide) / 2, (side - high) / 2
    turned = cv2.warpAffine(mask.astype(np.uint8), turn, (side, side), flags=cv2.INTER_NEAREST) > 0
    return turned, np.asarray(cv2.invertAffineTransform(turn), np.float64)


def _long_runs(mask: NDArray[np.bool_], least: float) -> list[tuple[int, int, int]]:
    """Runs of ink along the rows that are longer: row, first column, and the column behind the last."""
    steps = np.diff(np.pad(mask, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    (rows, firsts), (_, lasts) = np.nonzero(steps > 0), np.nonzero(steps < 0)
    return [(int(rows[at]), int(firsts[at]), int(lasts[at])) for at in np.flatnonzero(lasts - firsts > least)]


def _strokes_at(part: NDArray[np.bool_]) -> int:
    """How many strokes there are side by side in a few rows."""
    return int(np.count_nonzero(np.diff(np.pad(part.any(0), 1).astype(np.int8)) > 0))
