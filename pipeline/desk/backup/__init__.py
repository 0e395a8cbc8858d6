"""Copies of an event, and events that go on from a copy."""

DOOR = ("backups", "taking_over")
