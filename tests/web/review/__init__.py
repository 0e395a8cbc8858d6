"""Tests of pipeline/web: review."""
