"""Tests of the room cli/machine."""
