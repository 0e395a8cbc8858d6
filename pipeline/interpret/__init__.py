"""What this tournament's rules make of the ink. Pure: no files, no pixels."""
