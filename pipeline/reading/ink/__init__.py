"""The ink on a page laid straight, told from what was printed there."""
