"""The journal: every fact as a line, with what followed from it, and taking it back while nothing rests on it."""

DOOR = ("acts", "codes", "lines")
