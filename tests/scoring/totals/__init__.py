"""Tests of the room scoring/totals."""
