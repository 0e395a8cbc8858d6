"""Rows of boxes with the truth beside them: what is ticked and printed there is certain, and the places are written.

Legal orders from positions of real games, and misorders of the kinds that a player can make in boxes. The unit is
printed, as on a sheet of targets, or its letter is ticked and its place is written; so are the other places, or some of
them are ticked.
"""

import random
from collections.abc import Iterator, Sequence

from msgspec import Struct

from pipeline.board import Unit
from pipeline.judge.adjudicate import legal_orders, why_illegal
from pipeline.orders import Convoy, Hold, Move, Order, Support
from training import texts
from training.cases import BESIDE, KINDS, LOOK_ALIKE, ROWS_A_SEAT, Case, legal_case, name_of, spoilt, written_by
from training.orders import BOARD, TABLE, Seat

MISORDERS = tuple(kind for kind in (*KINDS, LOOK_ALIKE) if kind != BESIDE)  # ink beside boxes is for the ticks' tests
PRINTED = 0.7  # share of the rows whose unit is printed
TICKED = 0.3  # share of the places that have a box to tick


class Piece(Struct, frozen=True):
    """One part of a row of boxes."""

    text: str
    written: bool = False  # else it is ticked, or printed


def boxed_cases(seats: Sequence[Seat], share_of_misorders: float, seed: int) -> Iterator[tuple[Case, list[Piece]]]:
    """Draw rows, without end; those of one seat stand together. In each something is written."""
    rng = random.Random(seed)
    while True:
        seat = rng.choice(seats)
        if not legal_orders(BOARD, seat.position, seat.power):
            continue
        drawn = 0
        while drawn < ROWS_A_SEAT:
            kind = rng.choice(MISORDERS) if rng.random() < share_of_misorders else "legal"
            if (found := filled(seat, kind, rng)) is not None:
                yield found
                drawn += 1


def filled(seat: Seat, kind: str, rng: random.Random) -> tuple[Case, list[Piece]] | None:
    """Fill one row, rightly or not; None where nothing is written in it, or it is none of this kind."""
    way, order = written_by(rng), legal_case(seat, rng).order
    if kind in ("illegal destination", "near miss", "wrong unit"):
        order = spoilt(order, seat, kind, rng)
        if order is not None and why_illegal(BOARD, seat.position, seat.power, order) is None:
            return None
    if order is None:
        return None
    pieces = list(pieces_of(order, way, rng))
    written = [at for at, piece in enumerate(pieces) if piece.written]
    if not written:
        return None
    if kind == "free text":
        pieces = [Piece(way(rng.choice(texts.OTHER_WORDS)), True) if piece.written else piece for piece in pieces]
    elif kind in ("misspelling", LOOK_ALIKE):
        at, spoil = rng.choice(written), texts.mistaken if kind == LOOK_ALIKE else texts.slipped
        word = spoil(f"A {pieces[at].text}", rng).removeprefix("A ")  # they leave a line's first letter alone
        if word == pieces[at].text:
            return None
        pieces[at] = Piece(word, True)
    text = " ".join(piece.text for piece in pieces)
    return Case(seat.position, seat.power, text, kind, order if kind == "legal" else None), pieces


def pieces_of(order: Order, way: texts.Habit, rng: random.Random) -> Iterator[Piece]:
    """The parts of a row, in the order of its line."""

    def place(name: str) -> Piece:
        if rng.random() < TICKED:
            return Piece(f"{TABLE.rows[name[:3]].code.upper()}{name[3:]}")
        return Piece(name_of(name, way, rng), written=True)

    def unit(of: Unit, *, letter: bool) -> Iterator[Piece]:
        if letter:
            yield Piece(of.kind.value)
        yield place(of.place)

    is_printed = rng.random() < PRINTED
    match order:
        case Hold(me) | Move(me) | Support(me) | Convoy(me) if is_printed:
            yield Piece(f"{me.kind.value} {TABLE.rows[me.place[:3]].code.upper()}{me.place[3:]}")
        case Hold(me) | Move(me) | Support(me) | Convoy(me):
            yield Piece(me.kind.value)
            yield Piece(name_of(me.place, way, rng), written=True)
    match order:
        case Hold():
            yield Piece("H")
        case Move(_, to, via):
            yield from (Piece("-"), place(to))
            yield from (Piece("VIA") for _ in range(via))
        case Support(_, of, to) | Convoy(_, of, to):
            yield Piece("S" if isinstance(order, Support) else "C")
            yield from unit(of, letter=not is_printed)
            yield from (Piece("-"), place(to)) if to else ()
