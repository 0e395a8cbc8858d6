"""A row of boxes as a line, as if it had been written: what is ticked is certain, what is written is read.

A row that does not fit an order is asked about, with the orders that its ticks could be.
"""

from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import islice, product

from msgspec import Struct

from pipeline.ink import Note
from pipeline.paper import sheet_layout
from pipeline.paper.sheet_rows import BoxColumn, BuildBox, HelpedBox, NamedBox, TargetBox, TickBox
from pipeline.reading import recogniser, strokes
from pipeline.reading.boxes import BoxedInk

# A row of targets as a line: which place and which unit are ticked, beside which sign, and what is written.

HELPS = frozenset({"S", "C"})
BoxPart = recogniser.Sure | recogniser.Inked


class TargetInk(Struct, frozen=True):
    """What is ticked and written in a row of targets."""

    signs: frozenset[str]
    targets: tuple[TargetBox, ...]
    helped: tuple[HelpedBox, ...]
    written: Mapping[str, recogniser.Inked]  # by box
    builds: tuple[BuildBox, ...] = ()

    @classmethod
    def of(cls, columns: Iterable[BoxColumn], ticked: Set[str], written: Mapping[str, recogniser.Inked]) -> "TargetInk":
        """Sort the boxes that are ticked by what they are."""
        ticked_boxes = [column for column in columns if column.name in ticked and isinstance(column, TickBox)]
        return cls(
            frozenset(box.name for box in ticked_boxes if not isinstance(box, NamedBox)),
            tuple(box for box in ticked_boxes if isinstance(box, TargetBox)),
            tuple(box for box in ticked_boxes if isinstance(box, HelpedBox)),
            written,
            tuple(box for box in ticked_boxes if isinstance(box, BuildBox)),
        )

    @property
    def is_to_hold(self) -> bool:
        """Whether the unit that is helped is to stay: no place is named, or the one where it stands."""
        stands = [box.name[:3] for box in self.targets] == [box.place[:3] for box in self.helped]
        return "to" not in self.written and (not self.targets or stands)

    def parts(self, unit: str) -> Iterator[BoxPart]:
        """Join the filled boxes in the order of a line.

        If they make no order, all of them. A ticked box's coast counts for fleets only.
        """
        if unit and not self.builds:  # a build names its unit
            yield recogniser.Sure(unit)
        yield from (recogniser.Sure(box.text) for box in self.builds)
        yield from map(recogniser.Sure, sorted(self.signs & HELPS))
        yield from (recogniser.Sure(box.text) for box in self.helped)
        yield from (self.written[name] for name in ("of",) if name in self.written)
        if not (self.signs == {"S"} and self.is_to_hold):
            yield from self.going(unit)
        yield from (recogniser.Sure(sign.upper()) for sign in sorted(self.signs - HELPS))

    def going(self, unit: str) -> Iterator[BoxPart]:
        """Where it goes, or the unit that it helps."""
        if self.targets or "to" in self.written:
            yield recogniser.Sure(self.targets[0].goes if self.targets else "-")
        is_army = any(box.is_army for box in self.helped) if self.signs & HELPS else unit.startswith("A ")
        no_coast = "C" in self.signs or is_army
        yield from (recogniser.Sure(box.province if no_coast else box.text) for box in self.targets)
        yield from (self.written[name] for name in ("to",) if name in self.written)

    def orders(self, unit: str) -> Iterator[str]:
        """Name the orders that the row could be if not all of its ticks counted, those with most ticks first."""
        if self.written:  # nobody knows yet what it says
            return
        some = product(
            [frozenset[str](), *(frozenset({sign}) for sign in sorted(self.signs))],
            [(), *((box,) for box in self.targets)],
            [(), *((box,) for box in self.helped)],
            [(), *((box,) for box in self.builds)],
        )
        inks = [TargetInk(signs, targets, helped, {}, builds) for signs, targets, helped, builds in some]
        inks.sort(key=lambda row: -len(row.signs) - len(row.targets) - len(row.helped) - len(row.builds))
        for row in inks:
            if not row.doubts:
                yield " ".join(piece.text for piece in row.parts(unit) if isinstance(piece, recogniser.Sure))

    @property
    def doubts(self) -> tuple[Note, ...]:
        """All that keeps the row from being one order."""
        goes, whom = len(self.targets) + ("to" in self.written), len(self.helped) + ("of" in self.written)
        if not self.signs and not self.targets and not self.builds:
            return (Note.NO_SIGN,)
        if max(len(self.signs), len(self.targets), len(self.helped), len(self.builds)) > 1:
            return (Note.TWO_TICKS,)
        if self.builds:
            return ()
        most, least = FILLINGS[next(iter(self.signs), "-")]
        if goes > most[0] or whom > most[1]:
            return (Note.TOO_MUCH,)
        return (Note.TOO_LITTLE,) if goes < least[0] or whom < least[1] else ()


# For each sign: how many places and how many helped units at most, and at least. A move has no sign, for its place says
# it; a place that is written can be reached by convoy only, so "via" must be ticked.
FILLINGS: Mapping[str, tuple[tuple[int, int], tuple[int, int]]] = {
    "H": ((0, 0), (0, 0)),
    "D": ((0, 0), (0, 0)),
    "waive": ((0, 0), (0, 0)),
    "-": ((1, 0), (1, 0)),
    "via": ((1, 0), (1, 0)),
    "S": ((1, 1), (0, 1)),
    "C": ((1, 1), (1, 1)),
}


# A row of boxes as a line: what is ticked is certain, what is written is read, and what does not fit is asked.

EITHER = (("A", "F"), ("of A", "of F"))  # one of each pair at most
UNIT = frozenset({"A", "F", "unit"})
MOST_OFFERS = 4  # beside what the reader makes of the row; the director has nine keys


class Filling(Struct, frozen=True):
    """Which boxes an order of one kind fills, beside its unit's and its sign's."""

    needed: frozenset[str] = frozenset()
    one_of: frozenset[str] = frozenset()  # just one of these
    allowed: frozenset[str] = frozenset()

    def wrong_filling(self, filled: frozenset[str]) -> Note | None:
        """Say what is wrong with the boxes that are filled."""
        if filled - self.needed - self.one_of - self.allowed or len(filled & self.one_of) > 1:
            return Note.TOO_MUCH
        return Note.TOO_LITTLE if self.needed - filled or (self.one_of and not filled & self.one_of) else None


# The target of a move has no other place to be mistaken for: people also write it into the box beside the ticks.
# A support or convoy written whole into the middle box is read as it stands there.
BOX_FILLINGS: Mapping[str, Filling] = {
    "H": Filling(),
    "-": Filling(one_of=frozenset({"of", "to"}), allowed=frozenset({"via"})),
    "S": Filling(needed=frozenset({"of"}), allowed=frozenset({"of A", "of F", "to"})),
    "C": Filling(needed=frozenset({"of"}), allowed=frozenset({"of A", "of F", "to"})),
    "R": Filling(needed=frozenset({"to"})),
    "B": Filling(),
    "D": Filling(),
    "waive": Filling(),
}


def compose_crop(ink: BoxedInk, form: sheet_layout.Form, number: int) -> tuple[recogniser.Crop, tuple[Note, ...]]:
    """Put a row of boxes together as a line, and name what must be asked about it."""
    ticked = frozenset(name for name, mark in ink.marks.items() if mark is strokes.TickMark.TICKED)
    if form.has_targets(number):
        row = TargetInk.of((cell.column for cell in form.cells_of(number)), ticked, ink.written)
        unsure = (Note.UNSURE_TICK,) if strokes.TickMark.UNSURE in ink.marks.values() else ()
        return recogniser.Crop(ink.grey, tuple(row.parts(form.unit_of(number)))), unsure + row.doubts
    parts: list[recogniser.Sure | recogniser.Inked] = []
    for cell in form.cells_of(number):
        if isinstance(cell.column, TickBox):
            parts += [recogniser.Sure(cell.column.text)] if cell.name in ticked else []
        elif cell.name in ink.written:
            is_target = cell.name == "to" and "of" in ink.written
            parts += [recogniser.Sure("-"), ink.written["to"]] if is_target else [ink.written[cell.name]]
    return recogniser.Crop(ink.grey, tuple(parts) or (recogniser.Sure(""),)), _doubts_of(ink, ticked)


def offer_orders(ink: BoxedInk, form: sheet_layout.Form, number: int) -> tuple[str, ...]:
    """Name some orders that a row of targets about which a person is asked could be, by its ticks."""
    if not form.has_targets(number):
        return ()
    marked = frozenset(name for name, mark in ink.marks.items() if mark is not strokes.TickMark.EMPTY)
    row = TargetInk.of((cell.column for cell in form.cells_of(number)), marked, ink.written)
    return tuple(islice(row.orders(form.unit_of(number)), MOST_OFFERS))


def _doubts_of(ink: BoxedInk, ticked: frozenset[str]) -> tuple[Note, ...]:
    """Find all that keeps a free row of a sheet of blocks from being one order."""
    signs = ticked & BOX_FILLINGS.keys()
    filled = ticked | ink.written.keys()
    doubts = [Note.UNSURE_TICK] if strokes.TickMark.UNSURE in ink.marks.values() else []
    if len(signs) > 1 or any(ticked.issuperset(pair) for pair in EITHER):
        doubts.append(Note.TWO_TICKS)
    if not signs:
        doubts.append(Note.NO_SIGN)
    if signs == {"waive"}:
        doubts += [Note.TOO_MUCH] if filled != signs else []
        return tuple(doubts)
    if "unit" not in filled:
        doubts.append(Note.NO_UNIT)
    if len(signs) == 1:
        fault = BOX_FILLINGS[next(iter(signs))].wrong_filling(filled - UNIT - signs)
        doubts += [fault] if fault else []
    return tuple(doubts)
