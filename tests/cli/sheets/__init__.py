"""Tests of the room cli/sheets."""
