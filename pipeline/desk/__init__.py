"""What the director does: ingest, review, play, publish, explain, check, rehearse."""

DOOR = (
    "backup",
    "draw",
    "event",
    "export",
    "forms",
    "hands",
    "intake",
    "journal",
    "machine",
    "print",
    "publish",
    "results",
    "review",
    "ruling",
    "sheets",
)
