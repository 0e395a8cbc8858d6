"""Tests of the room draw/search."""
