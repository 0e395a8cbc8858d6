"""A sheet of paper of which everything is known: what is written on it, and what each of its scans shows."""

from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from desk.cup import inked
from pipeline.desk.event.people import Turn
from pipeline.ink import InkLine, Note, Tier

ROWS = 5  # of a sheet that are looked at

Rows = tuple[str, ...]  # what is written on a sheet, row by row; a row that is struck out begins with STRUCK

STRUCK = "\N{COMBINING LONG STROKE OVERLAY}"


def says(ink: str) -> str:
    """What a row says to a person: nothing where it is struck out."""
    return "" if ink.startswith(STRUCK) else ink


class Shown(Struct, frozen=True):
    """What a sheet shows: its rows, and whether something is written below them."""

    rows: Rows = ("",) * ROWS
    outside: bool = False

    @property
    def is_blank(self) -> bool:
        """Whether nothing at all is written in its rows."""
        return not any(self.rows)


BLANK = Shown()


class Page(Struct):
    """One scan of a paper."""

    sha256: str
    shown: Shown
    counts: bool  # False while nobody has said which sheet it is
    body: dict[str, Any]  # of its fact


class Paper(Struct):
    """A sheet of paper on the table."""

    sheet: str
    serial: int
    turn: Turn
    part: int
    parts: int
    first: int  # the number of its first row
    last: int  # and of its last
    ink: Shown = BLANK
    signed: bool = True
    ticks: tuple[str, ...] = ()
    is_ticked_rightly: bool = True
    pages: list[Page] = field(default_factory=list)
    written: set[tuple[int, str]] = field(default_factory=set)  # everything that ever stood on a row

    @property
    def shown(self) -> Shown | None:
        """What its newest scan shows; None where no scan of it counts."""
        return next((page.shown for page in reversed(self.pages) if page.counts), None)

    def claims_rows_of(self, other: "Paper") -> bool:
        """Whether it is for the same rows as another, or as the same part."""
        return self.part == other.part or (self.first <= other.last and other.first <= self.last)


def read(row: int, now: str, then: str, how: str) -> InkLine:
    """Read a row: rightly or not at all; what is new on it is read surely."""
    if now.startswith(STRUCK):
        return replace(inked(row, now[1:], Tier.ASKED), notes=(Note.STRUCK_OUT,))
    if not now:
        return inked(row, "", Tier.BLANK)
    if now != then or how in "am":
        return inked(row, now, Tier.MARKED if how == "m" else Tier.ACCEPTED)
    return inked(row, {"?": "?", "0": ""}.get(how, now), Tier.ASKED)
