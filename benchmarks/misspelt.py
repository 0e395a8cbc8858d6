"""What becomes of misspelt words: every listed word spoilt in every way, under several sets of numbers.

``python benchmarks/misspelt.py [--table english]``. The first table is the one in benchmarks/results/misspelt.md:
how many words with one wrong letter, and with two, would be followed to the wrong province. The second spoils the short
words of destinations on real boards, where what the unit can do counts, too: what each tournament makes of them.
"""

import argparse
import random
import string
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from rapidfuzz.distance import OSA, JaroWinkler
from rapidfuzz.process import cdist

from benchmarks.interpret import phases
from pipeline.cli.judge import interpret_sheet
from pipeline.interpret.written_words import SIGNS
from pipeline.rules.abbreviations import Abbreviations
from pipeline.rules.load import load_abbreviations, tournament_ids

NUMBERS = (  # letters, nearness, lead
    (3, 0.84, 0.03),
    (3, 0.84, 0.10),
    (4, 0.84, 0.10),
    (5, 0.84, 0.06),
    (5, 0.84, 0.08),
    (5, 0.84, 0.10),
    (5, 0.88, 0.12),
)
DRAWN = 4000  # short words on real boards


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--table", default="english")
    table = load_abbreviations(parser.parse_args().table, Path(), [])
    long_words(table)
    short_words()


def long_words(table: Abbreviations) -> None:
    """Count what nearness, lead and length make of every word with one slip, and of many with two."""
    once = sorted(set(all_slips(table)))
    twice = sorted(set(second_slips(table, once)))
    known = list(table.words)
    codes = sorted({code for places in table.words.values() for code in places})
    print(f"| letters | nearness | lead | wrong of {len(once):,} with one wrong letter | followed rightly"
          f" | wrong of {len(twice):,} with two | ({table.name})")  # fmt: skip
    judged = [Judged(table, codes, known, spoilt) for spoilt in (once, twice)]
    for least, nearness, lead in NUMBERS:
        one, two = (each.under(least, nearness, lead) for each in judged)
        print(f"| {least} and more | {nearness} | {lead:.2f} | {one[0]} | {one[1]:.0%} | {two[0]} |")


def second_slips(table: Abbreviations, once: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Spoil a share of the spoilt words again, at random, where the first slip left four letters and more."""
    random_ = random.Random(20261122)
    for code, word in once:
        again = random_.choice(list(one_letter_off(word)))
        if len(again) > 3 and again not in table.words:
            yield code, again


class Judged:
    """Spoilt words, with how near each is to every province."""

    def __init__(self, table: Abbreviations, codes: list[str], known: list[str], spoilt: list[tuple[str, str]]) -> None:
        words = [word for _, word in spoilt]
        likeness, away, length = by_province(table, codes, known, words)
        ordered = np.sort(likeness, axis=1)
        rows = np.arange(len(words))
        self.best = likeness.argmax(axis=1)
        self.nearness, self.lead = ordered[:, -1], ordered[:, -1] - ordered[:, -2]
        self.rivals = away.sum(axis=1) - away[rows, self.best]  # other provinces that are one letter away
        self.length = length[rows, self.best]
        self.letters = np.array([len(word) for word in words])
        self.meant = np.array([codes.index(code) for code, _ in spoilt])

    def under(self, letters: int, nearness: float, lead: float) -> tuple[int, float]:
        """How many are followed to another province, and which share of those long enough to their own."""
        is_long = self.letters >= letters
        followed = is_long & (self.nearness >= nearness) & (self.lead >= lead) & (self.rivals == 0)
        followed &= self.length >= letters - 1
        right = self.best == self.meant
        return int((followed & ~right).sum()), float((followed & right).sum() / is_long.sum())


def all_slips(table: Abbreviations) -> Iterator[tuple[str, str]]:
    """Spoil every word for one province by one letter; what is again a word, or begins one, is no misspelling."""
    begun = {word[:length] for word in table.words for length in range(1, len(word) + 1)}
    for word, places in table.words.items():
        if len(places) == 1:
            yield from ((places[0], slip) for slip in one_letter_off(word) if slip not in begun)


def one_letter_off(word: str) -> Iterator[str]:
    """Leave out, put in, change one letter, or swap two neighbours."""
    for place in range(len(word) + 1):
        before, after = word[:place], word[place:]
        yield before + after[1:]
        yield before + after[1:2] + after[:1] + after[2:]
        for letter in string.ascii_lowercase:
            yield before + letter + after
            yield before + letter + after[1:]


Matrix = np.ndarray[tuple[int, int], np.dtype[np.float32]]


def by_province(
    table: Abbreviations, codes: list[str], known: list[str], words: list[str]
) -> tuple[Matrix, Matrix, Matrix]:
    """For each word and province: how like its likest word is, whether one is a slip away, how long the likest is."""
    likeness = np.zeros((len(words), len(codes)), dtype=np.float32)
    away, length = np.zeros_like(likeness), np.zeros_like(likeness)
    alike = cdist(words, known, scorer=JaroWinkler.similarity, dtype=np.float32)
    slips = cdist(words, known, scorer=OSA.distance, score_cutoff=1, dtype=np.int32)
    for column, word in enumerate(known):
        for code in table.words[word]:
            place = codes.index(code)
            is_liker = alike[:, column] > likeness[:, place]
            length[is_liker, place] = len(word)
            likeness[:, place] = np.maximum(likeness[:, place], alike[:, column])
            away[:, place] = np.maximum(away[:, place], slips[:, column] <= 1)
    return likeness, away, length


def short_words() -> None:
    """Spoil the three letters of destinations in real games, and count what becomes of each line."""
    random_ = random.Random(20261122)
    lines = list(drawn_lines(random_))
    print(f"\n{len(lines):,} moves of real games with one wrong letter in the three of their goal:")
    for tournament in tournament_ids():
        found: Counter[str] = Counter()
        for sheet, meant in lines:
            entry = interpret_sheet({**sheet, "tournament": tournament})["entries"][0]
            is_other = entry["status"] == "clear" and entry["order"] != meant
            found["WRONG" if is_other else str(entry["status"].value)] += 1
        shares = ", ".join(f"{what} {count / len(lines):.1%}" for what, count in found.most_common())
        print(f"  {tournament:<12} {shares}")


def drawn_lines(random_: random.Random) -> Iterator[tuple[dict[str, object], str]]:
    """Draw moves, and spoil their goals; what is again a word that is known is no misspelling."""
    table = load_abbreviations("english", Path(), [])
    known = {*table.words, *map(str.casefold, table.rows), *SIGNS}
    count = 0
    for phase in phases(random_):
        about = {key: phase[key] for key in ("phase", "units", "centers")}
        for power, orders in phase["orders"].items():
            for order in orders:
                unit, _, goal = order.partition(" - ")
                if " S " in order or " C " in order or len(goal) != 3 or random_.random() > 0.2:
                    continue
                spoilt = random_.choice(list(one_letter_off(goal.casefold())))
                if spoilt not in known:
                    yield {**about, "power": power, "lines": [f"{unit} - {spoilt}"]}, order
                    count += 1
                if count == DRAWN:
                    return


if __name__ == "__main__":
    main()
