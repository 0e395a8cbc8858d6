"""Tests of the room web/server."""
