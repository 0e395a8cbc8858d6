"""Cells, formulas, styles and pages, and the bytes of one XLSX file."""

DOOR = ("address", "cell", "formula", "grid", "lists", "package", "page", "styles", "text")
