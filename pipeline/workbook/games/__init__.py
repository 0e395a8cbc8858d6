"""How each game's score is made, as formulas."""

DOOR = ("game_formula", "game_marks", "games_sheet")
