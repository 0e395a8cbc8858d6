"""The template of an order sheet, that a director can edit: its rows and its measures."""
