"""Tests of this room: desk sheets."""
