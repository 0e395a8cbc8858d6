"""What waits for people: the queue, in the browser, in the terminal and on a spreadsheet."""
