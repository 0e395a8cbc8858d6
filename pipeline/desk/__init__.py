"""What the director does: each task in a package or a module of its own."""
