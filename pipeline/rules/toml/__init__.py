"""Tables that people write: read field by field, all faults at once, each with its file, line and path."""

DOOR = ("folders", "line_numbers", "plain_text", "sections", "setting", "table")
