"""Tests of the net that reads handwriting."""
