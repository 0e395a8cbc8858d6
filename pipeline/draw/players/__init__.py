"""Who plays: the roster, who was called, and what the rules offer where the number does not fit."""

DOOR = ("against", "called", "even", "field", "offer_words", "offers", "roster")
