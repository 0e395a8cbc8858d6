"""What waits for people: the queue, at the desk, on the screen and on a spreadsheet."""
