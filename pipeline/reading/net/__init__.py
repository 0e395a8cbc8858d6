"""The handwriting net: a row of ink in, letters with their likelihoods out. Words are words here, not provinces."""

DOOR = (
    "alphabet",
    "best_path",
    "capitals",
    "free",
    "further",
    "gaps",
    "hand",
    "lattice",
    "line_tree",
    "network",
    "normalise",
    "slips",
    "sweep",
    "written_boxes",
)
