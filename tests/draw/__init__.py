"""Tests of the draw."""
