"""What was ever said of an event: facts with their classes, read and written, and which of them count."""
