"""Tests of this room: desk event."""
