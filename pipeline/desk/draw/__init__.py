"""A round drawn for an event: from facts, roster and standings to seats."""

DOOR = ("drawing", "drawn", "open_draw", "players", "roll_call", "roster_file", "seat_lists", "told", "void_sheets")
