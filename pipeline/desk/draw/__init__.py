"""A round drawn for an event: from facts, roster and standings to seats."""

DOOR = ("drawing", "drawn", "roster_file")
