"""Thresholds by which all readers look at every row, and the last one has the say."""

import math

from msgspec.structs import replace

from pipeline.reading.gate import Gates


def last_word(gates: Gates, enough: float) -> Gates:
    """Gates by which nothing passes but what all readers together give such odds, whatever else is against it."""
    last = replace(gates.last, least={}, marked=enough, accepted=enough)
    if gates.three is None:
        return replace(gates, enough=math.inf, both=last)
    never = replace(gates.both, marked=math.inf, accepted=math.inf)
    return replace(gates, enough=math.inf, both=never, three=last)
