"""The board: provinces and their borders, powers, units, positions."""

DOOR = ("map", "position", "standard")
