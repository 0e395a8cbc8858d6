"""Rows parted into boxes: what a sheet has in its rows beside the lines, worked out when it is asked for.

Every sheet of targets has boxes of its own, 200 and more, and an event prints thousands of sheets: only those that were
used last are kept.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pipeline.board.position import Step
from pipeline.paper.layout.ballot_layout import ballot_blocks
from pipeline.paper.layout.cell_layout import LaidRow, Parted, head_box, unit_boxes
from pipeline.paper.layout.row_layout import cells
from pipeline.paper.sheet.sheet import SheetTemplate
from pipeline.paper.sheet.target_rows import Targets

MOST_KEPT = 64  # sheets


@dataclass(frozen=True, slots=True)
class Parting:
    """What the boxes of a sheet's rows follow from."""

    template: SheetTemplate
    step: Step
    rows: tuple[LaidRow, ...]
    units: tuple[str, ...]  # printed in the rows with their numbers; of the whole power
    targets: Targets

    def __hash__(self) -> int:
        return hash((self.step, self.rows[0].number, len(self.rows), self.units))

    @property
    def parted(self) -> Parted:
        """The boxes, and the print around them."""
        return parted(self)

    @property
    def blocks(self) -> Iterator[tuple[LaidRow, str]]:
        """The rows that have a unit printed, and the unit."""
        return ((row, self.units[row.number - 1]) for row in self.rows if row.number <= len(self.units))


@lru_cache(maxsize=MOST_KEPT)
def parted(parting: Parting) -> Parted:
    """Part the rows of a sheet into boxes; a unit that is printed needs none."""
    template, ballot = parting.template, parting.template.ballot
    if parting.targets and ballot is not None:
        return ballot_blocks(template.name, ballot, parting.step, parting.rows, parting.units, parting.targets)
    found = tuple(cells(template, parting.step, parting.rows, parting.units, parting.targets))
    words = tuple(word for row, unit in parting.blocks for word in unit_boxes(row.lines[0], unit, template.rows))
    printed = [head_box(parting.rows[0].box, template), *(word.box for word in words)]
    printed += [cell.label for cell in found if cell.label is not None]
    return Parted(found, tuple(printed), words)
