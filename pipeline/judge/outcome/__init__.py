"""What became of an order: one reason, with the orders that decided it."""

DOOR = ("movement_reasons", "outcome", "verdicts")
