"""Tests of pipeline/interpret: language."""
