"""The sheets that are looked at: standings, rounds, boards, awards, checks."""

DOOR = (
    "awards_sheet",
    "board_games_sheet",
    "boards_sheet",
    "charts_sheet",
    "check_marks",
    "checks_sheet",
    "doubts_sheet",
    "final_sheet",
    "log_sheets",
    "powers_sheet",
    "rounds_sheet",
    "standings_sheet",
    "teams_sheet",
    "votes_sheet",
)
