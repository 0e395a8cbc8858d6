"""What this tournament's rules make of the ink. Pure: no files, no pixels."""

DOOR = ("because", "doubts", "drafts", "entry", "interpret", "lines", "sense", "sheet", "spellings", "written")
