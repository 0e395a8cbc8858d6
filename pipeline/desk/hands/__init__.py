"""Hands: what is known of a player's writing, and thresholds fitted on rows that a director confirmed."""
