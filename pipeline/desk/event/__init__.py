"""An event: its folder, its people, its games as the facts have them."""

DOOR = (
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
    "resting_on",
    "seating",
    "setting_values",
    "settings",
    "turn",
)
