"""Orders and their one exact notation."""

DOOR = ("notation", "order", "positions")
