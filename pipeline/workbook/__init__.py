"""The Excel workbook: written with live formulas, read back as input."""

DOOR = ("books", "fronts", "inputs", "review", "xlsx")
