"""The board: provinces and their borders, powers, units, positions."""
