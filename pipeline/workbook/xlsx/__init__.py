"""Cells, formulas, styles and pages, and the bytes of one XLSX file."""
