"""What may be doubtful in a line, because of what, and what stands all the same."""

DOOR = ("because", "doubts", "entry", "possible", "sense", "verdict")
