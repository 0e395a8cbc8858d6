"""What the net learns to read is not the list of legal orders, and what it is shown is what the text says."""

import random
from pathlib import Path

import numpy as np
import pytest

from pipeline.reading.alphabet import STRUCK, SYMBOLS, spelling
from pipeline.reading.network import OURS
from training import texts
from training.hand import Composer
from training.labels import Looking
from training.samples import Sample, sample
from training.strokes import Hands, Word, Writer, glyph, letters, without

WORDS = [Word("tess", text, (), 1.0) for text in ("one", "two", "three")]


def test_texts_are_mostly_no_orders_that_could_be_given() -> None:
    rng = random.Random(1)
    lines = [spelling(texts.text(rng)) for _ in range(400)]
    assert all(set(line) <= set(SYMBOLS) for line in lines)
    assert len(set(lines)) > 390
    assert sum("q" in line or "x" in line for line in lines) > 40  # letters that hardly an order has


def test_a_slip_changes_one_letter_or_two_neighbours() -> None:
    rng = random.Random(2)
    for _ in range(200):
        slipped = texts.slipped("A Vie - Boh", rng)
        assert abs(len(slipped) - len("A Vie - Boh")) <= 1
        assert slipped.startswith("A")


def test_a_letter_mistaken_for_its_like_is_one_letter_and_another() -> None:
    rng = random.Random(3)
    for _ in range(200):
        mistaken = texts.mistaken("F Tri - Adr", rng)
        changed = [(a, b) for a, b in zip("F Tri - Adr", mistaken, strict=True) if a != b]
        assert len(changed) == 1
        (here, other) = changed[0]
        assert here.isupper() == other.isupper()
        assert {here.lower(), other.lower()} in [set(pair) for pair in texts.ALIKE]


def test_what_is_labelled_wrongly_is_left_out() -> None:
    dot = glyph([np.zeros((2, 2), np.float32)])
    hands = Hands((Writer("tess", {"a": (dot, dot), "b": (dot,)}, 0.2, 0.8),), tuple(WORDS))
    left = without(hands, {"letters": [["tess", "a", 0], ["tess", "b", 0]], "words": [1]})
    assert {letter: len(glyphs) for letter, glyphs in left.writers[0].glyphs.items()} == {"a": 1}
    assert [word.text for word in left.words] == ["one", "three"]


@pytest.fixture(scope="module")
def composer(shared: Path) -> Composer:
    writers = letters("train", shared / "handwriting", 12)
    return Composer(Hands(writers, ()), random.Random(3))


def test_a_line_spells_the_text_it_was_written_for(composer: Composer) -> None:
    for text in ("A Vie - Boh", "F StP(sc) S A LVN->mos", "17"):
        assert composer.line(text).spelled == spelling(text)


def test_what_is_struck_out_is_spelled_as_struck(composer: Composer) -> None:
    line = composer.line("A Vie")
    composer.struck(line, "Boh")
    assert line.spelled == "avie" + STRUCK


def test_samples_are_pictures_of_the_net_s_height_with_room_for_their_letters(composer: Composer) -> None:
    noise = np.random.default_rng(4)
    made = [sample(composer, random.Random(seed), noise) for seed in range(30)]
    found = [one for one in made if isinstance(one, Sample)]
    assert len(found) > 20
    assert sum(one.picture.max() > 150 for one in found) >= len(found) - 1  # a pencil may be that faint
    for one in found:
        assert one.picture.shape[0] == OURS.rows
        assert STRUCK in one.spelled or one.picture.shape[1] / 4 > len(one.spelled)


def test_a_letter_with_anothers_label_is_found_and_one_with_its_own_is_not(composer: Composer) -> None:
    looking = Looking(composer.hands, 1)
    plain = [(writer, "E", writer.glyphs["E"][0]) for writer in composer.hands.writers if "E" in writer.glyphs]
    assert len(plain) >= 5
    assert sum(looking.takes_for_another(*one) for one in plain) == 0
    assert sum(looking.takes_for_another(writer, "V", glyph) for writer, _, glyph in plain) >= len(plain) - 1
