"""What waits for people: the queue, at the desk, on the screen and on a spreadsheet."""

DOOR = (
    "agenda",
    "cards",
    "effect",
    "form_status",
    "live",
    "meaning",
    "orders_shown",
    "queue",
    "review_by_sheet",
    "review_from_sheet",
    "shorthand",
    "status",
    "unit_of_row",
)
