"""A sentence that remembers how it was made: English as it stands, and ready to be said in another language.

What a game says of itself is made far below, by the judge and by the board, and shown far above, to people of some
language. In between it is a plain text.
"""

from collections.abc import Mapping


class Worded(str):
    """An English text with the pattern and the data it was made of.

    Texts among the data are powers, units, places, orders and rules, and others of this kind; names of people, never.
    """

    pattern: str
    data: Mapping[str, object]


def wording(pattern: str, /, **data: object) -> Worded:
    """Make a text of a pattern; several values stand in a row.

    >>> text = wording("disbands: meets {others}", others=("A VEN R TYR", "A MUN R TYR"))
    >>> text, text.pattern
    ('disbands: meets A VEN R TYR, A MUN R TYR', 'disbands: meets {others}')
    """
    made = Worded(pattern.format(**{name: in_a_row(value) for name, value in data.items()}))
    made.pattern, made.data = pattern, data
    return made


def in_a_row(value: object) -> object:
    """Several values as one text; what is one stays as it is."""
    return ", ".join(map(str, value)) if isinstance(value, tuple) else value
