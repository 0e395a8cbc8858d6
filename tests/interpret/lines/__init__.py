"""Tests of the room interpret/lines."""
