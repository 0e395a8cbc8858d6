"""Where a power's sheet is, in a word."""

from enum import StrEnum


class SheetState(StrEnum):
    """Where a power's sheet is."""

    IN = "in"
    MISSING = "missing"
    TWO = "two sheets"
    TYPED = "typed"
    NO_ORDERS = "no orders"  # a person said that nothing will come
    LATE = "late"
    REFUSED = "refused"
