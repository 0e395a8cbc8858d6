"""Tests of this room: pages laid straight."""
