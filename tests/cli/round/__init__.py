"""Tests of the room cli/round."""
