"""Which row of a power's sheets each line of a script is written in: a unit's own where it is printed, or the next."""

from collections.abc import Mapping, Sequence

from pipeline.desk.sheets.printed_units import in_words
from pipeline.orders.notation import read_unit
from pipeline.paper.layout.sheet_layout import Form
from pipeline.pen.boxes import VIA, boxes_of, in_targets
from pipeline.rules.words.abbreviations import Abbreviations

BUILD, WAIVE = "B", "WAIVE"


def rows_for(lines: Sequence[str], forms: Sequence[Form], words: Abbreviations) -> Mapping[int, int]:
    """Say by the printed number of a row which line is written there, 1..; ``forms`` are the parts of one sheet.

    On free lines they are written one below the other.
    """
    free = [field.row or 0 for form in forms for field in form.rows if not form.has_targets(field.row or 0)]
    taken: dict[int, int] = {}
    for number, line in enumerate(lines, start=1):
        row = next((row for row in printed_rows(line, forms, words) if row not in taken), None)
        if row is None and free:
            row = free.pop(0)
        if row is not None:
            taken[row] = number
    return taken


def printed_rows(line: str, forms: Sequence[Form], words: Abbreviations) -> list[int]:
    """The rows that are printed for what a line is about."""
    unit = " ".join(line.split()[:2])
    found = []
    for form in forms:
        for row in (field.row or 0 for field in form.rows if form.has_targets(field.row or 0)):
            if line.endswith(f" {BUILD}"):
                is_mine = any(cell.name == unit for cell in form.cells_of(row))
            elif line == WAIVE:
                is_mine = not form.unit_of(row)
            else:
                is_mine = form.unit_of(row) == named(unit, words)
            found += [row] if is_mine else []
    return found


def named(unit: str, words: Abbreviations) -> str:
    """A unit as it is printed; what is no unit stays as it is."""
    try:
        return in_words(read_unit(unit), words)
    except ValueError:
        return unit


def by_sea(lines: Sequence[str], forms: Sequence[Form], taken: Mapping[int, int]) -> frozenset[int]:
    """Say which lines are ticked as convoyed moves: a place that has no box in a unit's row is reached by sea alone.

    ``taken`` is what `rows_for` found. Such a line need not say so itself, and its row does.
    """
    found = set()
    for form in forms:
        for row in (field.row or 0 for field in form.rows if form.has_targets(field.row or 0)):
            named = {cell.name for cell in form.cells_of(row)}
            if row in taken and VIA in in_targets(boxes_of(lines[taken[row] - 1]), named):
                found.add(taken[row])
    return frozenset(found)
