"""What an order may be in each phase: movement, retreats and adjustments."""

DOOR = ("adjustments", "implied", "movement", "retreats")
