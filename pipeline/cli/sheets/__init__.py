"""Commands for paper: what is printed, what comes in, and what a director rules on it."""

DOOR = ()
