"""Every row of a power's orders: its ink, what the rules make of it, what was ruled, and whether a person must look.

A row is adjudicated unasked only if its ink was accepted, the line is clear under this tournament's rules, and the
sheet it stands on is beyond doubt. Everything else waits for the director.
"""

from dataclasses import dataclass
from enum import StrEnum

from pipeline.board.map import Power
from pipeline.desk.ruling.rulings import RowRuling
from pipeline.desk.sheets.sheet_states import SheetState
from pipeline.ink import InkReading, Noted, Tier
from pipeline.interpret.doubts.doubts import Found
from pipeline.ledger.parts import NOTHING_LEFT, Asked, LeftOpen, RulingBasis, Source
from pipeline.orders.order import Order
from pipeline.problems import Problem, Weight
from pipeline.rules.rulings_book import Situation
from pipeline.words import Told, sentences

NO_GROUND = RulingBasis()


class RowStatus(StrEnum):
    """What became of a row: what the rules made of its line, or why they were not asked (CONTRACT, ``orders``)."""

    CLEAR = "clear"
    AMBIGUOUS = "ambiguous"
    ILLEGAL = "illegal"
    INVALID = "invalid"
    VOID = "void"
    ASK = "ask"
    UNREAD = "unread"  # a person must say what is written
    UNORDERED = "unordered"  # no row orders the unit


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingLine:
    """One line as it came in: from paper, or typed."""

    line: int  # as printed on the sheet
    text: str
    readings: tuple[InkReading, ...]
    tier: Tier
    notes: tuple[Noted, ...] = ()
    crop: str | None = None  # the picture, relative to the event's folder
    is_typed: bool = False
    unit: str = ""  # that is printed in its row, as it is printed
    ground: RulingBasis = NO_GROUND  # what a ruling on it is made on


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of a power's orders."""

    line: int  # 0 for a unit that has no row
    ink: str  # the best reading, or what was typed
    readings: tuple[InkReading, ...] = ()
    order: Order | None  # what will be adjudicated
    status: RowStatus
    flags: tuple[str, ...] = ()  # doubts, in codes
    rule: str = ""  # "WM VI.2.f"
    settings: tuple[str, ...] = ()  # their paths in the rules file: what decided it; none for a doubt of the reader
    because: tuple[Told, ...] = ()  # why it stands so, or waits
    candidates: tuple[Order, ...] = ()
    whys: tuple[tuple[Told, ...], ...] = ()  # for each candidate: what speaks for it or against it
    situation: Situation | None = None  # what the director is asked, in a form that finds earlier rulings on it
    source: Source
    crop: str | None = None  # the picture; of line 0 of the row in which it would be written
    ruling: RowRuling | None = None
    unit: str = ""  # the province of the own unit that it is about, where that is known
    text: str = ""  # all that is read on its line
    beside: tuple[Order, ...] = ()  # settled orders of the same line: a ruling is on the whole line
    left: LeftOpen = NOTHING_LEFT  # what else on the same line waits
    ground: RulingBasis = NO_GROUND  # what a ruling on it is made on
    lacks: Found | None = None  # of line 0: what has no order

    @property
    def reason(self) -> str:
        """Why it stands so, or waits, in words."""
        return sentences(self.because)

    @property
    def needs_director(self) -> bool:
        """Whether this row waits for a person. False is the promise: it is adjudicated as it stands."""
        return self.source is Source.OPEN

    @property
    def asked(self) -> Asked:
        """What is asked, so that it is known again among the orders of its line."""
        return Asked(self.ink, self.unit)

    @property
    def without(self) -> tuple[Found, ...]:
        """What has no order here, for a ruling on line 0 to name; nothing for a row of the sheet."""
        return (self.lacks,) if self.lacks is not None else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerRows:
    """All rows of one power in the phase its board is in."""

    power: Power
    state: SheetState
    problems: tuple[Problem, ...]  # of the sheet; one that ASKS keeps the power open
    rows: tuple[Row, ...]

    @property
    def is_open(self) -> bool:
        """Whether anything here waits for the director."""
        return any(p.weight is Weight.ASKS for p in self.problems) or any(row.needs_director for row in self.rows)

    @property
    def orders(self) -> tuple[Order, ...]:
        """The orders that will be adjudicated, in the order of the rows, each once."""
        return tuple(dict.fromkeys(row.order for row in self.rows if row.order is not None))
