"""A row of boxes as a line: what is ticked is certain, what is written is read, and what does not fit is asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from pipeline.ink import Note
from pipeline.paper.layout.sheet_layout import Form
from pipeline.paper.sheet.field_rows import TickBox
from pipeline.reading.ink.boxes import BoxedInk
from pipeline.reading.ink.tick_marks import TickMark
from pipeline.reading.rows.recogniser import Crop, Inked, Sure
from pipeline.reading.rows.targets import TargetInk

EITHER = (("A", "F"), ("of A", "of F"))  # one of each pair at most
UNIT = frozenset({"A", "F", "unit"})
MOST_OFFERS = 4  # beside what the reader makes of the row; the director has nine keys


@dataclass(frozen=True, slots=True)
class Filling:
    """Which boxes an order of one kind fills, beside its unit's and its sign's."""

    needed: frozenset[str] = frozenset()
    one_of: frozenset[str] = frozenset()  # just one of these
    allowed: frozenset[str] = frozenset()

    def fault(self, filled: frozenset[str]) -> Note | None:
        """Say what is wrong with the boxes that are filled."""
        if filled - self.needed - self.one_of - self.allowed or len(filled & self.one_of) > 1:
            return Note.TOO_MUCH
        return Note.TOO_LITTLE if self.needed - filled or (self.one_of and not filled & self.one_of) else None


# The target of a move has no other place to be mistaken for: people also write it into the box beside the ticks.
# A support or convoy written whole into the middle box is read as it stands there.
FILLINGS: Mapping[str, Filling] = {
    "H": Filling(),
    "-": Filling(one_of=frozenset({"of", "to"}), allowed=frozenset({"via"})),
    "S": Filling(needed=frozenset({"of"}), allowed=frozenset({"of A", "of F", "to"})),
    "C": Filling(needed=frozenset({"of"}), allowed=frozenset({"of A", "of F", "to"})),
    "R": Filling(needed=frozenset({"to"})),
    "B": Filling(),
    "D": Filling(),
    "waive": Filling(),
}


def crop_of(ink: BoxedInk, form: Form, number: int) -> tuple[Crop, tuple[Note, ...]]:
    """Put a row of boxes together as a line, and name what must be asked about it."""
    unit = form.unit_of(number)
    ticked = frozenset(name for name, mark in ink.marks.items() if mark is TickMark.TICKED)
    if form.has_targets(number):
        row = TargetInk.of((cell.column for cell in form.cells_of(number)), ticked, ink.written)
        unsure = (Note.UNSURE_TICK,) if TickMark.UNSURE in ink.marks.values() else ()
        return Crop(ink.grey, ink.baseline, tuple(row.parts(unit))), unsure + row.doubts
    parts: list[Sure | Inked] = [Sure(unit)] if unit else []
    for cell in form.cells_of(number):
        if isinstance(cell.column, TickBox):
            parts += [Sure(cell.column.text)] if cell.name in ticked else []
        elif cell.name in ink.written:
            is_target = cell.name == "to" and "of" in ink.written
            parts += [Sure("-"), Inked(ink.written["to"])] if is_target else [Inked(ink.written[cell.name])]
    return Crop(ink.grey, ink.baseline, tuple(parts) or (Sure(""),)), doubts(ink, ticked, has_unit=bool(unit))


def offers_of(ink: BoxedInk, form: Form, number: int) -> tuple[str, ...]:
    """Name some orders that a row of targets about which a person is asked could be, by its ticks."""
    if not form.has_targets(number):
        return ()
    marked = frozenset(name for name, mark in ink.marks.items() if mark is not TickMark.EMPTY)
    row = TargetInk.of((cell.column for cell in form.cells_of(number)), marked, ink.written)
    return tuple(islice(row.orders(form.unit_of(number)), MOST_OFFERS))


def doubts(ink: BoxedInk, ticked: frozenset[str], *, has_unit: bool) -> tuple[Note, ...]:
    """Find all that keeps a row of boxes from being one order."""
    signs = ticked & FILLINGS.keys()
    filled = ticked | ink.written.keys()
    found = [Note.UNSURE_TICK] if TickMark.UNSURE in ink.marks.values() else []
    if len(signs) > 1 or any(ticked.issuperset(pair) for pair in EITHER):
        found.append(Note.TWO_TICKS)
    if not signs:
        found.append(Note.NO_SIGN)
    if signs == {"waive"}:
        found += [Note.TOO_MUCH] if filled != signs or has_unit else []
        return tuple(found)
    if "unit" not in filled and not has_unit:
        found.append(Note.NO_UNIT)
    if len(signs) == 1:
        fault = FILLINGS[next(iter(signs))].fault(filled - UNIT - signs)
        found += [fault] if fault else []
    return tuple(found)
