"""Sheets: printing them, filing scanned pages under their turn, and pages that belong to none."""
