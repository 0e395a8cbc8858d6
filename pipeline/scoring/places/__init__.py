"""Who is ahead: standings, finals, teams, awards and what is at stake."""

DOOR = (
    "awards",
    "board_games",
    "powers",
    "qualifying",
    "readings",
    "score",
    "stakes",
    "standings",
    "teams",
    "votes",
    "words",
)
