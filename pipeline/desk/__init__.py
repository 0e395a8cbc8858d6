"""What the director does, room by room: from an event and its paper to what is read out."""

DOOR = (
    "backup",
    "draw",
    "event",
    "forms",
    "hands",
    "intake",
    "machine",
    "publish",
    "results",
    "review",
    "ruling",
    "sheets",
)
