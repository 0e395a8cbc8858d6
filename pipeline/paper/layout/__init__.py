"""Where everything is on a sheet, in millimetres: what prints a box also cuts it out again."""

DOOR = ("answers", "ballot_layout", "cell_layout", "deck_layout", "paper_layout", "row_layout", "sheet_layout")
