"""The Review sheet: written with what waits for the director, and read back."""
