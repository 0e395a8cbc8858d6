"""Tests of pipeline/web: day."""
