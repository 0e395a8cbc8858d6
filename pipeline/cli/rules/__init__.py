"""The command `rules`, word by word."""

DOOR = ()
