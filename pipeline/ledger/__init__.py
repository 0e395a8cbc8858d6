"""What was ever said of an event: facts with their classes, read and written, and which of them count."""

DOOR = ("claims", "codec", "disk", "events", "facts", "ledger", "lock", "parts", "scans", "this_machine", "undone")
