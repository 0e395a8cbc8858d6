"""What players see: their seats, the boards, the standings and the clock; nothing unpublished."""

DOOR = ("clock", "live", "static_site")
