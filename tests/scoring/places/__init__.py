"""Tests of the room scoring/places."""
