"""The journal: every fact as a line, its consequences, what depends on it, and undo."""
