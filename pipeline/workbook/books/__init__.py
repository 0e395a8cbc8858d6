"""The files that leave: the event's workbook, the sealed one, and what is pinned up."""

DOOR = ("write",)
