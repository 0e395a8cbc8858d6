"""Tests of pipeline/scoring: totals."""
