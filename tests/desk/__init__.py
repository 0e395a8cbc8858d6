"""Tests of the director's desk."""
