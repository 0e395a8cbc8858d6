"""The day: one page a round, and the pages behind its buttons."""

DOOR = ("day", "day_draw", "forms", "journal", "notes", "prints", "room", "systems", "tables", "upload")
