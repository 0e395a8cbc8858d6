"""Tests of the room cli/results."""
