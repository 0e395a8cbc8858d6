"""Tests of the room scoring/results."""
