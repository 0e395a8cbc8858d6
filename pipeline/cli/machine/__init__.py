"""Commands for the machine and its readers: is all here, is it read right, and events without people."""

DOOR = ()
