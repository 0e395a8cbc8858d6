"""Tests of this room: ink, told from print."""
