"""Tests of pipeline/draw: players."""
