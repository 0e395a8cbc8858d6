"""How near a written word is to the words of a table: the scale on which a misspelling leads, or does not."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from rapidfuzz.distance import OSA, JaroWinkler
from rapidfuzz.process import extract

from pipeline.rules.words.abbreviations import fold


@dataclass(frozen=True, slots=True)
class Near:
    """One province that a word may have been meant for."""

    code: str
    word: str  # the accepted word that is nearest, folded
    nearness: float  # 0..1, Jaro-Winkler: the beginning of a word weighs more than its end


def nearest(listed: Mapping[str, tuple[str, ...]], word: str, at_least: float = 0.0) -> tuple[Near, ...]:
    """List the provinces that a word is near to, the nearest first, each with its nearest word.

    A word that is listed for several provinces counts for each of them, so that they tie.
    """
    best: dict[str, Near] = {}
    for known, nearness, _ in extract(
        fold(word), tuple(listed), scorer=JaroWinkler.similarity, score_cutoff=at_least, limit=None
    ):
        for code in listed[known]:
            best.setdefault(code, Near(code, known, nearness))
    return tuple(sorted(best.values(), key=lambda near: (-near.nearness, near.code)))


def slips(listed: Mapping[str, tuple[str, ...]], word: str) -> tuple[Near, ...]:
    """List the provinces with a word that is one slip of the pen away, the likest first, each with its likest word.

    A slip leaves out, puts in or changes one letter, or swaps two neighbours; a word of two letters is known by none.

    >>> [(near.code, near.word) for near in slips({"alb": ("ALB",), "bal": ("BAL",), "apu": ("APU",)}, "abl")]
    [('ALB', 'alb'), ('BAL', 'bal')]
    """
    best: dict[str, Near] = {}
    away = extract(fold(word), tuple(listed), scorer=OSA.distance, score_cutoff=1, limit=None)
    likest = sorted((-JaroWinkler.similarity(fold(word), known), known) for known, _, _ in away if len(known) > 2)
    for likeness, known in likest:
        for code in listed[known]:
            best.setdefault(code, Near(code, known, -likeness))
    return tuple(best.values())


def is_nearer(names: Collection[str], word: str, than: str) -> bool:
    """Say whether a word is nearer to one of the names than to another word, or as near and begins no better.

    >>> names = ["russia", "poland"]
    >>> [is_nearer(names, *each) for each in (("rusia", "prussia"), ("polland", "holland"), ("holand", "holland"))]
    [True, True, False]
    """
    away = OSA.distance(word, than)
    found = extract(word, names, scorer=OSA.distance, score_cutoff=away, limit=None)
    begins = word[:1] == than[:1]
    return any(letters < away or not begins or name[:1] == word[:1] for name, letters, _ in found)


def letters_apart(word: str, other: str) -> int:
    """Count the slips of the pen between two words.

    >>> letters_apart("blacksee", "blacksea")
    1
    """
    return int(OSA.distance(word, other))


def lead(found: tuple[Near, ...]) -> float:
    """By how much the nearest province leads over the next; 0 where there is none.

    >>> lead((Near("LVN", "livonia", 0.87), Near("LVP", "liverpool", 0.84)))
    0.03
    """
    if not found:
        return 0.0
    runner_up = found[1].nearness if len(found) > 1 else 0.0
    return round(found[0].nearness - runner_up, 6)
