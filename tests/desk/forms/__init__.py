"""Tests of this room: desk forms."""
