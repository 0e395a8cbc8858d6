"""What was played and noted, as the scoring wants it, and the standings made of it."""

DOOR = (
    "explain_standing",
    "gallery",
    "note_kinds",
    "noted",
    "notes",
    "office",
    "results",
    "scored",
    "standings_workbook",
)
