"""Files that are whole or not there: locks, checksums, scans by their hash, what is remembered."""

DOOR = ("checksums", "claims", "disk", "lock", "remembered", "scans", "this_machine", "to_read")
