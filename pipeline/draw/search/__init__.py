"""Who sits where: the task, what a seating costs, and the search for the best."""

DOOR = ("round", "task", "wishes")
