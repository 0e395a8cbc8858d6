"""How names are compared and sorted, wherever they stand: on pages, on paper, in the workbook and in files."""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

UNMARKED = str.maketrans(
    {"ł": "l", "đ": "d", "ð": "d", "ø": "o", "ħ": "h", "ŋ": "n", "ə": "e", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)
APOSTROPHES_AND_POINTS = dict.fromkeys(map(ord, "'`.\u00b4\u2018\u2019\u201b\u2032\u02b9\u02bb\u02bc\u02bd\uff07"))


def fold_name(text: str) -> str:
    """A name as people type it in a search: without accents, apostrophes, points and capitals.

    >>> fold_name("Eoin O\u2019Neill"), fold_name("\u0141ukasz  Zo\u0142a-Berg"), fold_name("J. Gro\u00df")
    ('eoin oneill', 'lukasz zola berg', 'j gross')
    """
    plain = unicodedata.normalize("NFKD", text.casefold().translate(APOSTROPHES_AND_POINTS)).translate(UNMARKED)
    plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return " ".join("".join(sign if sign.isalnum() else " " for sign in plain).split())


def one_spelling(names: Iterable[str]) -> dict[str, str]:
    """For each name, the first of all that are the same but for capitals, accents, points and blanks.

    >>> one_spelling(["Red Hats", "red hats", "Owls", "OWLS"])
    {'Red Hats': 'Red Hats', 'red hats': 'Red Hats', 'Owls': 'Owls', 'OWLS': 'Owls'}
    """
    first: dict[str, str] = {}
    return {name: first.setdefault(fold_name(name) or name, name) for name in names}


@lru_cache(maxsize=2048)  # a ranking sorts the same names again and again
def name_order(name: str) -> tuple[str, str]:
    """What a list of names is sorted by, so that each stands where people look for it.

    >>> sorted(("Zoe", "\u0141ukasz", "Ola", "\u00c4nne", "Adam", "lina"), key=name_order)
    ['Adam', 'Änne', 'lina', 'Łukasz', 'Ola', 'Zoe']
    """
    return fold_name(name), name
