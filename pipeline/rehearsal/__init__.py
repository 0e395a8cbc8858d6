"""What only the demo, rehearsals and tests need: events without people."""
