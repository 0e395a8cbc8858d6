"""What a player writes once, to show his hand: all letters, and ten places in whose names the confused letters stand.

Which letters are taken for which was measured on whole sheets: v and r, i and l, u and v, a and n, e and t, a and d,
h and n, o and a (docs/recogniser.md). A place is chosen for what it adds: the confused letters first, and letters
beside letters that no other chosen place has.
"""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from pipeline.rules.words.abbreviations import Abbreviations

LETTERS = ("A B C D E F G H I", "J K L M N O P Q R", "S T U V W X Y Z")
PLACES = 10
CONFUSED = ("vr", "il", "uv", "an", "et", "ad", "hn", "oa")
WORTH = {letter: 3.0 for pair in CONFUSED for letter in pair}  # of seeing a letter; of any other 1
OFTEN = 3  # times that a confused letter is worth seeing as much as at first
NEIGHBOURS = 0.5  # worth of two letters side by side that were not side by side yet
LONGEST = 9  # letters: so many fit into the room for one place
ONE_WORD = re.compile(r"[A-Za-z]+")


def places_to_write(table: Abbreviations, count: int = PLACES) -> tuple[str, ...]:
    """Choose the names of places, of one tournament's own table, that show the confused letters best.

    >>> from pipeline.rules.load import load_tournament
    >>> " ".join(places_to_write(load_tournament("weaselmoot").abbreviations, 4))
    'Liverpool Edinburgh Yorkshire Finland'
    """
    names = sorted({row.name for row in table.rows.values() if is_writable(row.name)})
    chosen: list[str] = []
    while names and len(chosen) < count:
        best = max(names, key=lambda name: worth(name, chosen))
        names.remove(best)
        chosen.append(best)
    return tuple(chosen)


def is_writable(name: str) -> bool:
    """Whether a name is one word without accents that fits into its room."""
    return ONE_WORD.fullmatch(name) is not None and len(name) <= LONGEST


def worth(name: str, chosen: Iterable[str]) -> float:
    """What a name shows beside those chosen before: a letter counts less the oftener it was seen."""
    before = [word.lower() for word in chosen]
    seen = Counter("".join(before))
    beside = {pair for word in before for pair in pairwise(word)}
    found = 0.0
    for letter in name.lower():
        often = OFTEN if letter in WORTH else 1
        found += WORTH.get(letter, 1.0) / max(1, 2 + seen[letter] - often) ** 2
        seen[letter] += 1
    return found + NEIGHBOURS * len(set(pairwise(name.lower())) - beside)
