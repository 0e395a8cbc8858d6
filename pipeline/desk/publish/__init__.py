"""A phase published, read out, corrected, explained, checked."""
