"""Tables that people write: read field by field, all faults at once, each with its file, line and path."""
