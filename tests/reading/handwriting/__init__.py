"""Tests of this room: the engine that reads handwriting."""
