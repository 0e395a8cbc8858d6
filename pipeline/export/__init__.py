"""What leaves the house: tables, games in others' words, and the folder of a finished event."""

DOOR = ("folder", "games", "made")
