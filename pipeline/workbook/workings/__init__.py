"""From each player's games to the place, left to right, as formulas."""
