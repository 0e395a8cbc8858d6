"""The scoring tables of a rules file, and results that somebody wrote, read into typed values."""

DOOR = ("blocks", "event_results", "fit", "noted_results", "scoring", "system_table", "systems", "tie_table")
