"""Tests of the room draw/players."""
