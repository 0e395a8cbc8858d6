"""Tests of pipeline/cli: results."""
