"""Commands for a round: who is here, who sits where, what a phase brought, and how a game ended."""

DOOR = ()
