"""Copies of the ledger: made, kept in a second place, and restored."""

DOOR = ("copies", "restoring", "second_place")
