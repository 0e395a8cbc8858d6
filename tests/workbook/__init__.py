"""The workbook, cell by cell, recalculated by a real spreadsheet program."""
