"""What the ink says: pages, registration, rows, recognition. Knows no province."""

DOOR = (
    "album",
    "files",
    "handwriting",
    "identity",
    "ink",
    "net",
    "registration",
    "rows",
    "thresholds",
    "transcription",
)
