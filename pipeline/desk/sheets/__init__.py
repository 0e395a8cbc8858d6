"""Sheets: printed, and come in again; for every power its own, and what nobody's sheet is."""
