"""What games add up to: the rules of a tournament, the games that count, tie-breaks and ranks."""

DOOR = ("comparing", "counting", "extras", "progress", "ranking", "rules", "tally", "tiebreaks")
