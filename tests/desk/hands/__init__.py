"""Tests of this room: desk hands."""
