"""Tests of this room: desk intake."""
