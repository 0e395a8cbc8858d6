"""The draw of a round: who plays, who sits where, as which power; and the roster."""
