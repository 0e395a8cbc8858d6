"""The template of an order sheet, that a director can edit: its rows and its measures."""

DOOR = (
    "ballot_rows",
    "examples",
    "field_rows",
    "live_code",
    "load_sheet",
    "sheet",
    "sheet_id",
    "target_rows",
    "template_words",
)
