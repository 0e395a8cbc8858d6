"""Tests of the room web/public."""
