"""Sheets: printed, and come in again; for every power its own, and what nobody's sheet is."""

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
    "sheet_states",
    "sheets_in",
    "unfiled_pages",
    "vocabulary",
)
