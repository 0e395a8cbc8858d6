"""What the ink says: pages, registration, rows, recognition. Knows no province."""
