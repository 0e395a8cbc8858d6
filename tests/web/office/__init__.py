"""Tests of pipeline/web: office."""
