"""What one tournament plays under: typed rules, abbreviations, sheets, roster, draw."""
