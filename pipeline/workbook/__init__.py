"""The Excel workbook: written with live formulas, read back as input."""
