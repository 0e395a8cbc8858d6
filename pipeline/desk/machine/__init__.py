"""Whether machine, printer and scanner serve."""

DOOR = ("doctor", "testdeck")
