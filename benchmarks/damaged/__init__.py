"""Damaged scans, with the truth beside them: what registration and reading are measured against."""
