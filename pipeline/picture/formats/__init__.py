"""A drawing as a file: SVG, PDF and PNG."""

DOOR = ("pdf", "png", "svg")
