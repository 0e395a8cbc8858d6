"""Paper: templates, where everything is on it, and what is printed."""
