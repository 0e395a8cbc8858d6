"""Find somebody's seat, by a name or a part of one, or by the code on a sheet; only among seats that were told."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.desk.publish.public_record import PublicRecord, SeatAt, names_in

LEAST = 2  # letters of a part of a name
MOST = 20  # names that are offered
FROM_CODE = str.maketrans("", "", " -")


@dataclass(frozen=True, slots=True)
class FoundSeats:
    """What was found: one person's seats, or several people whom it may mean."""

    seats: tuple[SeatAt, ...] = ()
    names: tuple[str, ...] = ()


def find_seats(record: PublicRecord, asked: str) -> FoundSeats:
    """Find seats; nothing where nobody is meant, and the same nothing where a seat is not told yet."""
    wanted = plain(asked)
    codes = {plain(code).translate(FROM_CODE): seat for code, seat in record.sheets.items()}
    if seat := codes.get(wanted.translate(FROM_CODE)):
        return FoundSeats(seats=(seat,))
    everybody = names_in(record.seats)
    names = [name for name in everybody if plain(name) == wanted]
    names = names or [name for name in everybody if is_meant(wanted.split(), plain(name).split())]
    if len(names) == 1:
        return FoundSeats(seats=tuple(seat for seat in record.seats if seat.player == names[0]))
    return FoundSeats(names=tuple(names[:MOST]))


def is_meant(asked: Sequence[str], words: Sequence[str]) -> bool:
    """Whether every word that is asked for begins a word of a name."""
    return sum(map(len, asked)) >= LEAST and all(any(word.startswith(part) for word in words) for part in asked)


def plain(text: str) -> str:
    """A text without case, accents and spare blanks: people type on a telephone.

    >>> plain("  Zoë   ÅKERSTRÖM ")
    'zoe akerstrom'
    """
    letters = (c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    return " ".join("".join(letters).split())
