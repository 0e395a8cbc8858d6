"""Pictures of how a page was read, one a stage, labelled for somebody who sees the program for the first time."""

DOOR = ("album",)
