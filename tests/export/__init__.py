"""Tests of this room: desk print."""
