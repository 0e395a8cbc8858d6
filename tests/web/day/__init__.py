"""Tests of the room web/day."""
