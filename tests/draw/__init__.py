"""Tests of the draw of boards and powers."""
