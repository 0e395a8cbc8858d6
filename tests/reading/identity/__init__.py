"""Tests of this room: which sheet a page is."""
