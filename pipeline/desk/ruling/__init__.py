"""What the director rules, and every row of a power's orders as the rules and rulings take it."""

DOOR = ("desk", "precedents", "rows", "ruling_log", "rulings", "said_again", "sheet_state", "spot_checks", "undoing")
