"""The judge: orders and a position in, outcomes with their reasons and the next position out."""
