"""Scoring: what a game is worth, what a tournament adds up to, and who is ahead; all in exact fractions."""
