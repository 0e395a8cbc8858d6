"""What came in on paper, read back from the facts: for every power its sheets, and what nobody's sheet is."""

DOOR = ("late_sheets", "same_paper", "sheets_in", "unfiled_pages")
