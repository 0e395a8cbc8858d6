"""The draw of a round: who plays, who sits where, as which power; and the roster."""

DOOR = ("against", "called", "even", "field", "offer_words", "offers", "roster", "round", "task", "wishes")
