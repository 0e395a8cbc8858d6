"""The sheets that are looked at: standings, rounds, boards, awards, checks."""
