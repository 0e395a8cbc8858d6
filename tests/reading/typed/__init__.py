"""Tests of this room: typed orders."""
