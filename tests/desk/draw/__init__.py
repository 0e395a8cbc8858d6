"""Tests of this room: desk draw."""
