"""What was ever said of an event: facts with their classes, read and written, and which of them count."""

DOOR = (
    "claims",
    "codec",
    "copies",
    "disk",
    "events",
    "facts",
    "ledger",
    "lock",
    "parts",
    "remembered",
    "restoring",
    "scans",
    "second_place",
    "this_machine",
    "undone",
)
