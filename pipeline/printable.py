"""What can be printed on a line, and read by eye: everything that people type and the program keeps is.

A control character ends the line of a list, a workbook or a TOML file in the middle; a sign that turns the direction of
what follows spoils the print of everything behind it; one that nobody sees makes two names of one.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

UNSEEN = "\u200c\u200d\u200e\u200f\u061c"  # that Persian, Indian, Hebrew and Arabic names are written with
LETTER_WITHOUT_CASE = "Lo"  # Unicode's category of the letters of those scripts
BLANKS = " \t\r\n"  # around a cell or a line they are no part of it
LINES = "\t\r\n"  # in a text of several lines they are what parts them
NO_CHARACTER = re.compile("[\ufdd0-\ufdef\ufffe\uffff]")  # never will be one (Unicode 23.7); no workbook can hold it
WHOLE = re.compile("[0-9]{1,9}")
REFUSED = {  # by Unicode's category
    "Cc": "a control character",
    "Cf": "a sign that is not seen",
    "Cs": "half a character",
    "Zl": "a line separator",
    "Zp": "a paragraph separator",
}


def unprintable(text: str, besides: str = "") -> str:
    r"""Say what in a text cannot be printed on a line, and how to mend it; nothing where all can be.

    >>> unprintable("Ana\u2028Silva"), unprintable("Zoë Łuk")
    ('a line separator (U+2028) at letter 4; type it anew', '')
    """
    if text.isascii() and text.isprintable():
        return ""
    if any(unicodedata.category(sign) == LETTER_WITHOUT_CASE for sign in text):
        besides += UNSEEN
    for place, sign in enumerate(text, start=1):
        word = "no character" if NO_CHARACTER.match(sign) else REFUSED.get(unicodedata.category(sign))
        if word and sign not in besides:
            return f"{word} (U+{ord(sign):04X}) at letter {place}; type it anew"
    return ""


def unprintable_in(value: Any, where: str = "") -> Iterator[tuple[str, str]]:
    """Find every text inside a value of JSON that cannot be printed; what parts the lines of a text may stand in it."""
    match value:
        case str():
            if fault := unprintable(value, LINES):
                yield where, fault
        case Mapping():
            for key, inside in value.items():
                yield from unprintable_in(str(key), where)
                yield from unprintable_in(inside, str(key))
        case list() | tuple():
            for inside in value:
                yield from unprintable_in(inside, where)


def is_whole(text: str) -> bool:
    """Whether a text is a whole number of a size that anybody counts to; Python takes other scripts' digits for one.

    >>> is_whole("12"), is_whole("²"), is_whole("9" * 5000)
    (True, False, False)
    """
    return WHOLE.fullmatch(text) is not None
