"""The language of orders: letters, words, names of places, and the grammar of a line."""

DOOR = ("grammar", "lexicon", "signs", "spellings", "tokens", "written")
