"""Copies of the ledger: made, kept in a second place, and restored."""

DOOR = ("apart", "copies", "restoring", "second_place")
