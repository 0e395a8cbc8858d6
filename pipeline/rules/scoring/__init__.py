"""The scoring tables of a rules file, and results that somebody wrote, read into typed values."""
