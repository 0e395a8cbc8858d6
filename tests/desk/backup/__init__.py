"""Tests of this room: desk backup."""
