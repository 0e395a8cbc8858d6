"""The sheets that people fill in: rules, players, results, bonuses and penalties."""
