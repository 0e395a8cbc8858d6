"""Rows and fields as lines: what is ticked, what is written, and what is to be read by an engine."""

DOOR = ("form_fields", "recogniser", "rows")
