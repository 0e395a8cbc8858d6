"""Tests of pipeline/draw: search."""
