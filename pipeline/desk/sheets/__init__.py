"""What came in on paper, read back from the facts: for every power its sheets, and what nobody's sheet is."""
