"""Tests of pipeline/web: server."""
