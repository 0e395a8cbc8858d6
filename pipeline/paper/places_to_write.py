"""What a player writes once, to show their hand: all letters, and ten places in whose names confused letters stand.

The readers took these letters for one another most often on simulated sheets of 2026-11: v and r, i and l, u and v,
a and n, e and t, a and d, h and n, o and a. A place is chosen for what it adds: the confused letters first, and letters
beside letters that no other chosen place has.
"""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from pipeline.rules.abbreviations import Abbreviations

LETTERS = ("A B C D E F G H I", "J K L M N O P Q R", "S T U V W X Y Z")
PLACES = 10
CONFUSED = ("vr", "il", "uv", "an", "et", "ad", "hn", "oa")
# value of showing a confused letter, against 1 of any other: chosen so that the ten places show each at least twice
WORTH = {letter: 3.0 for pair in CONFUSED for letter in pair}
OFTEN = 3  # how often a confused letter has its full value
NEIGHBOURS = 0.5  # value of a new pair of neighbouring letters
LONGEST = 9  # letters: so many fit into the room for one place
ONE_WORD = re.compile(r"[A-Za-z]+")


def places_to_write(table: Abbreviations) -> tuple[str, ...]:
    """Choose the names of places, of one tournament's own table, that show the confused letters best.

    >>> from pipeline.rules.load import load_tournament
    >>> " ".join(places_to_write(load_tournament("weaselmoot").abbreviations)[:4])
    'Liverpool Edinburgh Yorkshire Finland'
    """
    # one word without accents that fits into its room
    names = sorted(
        {row.name for row in table.rows.values() if ONE_WORD.fullmatch(row.name) and len(row.name) <= LONGEST}
    )
    chosen: list[str] = []
    while names and len(chosen) < PLACES:
        best = max(names, key=lambda name: _worth(name, chosen))
        names.remove(best)
        chosen.append(best)
    return tuple(chosen)


def _worth(name: str, chosen: Iterable[str]) -> float:
    """The value of a name beside those chosen before: a letter counts less the oftener it was shown."""
    before = [word.lower() for word in chosen]
    seen = Counter("".join(before))
    beside = {pair for word in before for pair in pairwise(word)}
    worth = 0.0
    for letter in name.lower():
        often = OFTEN if letter in WORTH else 1
        worth += WORTH.get(letter, 1.0) / max(1, 2 + seen[letter] - often) ** 2
        seen[letter] += 1
    return worth + NEIGHBOURS * len(set(pairwise(name.lower())) - beside)
