"""An event: its folder, its people, its games as the facts have them."""

DOOR = (
    "clock",
    "dice",
    "draw_notes",
    "ending",
    "event",
    "games",
    "lots",
    "making",
    "note_values",
    "people",
    "played",
    "seating",
    "told",
    "turn",
)
