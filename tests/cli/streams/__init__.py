"""Tests of the room cli/streams."""
