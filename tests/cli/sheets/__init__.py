"""Tests of pipeline/cli: sheets."""
