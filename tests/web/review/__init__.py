"""Tests of the room web/review."""
