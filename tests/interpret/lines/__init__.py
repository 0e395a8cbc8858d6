"""Tests of pipeline/interpret: lines."""
