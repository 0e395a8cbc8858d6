"""What machines read on a sheet, as squares: the corner markers and the QR code. True is black."""

from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files

import segno

Squares = tuple[tuple[bool, ...], ...]

MARKER_BITS = 5  # DICT_5X5_1000: 5 by 5 bits inside a black border of one


@cache
def marker_words() -> tuple[int, ...]:
    """The 1000 markers of DICT_5X5_1000, 25 bits each, first row first, a set bit white."""
    text = files("pipeline.paper.pdf").joinpath("markers.txt").read_text("ascii")
    return tuple(int(word, 16) for word in text.split())


def marker_squares(number: int) -> Squares:
    r"""Draw one corner marker, its black border included.

    >>> print(*("".join(" #"[black] for black in row) for row in marker_squares(7)), sep="\n")
    #######
    ##   ##
    ### ###
    ### # #
    ####  #
    ## #  #
    #######
    """
    word = marker_words()[number]
    inside = [
        tuple(not word >> (MARKER_BITS * (MARKER_BITS - 1 - row) + MARKER_BITS - 1 - column) & 1 for column in range(5))
        for row in range(MARKER_BITS)
    ]
    edge = (True,) * (MARKER_BITS + 2)
    return (edge, *((True, *row, True) for row in inside), edge)


@lru_cache(maxsize=256)  # a sheet has its code more than once; 5 kB each
def code_squares(text: str) -> Squares:
    """Draw a QR code: version 2, level Q, so that all sheets of an event have squares of one size."""
    code = segno.make(text, version=2, error="q", mode="alphanumeric", boost_error=False)
    return tuple(tuple(bool(square) for square in row) for row in code.matrix)


def live_squares(text: str) -> Squares:
    """Draw the QR code for telephones, as large as its text needs: level M, in capitals."""
    code = segno.make(text, error="m", mode="alphanumeric", micro=False, boost_error=False)
    return tuple(tuple(bool(square) for square in row) for row in code.matrix)


def runs(row: tuple[bool, ...]) -> Iterator[tuple[int, int]]:
    """Find the black stretches of one row: first square and length.

    >>> list(runs((True, True, False, True)))
    [(0, 2), (3, 1)]
    """
    start = None
    for column, black in enumerate((*row, False)):
        if black and start is None:
            start = column
        elif not black and start is not None:
            yield start, column - start
            start = None
