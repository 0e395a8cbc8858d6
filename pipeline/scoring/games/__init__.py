"""What a game is worth: counts, the parts that pay for them, and the systems made of parts."""

DOOR = (
    "combined_parts",
    "counts",
    "draws",
    "parts",
    "parts_by_count",
    "parts_of_top",
    "pay_by_count",
    "system",
    "tribute",
    "year_counts",
)
