"""One movement phase: its equations, its circles, its reasons."""

DOOR = ("movement",)
