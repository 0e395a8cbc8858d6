"""Tests of pipeline/web: public."""
