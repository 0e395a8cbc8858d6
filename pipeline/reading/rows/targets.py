"""A row of targets as a line: which place and which unit are ticked, beside which sign, and what is written."""

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import product

from pipeline.ink import Note
from pipeline.paper.sheet.field_rows import Column, TickBox
from pipeline.paper.sheet.target_rows import BuildBox, HelpedBox, NamedBox, TargetBox
from pipeline.reading.files.picture import Grey
from pipeline.reading.rows.recogniser import Inked, Sure

HELPS = frozenset({"S", "C"})
Part = Sure | Inked


@dataclass(frozen=True, slots=True)
class TargetInk:
    """What is ticked and written in a row of targets."""

    signs: frozenset[str]
    targets: tuple[TargetBox, ...]
    helped: tuple[HelpedBox, ...]
    written: Mapping[str, Grey]  # by box
    builds: tuple[BuildBox, ...] = ()

    @classmethod
    def of(cls, columns: Iterable[Column], ticked: Set[str], written: Mapping[str, Grey]) -> "TargetInk":
        """Sort the boxes that are ticked by what they are."""
        found = [column for column in columns if column.name in ticked and isinstance(column, TickBox)]
        return cls(
            frozenset(box.name for box in found if not isinstance(box, NamedBox)),
            tuple(box for box in found if isinstance(box, TargetBox)),
            tuple(box for box in found if isinstance(box, HelpedBox)),
            written,
            tuple(box for box in found if isinstance(box, BuildBox)),
        )

    @property
    def is_to_hold(self) -> bool:
        """Whether the unit that is helped is to stay: no place is named, or the one where it stands."""
        stands = [box.name[:3] for box in self.targets] == [box.place[:3] for box in self.helped]
        return "to" not in self.written and (not self.targets or stands)

    def parts(self, unit: str) -> Iterator[Part]:
        """Put what is filled together in the order of the line; where it is no order, all of it, one after the other.

        A coast in the name of a box that is ticked is said of a fleet, and of who is written; armies have none.
        """
        if unit and not self.builds:  # a build names its unit
            yield Sure(unit)
        yield from (Sure(box.text) for box in self.builds)
        yield from map(Sure, sorted(self.signs & HELPS))
        yield from (Sure(box.text) for box in self.helped)
        yield from (Inked(self.written[name]) for name in ("of",) if name in self.written)
        if not (self.signs == {"S"} and self.is_to_hold):
            yield from self.going(unit)
        yield from (Sure(sign.upper()) for sign in sorted(self.signs - HELPS))

    def going(self, unit: str) -> Iterator[Part]:
        """Where it goes, or the unit that it helps."""
        if self.targets or "to" in self.written:
            yield Sure(self.targets[0].goes if self.targets else "-")
        is_army = any(box.is_army for box in self.helped) if self.signs & HELPS else unit.startswith("A ")
        no_coast = "C" in self.signs or is_army
        yield from (Sure(box.province if no_coast else box.text) for box in self.targets)
        yield from (Inked(self.written[name]) for name in ("to",) if name in self.written)

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
        rows = [TargetInk(signs, targets, helped, {}, builds) for signs, targets, helped, builds in some]
        rows.sort(key=lambda row: -len(row.signs) - len(row.targets) - len(row.helped) - len(row.builds))
        for row in rows:
            if not row.doubts:
                yield " ".join(part.text for part in row.parts(unit) if isinstance(part, Sure))

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


# Of each sign, so many places and so many helped units at most, and at least. A move has none, for its place says it;
# a place that is written says by itself that its unit is carried there, so "via" must be ticked.
FILLINGS: Mapping[str, tuple[tuple[int, int], tuple[int, int]]] = {
    "H": ((0, 0), (0, 0)),
    "D": ((0, 0), (0, 0)),
    "waive": ((0, 0), (0, 0)),
    "-": ((1, 0), (1, 0)),
    "via": ((1, 0), (1, 0)),
    "S": ((1, 1), (0, 1)),
    "C": ((1, 1), (1, 1)),
}
