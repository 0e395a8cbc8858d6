"""Letters and words of the strokes that are labelled as what they are not: ``python -m training labels``.

About one letter in two hundred is labelled wrongly; a net that is told that an ``a`` was an ``e`` can never be sure.
The net that ships looks at each letter among others of its writer, and at each joined word; what it takes for something
else every time, by far, and not because the two are drawn alike, is left out of training. What it is merely unsure of
stays: that letters can be taken for one another is what the net must learn.
"""

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from pipeline.reading.alphabet import spelling
from pipeline.reading.lattice import Frames, lattice, likelihoods
from pipeline.reading.network import Network, best_letters, load_head, normalise
from training.hand import Composer, Line
from training.paper import drawn
from training.strokes import HANDWRITING, Glyph, Hands, Word, Writer, as_recorded, mislabelled

LOOKS = 2
BY_FAR = 3.0  # log odds by which another letter is likelier, at every look
A_LETTER = 2.5  # log odds a letter by which a word is likelier read otherwise
ALIKE = frozenset("ilj1/()-")  # drawn alike by so many that the label cannot be told from the ink
LETTERS = "abcdefghijklmnopqrstuvwxyz-()/"
INK, PAPER = 0.85, 250


class Looking:
    """The net that ships, and plain pictures of plain writing for it."""

    def __init__(self, hands: Hands, seed: int) -> None:
        self.rng = random.Random(seed)
        self.noise = np.random.default_rng(seed)
        self.composer = Composer(hands, self.rng)
        self.network, self.head = Network(), load_head()

    def frames(self, line: Line) -> Frames | None:
        """See a line; None where there is nothing of it."""
        ink, _ = drawn(line.strokes, self.rng.uniform(24, 40), self.rng)
        grey = PAPER * (1 - ink * INK) + self.noise.normal(0, 2, ink.shape)
        picture = normalise(np.clip(grey, 0, 255).astype(np.uint8))
        return None if picture is None else self.head.frames(self.network.features(picture))

    def among_others(self, writer: Writer, letter: str, glyph: Glyph) -> tuple[Line, int]:
        """Write a letter among others of the same writer; the line, and the place of the letter in it."""
        rng = self.rng
        others = [other for other in writer.glyphs if other.isalpha() and len(spelling(other)) == 1]
        count = rng.randint(4, 7)
        place = rng.randint(1, count - 2)
        line = Line()
        for at in range(count):
            piece = letter if at == place else rng.choice(others)
            chosen = glyph if at == place else rng.choice(writer.glyphs[piece])
            self.composer.set_down(line, chosen, max(writer.gap, 0.15) * rng.uniform(1.0, 1.6))
            line.spelled += spelling(piece)
        return line, place

    def takes_for_another(self, writer: Writer, letter: str, glyph: Glyph) -> bool:
        """Whether a letter is taken for another by far, every time."""
        for _ in range(LOOKS):
            line, place = self.among_others(writer, letter, glyph)
            frames = self.frames(line)
            if frames is None:
                return False
            before, here, after = line.spelled[:place], line.spelled[place], line.spelled[place + 1 :]
            found = likelihoods([lattice([((before,), (other,), (after,)) for other in LETTERS])], [frames])[0]
            best = LETTERS[int(found.argmax())]
            if {here, best} <= ALIKE or found.max() - found[LETTERS.index(here)] < BY_FAR:
                return False
        return True

    def reads_otherwise(self, word: Word) -> bool:
        """Whether a joined word is by far likelier something else."""
        frames = self.frames(self.composer.beside([word]))
        if frames is None:
            return False
        text, read = spelling(word.text), "".join(letter for letter, _ in best_letters(frames))
        label, other = likelihoods([lattice([((text,),), ((read,),)])], [frames])[0].tolist()
        return bool(other - label > A_LETTER * len(text))


def wrong_letters(looking: Looking, writers: Sequence[Writer]) -> Iterator[tuple[str, str, int]]:
    """Find the letters, by writer, label and number."""
    for writer in writers:
        for letter, glyphs in writer.glyphs.items():
            if not (letter.isalpha() and spelling(letter) in LETTERS):
                continue
            for number, glyph in enumerate(glyphs):
                if looking.takes_for_another(writer, letter, glyph):
                    yield writer.name, letter, number


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and write what is to be left out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("build/training"), help="of the caches")
    parser.add_argument("--handwriting", type=Path, default=HANDWRITING, help="the strokes")
    parser.add_argument("--most", type=int, help="writers and words to look at, of all")
    found = parser.parse_args(arguments)
    hands = as_recorded("train", found.handwriting)
    looking = Looking(hands, 1)
    letters = list(wrong_letters(looking, hands.writers[: found.most]))
    words = [n for n, word in enumerate(islice(hands.words, found.most)) if looking.reads_otherwise(word)]
    kept = mislabelled("train", found.folder)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps({"letters": letters, "words": words}))
    print(f"{kept}: {len(letters)} letters and {len(words)} of {len(hands.words)} words are left out from now on")
