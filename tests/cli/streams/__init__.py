"""Tests of pipeline/cli: streams."""
