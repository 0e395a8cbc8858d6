"""Tests of this room: desk ruling."""
