"""Whole sheets in the hands of real people: printed, written, scanned, read and compared with what was written."""
