"""The ink on a page laid straight, told from what was printed there."""

DOOR = (
    "background",
    "band",
    "boxed_band",
    "boxes",
    "hidden",
    "line_notes",
    "outside",
    "pieces",
    "strokes",
    "tails",
    "tick_marks",
    "ticks",
)
