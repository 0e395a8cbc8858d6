"""Tests of pipeline/cli: machine."""
