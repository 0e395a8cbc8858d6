"""The Review sheet: written with what waits for the director, and read back."""

DOOR = ("review_read", "review_sheet")
