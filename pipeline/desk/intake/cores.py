"""How many processes may read at once."""

import os

MOST_HELPERS = 3  # each holds the net and a page or two: 200 MB


def cores() -> int:
    """How many processes can run at once here."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
