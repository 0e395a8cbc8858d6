"""Tests of this room: desk machine."""
