"""What players write for provinces, powers and the parts of an order."""

DOOR = ("abbreviations", "extended", "nearness")
