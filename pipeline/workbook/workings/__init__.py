"""From each player's games to the place, left to right, as formulas."""

DOOR = ("account_columns", "accounts", "final_workings", "places", "ranking_columns", "steps", "workings_sheet")
