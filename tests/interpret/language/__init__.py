"""Tests of the room interpret/language."""
