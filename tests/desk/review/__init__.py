"""Tests of this room: desk review."""
