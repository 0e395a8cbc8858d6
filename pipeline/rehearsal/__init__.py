"""Simulated events, for the demo, rehearsals and tests."""
