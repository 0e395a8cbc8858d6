"""Facts, appended and never rewritten; scans by their hash; files that are whole or not there."""
