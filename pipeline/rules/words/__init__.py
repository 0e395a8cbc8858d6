"""What players write for provinces, powers and the parts of an order."""
