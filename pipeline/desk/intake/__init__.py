"""Scans taken in: kept first, then read page by page; each page ends in exactly one tray."""
