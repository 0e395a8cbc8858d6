"""Tests of this room: desk results."""
