"""Tests of the room scoring/games."""
