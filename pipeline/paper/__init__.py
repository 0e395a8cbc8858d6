"""Paper: templates, where everything is on it, and what is printed."""

DOOR = ("form", "layout", "pdf", "sheet")
