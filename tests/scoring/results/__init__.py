"""Tests of pipeline/scoring: results."""
