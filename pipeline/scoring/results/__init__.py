"""What is scored: results of games, exact numbers, and doubts about them."""

DOOR = ("doubt_words", "doubts", "exact", "results")
