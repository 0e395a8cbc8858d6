"""Every row of a power's orders: its ink, what the rules make of it, what was ruled, and whether a person must look.

A row is adjudicated unasked only if its ink was accepted, the line is clear under this tournament's rules, and the
sheet it stands on is beyond doubt. Everything else waits for the director.
"""

import hashlib
from collections.abc import Iterable, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from pipeline.board import Power
from pipeline.desk.event.event import Event
from pipeline.desk.event.people import Turn
from pipeline.desk.ruling.rulings import RowDecision, RowRuling
from pipeline.desk.sheets.pads import SheetState
from pipeline.desk.sheets.sheets_in import SheetIn, fold_text, is_other, is_spoilt
from pipeline.ink import InkLine, InkReading, Noted, Tier
from pipeline.interpret.doubts import LineDoubt
from pipeline.ledger.events import LedgerEvent, SpotChecked
from pipeline.ledger.ledger import Fact, still_counting
from pipeline.ledger.parts import NOTHING_LEFT, Asked, LeftOpen, RulingBasis, Source
from pipeline.orders import Order, units_of, write
from pipeline.problems import Problem, Weight
from pipeline.rules.rulings_book import Situation
from pipeline.words.speech import Message, SentenceCode, sentences

NO_GROUND = RulingBasis()


class RowStatus(StrEnum):
    """What became of a row: what the rules made of its line, or why they were not asked."""

    CLEAR = "clear"
    AMBIGUOUS = "ambiguous"
    ILLEGAL = "illegal"
    INVALID = "invalid"
    VOID = "void"
    ASK = "ask"
    UNREAD = "unread"  # a person must say what is written
    UNORDERED = "unordered"  # no row orders the unit


class RowScan(Struct, frozen=True):
    """One scan of a row, where the scans of its sheet differ on it."""

    line: InkLine  # as this scan alone shows it
    crop: str  # its picture, relative to the event's folder
    at: str  # when it was read


class Row(Struct, frozen=True, kw_only=True):
    """One row of a power's orders: as it came in, from paper or typed; then with what the rules make of it."""

    line: int  # as printed or typed; on a second sheet of the same part, as `number_rows` counts it; 0: no row
    ink: str  # the best reading, or what was typed
    readings: tuple[InkReading, ...] = ()
    tier: Tier = Tier.ACCEPTED
    notes: tuple[Noted, ...] = ()  # what was seen on the paper
    order: Order | None = None  # what will be adjudicated
    status: RowStatus = RowStatus.UNREAD
    flags: tuple[str, ...] = ()  # doubts, in codes
    rule: str = ""  # "WM VI.2.f"
    settings: tuple[str, ...] = ()  # their paths in the rules file: what decided it; none for a doubt of the reader
    because: tuple[Message, ...] = ()  # why it has this order, or waits
    candidates: tuple[Order, ...] = ()
    whys: tuple[tuple[Message, ...], ...] = ()  # for each candidate: what speaks for it or against it
    situation: Situation | None = None  # what the director is asked, to find earlier rulings on it
    source: Source = Source.OPEN
    crop: str | None = None  # its picture in the event's folder; for line 0, of the row where its order would stand
    ruling: RowRuling | None = None
    printed: str = ""  # the unit printed in it, in the printed words
    unit: str = ""  # the province of the own unit that it is about, where that is known
    text: str = ""  # all that is read on its line
    beside: tuple[Order, ...] = ()  # settled orders of the same line: a ruling is on the whole line
    left: LeftOpen = NOTHING_LEFT  # what else on the same line waits
    ground: RulingBasis = NO_GROUND  # what a ruling on it is made on
    lacks: LineDoubt | None = None  # of line 0, and of what nobody wrote: what has no order of its own
    scans: tuple[RowScan, ...] = ()  # all scans of its sheet, oldest first, if they differ on this row
    is_supplied: bool = False  # nobody wrote it: the order of another unit, on this line, implies it
    leaves: tuple[
        "Row", ...
    ] = ()  # while it waits: the units, or builds, that are without an order if this one gives none

    @property
    def reason(self) -> str:
        """Why it has this order, or waits, in words."""
        return sentences(self.because)

    @property
    def needs_director(self) -> bool:
        """Whether this row waits for a person. If it does not, it is adjudicated unasked."""
        return self.source is Source.OPEN

    @property
    def asked_order(self) -> Asked:
        """The question on this row, to compare it with other orders of its line."""
        return Asked(self.ink, self.unit)

    @property
    def without(self) -> tuple[LineDoubt, ...]:
        """What has no order of its own here, for a ruling to name; nothing for an order that stands on the sheet."""
        return (self.lacks,) if self.lacks is not None else ()


def refuse_implied(rows: Iterable[Row], decision: RowDecision) -> RowDecision:
    """Add to a ruling on waiting rows which implied orders it refuses: those of units that it gives no order.

    An order is implied where that of another unit needs it. A ruling without any order also says that the units of
    these rows have none, so that this is not asked again.
    """
    rows = tuple(rows)
    ordered = units_of(decision.orders or ())
    refused = [lacks for row in rows if row.is_supplied and row.unit not in ordered for lacks in row.without]
    refused += [lacks for row in rows if not decision.orders for left in row.leaves for lacks in left.without]
    return replace(decision, without=tuple(dict.fromkeys((*decision.without, *refused))))


class PowerRows(Struct, frozen=True, kw_only=True):
    """All rows of one power in the phase its board is in."""

    power: Power
    state: SheetState
    problems: tuple[Problem, ...]  # of the sheet; one with weight ASKS keeps the power open
    rows: tuple[Row, ...]

    @property
    def is_open(self) -> bool:
        return any(p.weight is Weight.ASKS for p in self.problems) or any(row.needs_director for row in self.rows)

    @property
    def orders(self) -> tuple[Order, ...]:
        """The orders that will be adjudicated, in the order of the rows, each once."""
        return tuple(dict.fromkeys(row.order for row in self.rows if row.order is not None))


# Reasons of a row that do not concern the meaning of its line.


class RowReason(SentenceCode):
    """One kind of reason. The comments name what its sentence mentions."""

    NOT_SURE = "NOT_SURE"  # what is written
    IF_WRITTEN = "IF_WRITTEN"  # of text: a reading that the reader was not sure of
    ASKED_BEFORE = "ASKED_BEFORE"  # when another order on the row was settled
    RULED = "RULED"  # of by, why
    RULINGS_DIFFER = "RULINGS_DIFFER"  # of orders: two rulings give one unit different ones
    RULED_OTHERWISE = "RULED_OTHERWISE"  # of orders: a ruling gives the unit of this row another one


# What a ruling on a row was made on: it is written down with the ruling, which does not apply to other ink.
#
# Rows are named by number, and the number of a row changes: another sheet comes in, is chosen, or lines are typed. So a
# ruling follows its row to the number that the row has now, and does not count while that row does not.


def on_these_rows(
    rulings: Iterable[RowRuling],
    rows: Sequence[tuple[int, RulingBasis]],
    no_row: RulingBasis,
    sheets: Sequence[SheetIn],
) -> tuple[RowRuling, ...]:
    """Find the rulings on the rows that count now, each by the number its row has now.

    ``rows`` are those rows by number, ``no_row`` is what a ruling on no row would be made on, ``sheets`` all that came
    in. A ruling that does not say what it was made on counts by its number.
    """
    numbers = {ground.place: number for number, ground in rows}
    by_serial = {sheet.serial: sheet for sheet in sheets}
    row_rulings = []
    for ruling in rulings:
        on = ruling.on
        if on is None:
            row_rulings.append(ruling)
        elif ruling.line == 0:
            if (on.typed, on.counted) == (no_row.typed, no_row.counted):
                row_rulings.append(ruling)
        elif (number := numbers.get(on.place)) is not None and not _is_rewritten(ruling, on, by_serial.get(on.sheet)):
            row_rulings.append(replace(ruling, line=number))
    return tuple(row_rulings)


def _is_rewritten(ruling: RowRuling, on: RulingBasis, sheet: SheetIn | None) -> bool:
    """Whether new ink outdates a ruling: a later scan certainly shows something that the ruling does not say.

    Also if the page it was made on turned out to be another sheet.
    """
    if sheet is None:
        return False
    if not set(on.scans) <= set(sheet.since):
        return True
    texts = {fold_text(write(order)) for order in ruling.decision.orders or ()}
    texts |= {fold_text(ruling.decision.text)} if ruling.decision.text is not None else set()
    known = [scan for scan, since in zip(sheet.scans, sheet.since, strict=True) if since in on.scans]
    return any(
        is_other(line, known) and (is_spoilt(line) or fold_text(line.text) not in texts)
        for scan, since in zip(sheet.scans, sheet.since, strict=True)
        if since not in on.scans
        for line in scan.lines
        if line.number == on.row
    )


# Spot checks: one in twenty rows that nobody asked about is shown to a person, and the error rate is counted.

ONE_IN = 20


class Checked(Struct, frozen=True):
    """What the spot checks of an event have found."""

    right: int
    wrong: int
    rows: frozenset[tuple[Turn, int, str]]  # checked as right, by line and ink; wrong ones have a ruling

    @property
    def in_words(self) -> str:
        """The running error rate.

        >>> Checked(39, 1, frozenset()).in_words, Checked(0, 0, frozenset()).in_words
        ('40 rows checked, 1 wrong (2.5 %)', 'no row checked yet')
        """
        total = self.right + self.wrong
        if not total:
            return "no row checked yet"
        return (
            f"{total} {'row' if total == 1 else 'rows'} checked, {self.wrong} wrong ({100 * self.wrong / total:.1f} %)"
        )


def is_chosen(code: str, turn: Turn, row: Row) -> bool:
    """Choose one in twenty of the rows accepted unasked: always the same ones, and nobody can foresee which."""
    if row.line == 0 or row.source not in (Source.READ, Source.MARKED):
        return False
    digest = hashlib.blake2b(f"{code} {turn} {row.line}".encode(), digest_size=8).digest()
    return int.from_bytes(digest) % ONE_IN == 0


def check_row(event: Event, turn: Turn, row: Row, *, right: bool, by: str) -> Fact[SpotChecked]:
    """Write down what a person saw who compared an accepted row with its ink."""
    order = write(row.order) if row.order else None
    said = SpotChecked(
        board=turn.board, phase=turn.phase, power=turn.power, line=row.line, ink=row.ink, order=order, right=right
    )
    return event.facts.write(said, by)


def count_spot_checks(log: Iterable[Fact[LedgerEvent]]) -> Checked:
    """Count the spot checks; one that was taken back is none."""
    checks = [fact.said for fact in still_counting(log) if isinstance(fact.said, SpotChecked)]
    return Checked(
        right=sum(said.right for said in checks),
        wrong=sum(not said.right for said in checks),
        rows=frozenset((Turn.of(said), said.line, said.ink) for said in checks if said.right),
    )
