"""What one tournament plays under: typed rules, and the files they are read from."""
