"""The judge: orders and a position in, outcomes with their reasons and the next position out."""

DOOR = (
    "adjudicate",
    "counting",
    "field",
    "ground",
    "legality",
    "outcome",
    "refusal",
    "removal",
    "retreats",
    "rulebook",
)
