"""Why a row waits, or stands as it does, where that is no matter of what its line means."""

from enum import StrEnum


class RowReason(StrEnum):
    """One kind of reason; `pipeline.words` has a sentence for each."""

    NOT_SURE = "NOT_SURE"  # what is written
    IF_WRITTEN = "IF_WRITTEN"  # of text: a reading that the reader was not sure of
    ASKED_BEFORE = "ASKED_BEFORE"  # when another order on the row was settled
    RULED = "RULED"  # of by, why
    RULINGS_DIFFER = "RULINGS_DIFFER"  # of orders: two rulings give one unit different ones
    RULED_OTHERWISE = "RULED_OTHERWISE"  # of orders: a ruling gives the unit of this row another one
