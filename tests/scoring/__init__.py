"""What the scoring floor promises."""
