"""Tests of this room: files as they come."""
