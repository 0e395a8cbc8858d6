"""Under which rules a phase is judged: choices, editions, letters of DATC chapter 4."""

DOOR = ("choices", "rulebook")
