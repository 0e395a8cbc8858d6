"""Which sheet a page is: its codes, its markers, its print. Never a guess."""

DOOR = ("blank", "glance", "identify", "printed", "several", "unmarked")
