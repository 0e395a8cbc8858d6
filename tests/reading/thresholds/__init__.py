"""Tests of this room: what is accepted and what is asked."""
