"""Commands for other programs: one JSON object a line in, one out."""

DOOR = ()
