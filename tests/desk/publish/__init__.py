"""Tests of this room: desk publish."""
