"""An event: its folder, its people, its games as the facts have them."""

DOOR = (
    "clock",
    "crops",
    "dice",
    "draw_notes",
    "ending",
    "event",
    "expected",
    "games",
    "lots",
    "making",
    "note_values",
    "people",
    "played",
    "players",
    "reader",
    "reader_name",
    "seating",
    "told",
    "turn",
)
