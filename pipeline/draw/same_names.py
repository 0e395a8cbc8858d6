"""Whether two names are the same person's: however each is written, or a part of the other."""

import re

from pipeline.draw.listed_names import turn_name
from pipeline.words.names import fold_name

LEAST_PART = 3  # letters of a word that may be short for another
WRITTEN_OUT = re.compile("(?<=[aou])e|(?<=a)a")  # Bjoern for Björn, Aaker for Åker


def name_key(name: str) -> str:
    """A key that is equal for a name however it is written: as 'Lund, Ada' or 'Ada Lund', with accents or without.

    >>> name_key("Lund, Ada"), name_key("Bj\u00f6rn  Ek"), name_key("Bjo\u0308rn Ek")
    ('ada lund', 'bjorn ek', 'bjorn ek')
    """
    return fold_name(turn_name(" ".join(name.split()))[0]) or name.casefold()


def may_be_same(name: str, other: str) -> bool:
    """Whether two names may be one person's: each word of the shorter one is in the other, or is short for one there.

    >>> [may_be_same("Ada Lund", other) for other in ("ada", "Lund", "A. Lund", "Lund Ada Marie", "Adam Lund")]
    [True, True, True, True, True]
    >>> may_be_same("Bj\u00f6rn \u00c5ker", "Bjoern Aaker")
    True
    >>> [may_be_same("Ada Lund", other) for other in ("Ada Ek", "Bo Lund", "Ad", "")]
    [False, False, False, False]
    """
    few, many = sorted((WRITTEN_OUT.sub("", name_key(each)).split() for each in (name, other)), key=len)
    for word in few:
        same = next((each for each in many if _is_short_for(*sorted((word, each), key=len))), None)
        if same is None:
            return False
        many.remove(same)
    return bool(few)


def _is_short_for(short: str, word: str) -> bool:
    return word == short or (len(short) in (1, *range(LEAST_PART, len(word))) and word.startswith(short))
