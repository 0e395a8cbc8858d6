"""How each game's score is made, as formulas."""
