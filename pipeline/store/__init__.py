"""Facts, appended and never rewritten; scans by their hash."""
