"""Orders that were typed, and print for people, read by Tesseract."""

DOOR = ("tesseract_call", "typed")
