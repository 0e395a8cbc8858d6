"""Interpretation: the meaning of written lines under the tournament's rules. Pure: no files, no pixels."""
