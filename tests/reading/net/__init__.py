"""Tests of this room: reading net."""
