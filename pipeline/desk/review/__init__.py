"""What waits for people: the queue, in the browser and on a spreadsheet."""
