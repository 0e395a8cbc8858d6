"""The journal: every fact a line, what followed from it, what rests on it, and taking it back."""
