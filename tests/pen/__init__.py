"""Tests of the pen."""
