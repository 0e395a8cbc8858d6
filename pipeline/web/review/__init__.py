"""The review: rows with their pictures, keys and what they do."""

DOOR = ("board_view", "pictures", "review", "view_parts")
