"""Digits in boxes, one a box: what a small net of their own makes of them, and how sure it is."""

DOOR = ("numbers",)
