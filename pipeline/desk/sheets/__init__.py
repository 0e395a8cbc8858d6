"""What came in on paper, read back from the facts: for every power its sheets, and what nobody's sheet is."""

DOOR = (
    "crops",
    "expected",
    "late_sheets",
    "old_seats",
    "pads",
    "printed",
    "printed_units",
    "printing",
    "same_paper",
    "sheet_reasons",
    "sheets_in",
    "unfiled_pages",
    "vocabulary",
)
