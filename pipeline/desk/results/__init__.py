"""What was played and noted, as the scoring wants it, and the standings made of it."""
