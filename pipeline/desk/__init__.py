"""What the director does: ingest, review, play, publish, explain, check, rehearse."""

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
