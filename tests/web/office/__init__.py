"""Tests of the room web/office."""
