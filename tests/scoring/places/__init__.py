"""Tests of pipeline/scoring: places."""
