"""What written lines mean, tested."""
