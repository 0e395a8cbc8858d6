"""Tests of pipeline/cli: round."""
