"""The template of an order sheet, that a director can edit: its rows and its measures."""

DOOR = ("ballot_rows", "examples", "field_rows", "load_sheet", "sheet", "sheet_id", "target_rows")
