"""What one tournament plays under: typed rules, and the files they are read from."""

DOOR = (
    "conduct",
    "conduct_rules",
    "defaults",
    "end_conditions",
    "event_rules",
    "game_end",
    "judging",
    "lint",
    "load",
    "new_rules",
    "reading_rules",
    "rules_check",
    "rulings_book",
    "scoring",
    "toml",
    "tournament",
    "words",
)
