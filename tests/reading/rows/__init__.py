"""Tests of this room: rows and fields as lines."""
