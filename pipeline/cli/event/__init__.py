"""Commands for the event as a whole: making it, its people, its state, its journal and its copies."""

DOOR = ()
