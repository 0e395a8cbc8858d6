"""Whether machine, printer and scanner serve."""
