"""Orders and their one exact notation."""
