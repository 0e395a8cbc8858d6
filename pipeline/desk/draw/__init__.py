"""A round drawn for an event: from facts, roster and standings to seats."""

DOOR = ("drawing", "drawn", "open_draw", "roll_call", "roster_file")
