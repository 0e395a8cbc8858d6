"""Tests of pipeline/scoring: games."""
