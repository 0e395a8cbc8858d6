"""The event log: facts with their classes, reading and appending them, and which are undone."""
