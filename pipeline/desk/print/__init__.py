"""What is printed for an event, and remembered: sheets, forms, pads."""

DOOR = (
    "blanks",
    "form_printing",
    "old_seats",
    "pads",
    "printed",
    "printed_forms",
    "printed_units",
    "printing",
    "seat_lists",
    "sheet_reasons",
    "vocabulary",
)
