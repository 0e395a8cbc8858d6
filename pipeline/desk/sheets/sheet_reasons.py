"""What is to be told of a sheet, or asked about it."""

from enum import StrEnum


class SheetReason(StrEnum):
    """One kind of thing to be told; `pipeline.words` has a sentence for each."""

    NO_SHEET = "NO_SHEET"
    TWO_SHEETS = "TWO_SHEETS"  # of sheets
    PART_MISSING = "PART_MISSING"  # of part, parts
    UNSIGNED = "UNSIGNED"  # of sheets
    UNSIGNED_BEFORE = "UNSIGNED_BEFORE"  # of by: who accepted all of them
    OUTSIDE = "OUTSIDE"  # of places: where something is written that is in no row
    # pads
    PAD_TWICE = "PAD_TWICE"  # of sheet, before, due: the same paper for another turn
    PAD_UNTICKED = "PAD_UNTICKED"  # of sheet, case, due
    PAD_SEVERAL = "PAD_SEVERAL"  # of sheet, ticked, due
    PAD_OTHER = "PAD_OTHER"  # of sheet, ticked, case, due
    # what came after a decision
    RULING = "RULING"  # of by, decision, sheet, at, why
    LINES = "LINES"  # of by, at: lines that were typed
    CAME_AFTER = "CAME_AFTER"  # of sheets, what
    SCANNED_AGAIN = "SCANNED_AGAIN"  # of sheets, what
    LINES_TAKEN_BACK = "LINES_TAKEN_BACK"  # of by, what
    # what counts, and what does not
    LINES_COUNT = "LINES_COUNT"  # of sheets, by
    LINES_INSTEAD = "LINES_INSTEAD"  # of sheets, lines
    LINES_DO_NOT_COUNT = "LINES_DO_NOT_COUNT"  # of by, at
    # what may be done
    LOOK = "LOOK"
    RULE_AGAIN = "RULE_AGAIN"
    LINES_OR_SHEET = "LINES_OR_SHEET"
    ACCEPTED_OR_REFUSED = "ACCEPTED_OR_REFUSED"
    ONLY_IF_NOT_COUNTED = "ONLY_IF_NOT_COUNTED"
    IF_TICKS_DIFFER = "IF_TICKS_DIFFER"
    BY_RULE = "BY_RULE"  # of decision, rule: what the tournament makes of it
    OFFERED = "OFFERED"  # of ruling: an earlier one


class OutsidePlace(StrEnum):
    """A place outside the rows."""

    ABOVE = "ABOVE"  # of on: the sheet, where there are several
    BELOW = "BELOW"  # likewise
    LEFT = "LEFT"  # of row, on
    RIGHT = "RIGHT"  # of row, on
