"""Sixty fields made at random: what was offered once is offered again, to the same people for the same reasons."""

import pytest

from draw.players.fields import FIELDS, stored, told_of

STORED = stored()


@pytest.mark.parametrize("number", range(FIELDS))
def test_what_is_offered_for_a_field_is_what_was_offered_before(number: int) -> None:
    """Not what is right, but what is so: whoever changes it writes the file anew, and looks at what has changed."""
    assert told_of(number) == STORED[number]
