"""From a line to what it says on this sheet: readings, evidence and the decision."""

DOOR = ("decide", "drafts", "evidence", "gaps", "lines", "reading", "sheet", "twice")
