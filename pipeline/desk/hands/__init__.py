"""Hands: what is known of a player's writing, and thresholds fitted on rows that a director confirmed."""

DOOR = ("calibrating", "kept_hands", "reader", "reader_name", "writer_adaptation", "writing_samples")
