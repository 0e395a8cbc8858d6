"""The graph's likelihoods are the sums they claim to be, and its best path is the best."""

from itertools import product

import numpy as np
import pytest

from net.paths import likelihoods, paths
from pipeline.reading.net.alphabet import BLANK, CLASS_OF, CLASSES
from pipeline.reading.net.lattice import Frames, Words, accepts, condensed, lattice, likeliest_spelling, spelled

LETTERS = "abf-"
LINES = (
    (("A",), ("Ab", "Aab"), ("-", ""), ("ba", "b")),
    (("A",), ("aa",), ("bb",)),
    (("F", "A"), ("ab",)),
    (("F",), ("", "A"), ("", "b"), ("fa", "-"), ("", "-")),
)


def spelled_slots(slots: tuple[tuple[str, ...], ...]) -> tuple[Words, ...]:
    return tuple(map(spelled, slots))


def frames(count: int, seed: int, peak: float = 1.0) -> Frames:
    """Make distributions over a few letters; the rest of the alphabet gets very little."""
    scores = np.full((count, CLASSES), -20.0)
    used = [BLANK, *(CLASS_OF[letter] for letter in LETTERS)]
    scores[:, used] = np.random.default_rng(seed).normal(0, peak, (count, len(used)))
    raised = np.exp(scores)
    return np.asarray(raised / raised.sum(1, keepdims=True))


def spellings(slots: tuple[tuple[str, ...], ...]) -> set[str]:
    return {"".join(words) for words in product(*spelled_slots(slots))}


@pytest.mark.parametrize("seed", range(4))
def test_the_likelihood_of_a_line_is_the_sum_over_its_spellings_and_all_their_alignments(seed: int) -> None:
    shown = frames(6, seed)
    texts = likelihoods(shown, LETTERS)
    found = lattice([spelled_slots(line) for line in LINES]).run(shown)
    for line, likelihood in zip(LINES, found, strict=True):
        assert np.exp(likelihood) == pytest.approx(sum(texts.get(s, 0.0) for s in spellings(line)), rel=1e-7)


def test_lines_without_a_common_spelling_sum_to_at_most_one() -> None:
    shown = frames(5, 9)
    texts = [text for text in likelihoods(shown, LETTERS) if text]
    found = lattice([((text,),) for text in texts]).run(shown)
    all_of_them = lattice([((text,),) for text in texts], together=True).run(shown)
    assert np.exp(all_of_them) == pytest.approx(np.exp(found).sum())
    empty = float(np.prod(shown[:, BLANK]))
    assert np.exp(found).sum() + empty == pytest.approx(1.0, abs=1e-6)


def test_lines_together_are_the_sum_of_them_also_where_one_begins_another() -> None:
    shown = frames(6, 11)
    lines = [spelled_slots(line) for line in ((("a",), ("b",)), (("a",), ("b",), ("f", "-")), (("a",), ("b",), ("a",)))]
    apart = lattice(lines).run(shown)
    assert lattice(lines, together=True).run(shown) == pytest.approx(np.logaddexp.reduce(apart))


def test_a_doubled_letter_needs_a_blank_between() -> None:
    shown = np.zeros((3, CLASSES))
    shown[:, CLASS_OF["a"]] = 1.0
    once, twice = lattice([(("a",),), (("aa",),)]).run(shown)
    assert once == pytest.approx(0.0)
    assert twice == -np.inf


@pytest.mark.parametrize("seed", range(6))
def test_the_likeliest_spelling_is_that_of_the_best_single_alignment(seed: int) -> None:
    shown = frames(6, seed, peak=2.0)
    slots = spelled_slots(LINES[0])
    alignments: dict[str, float] = {}
    for _, text, chance in paths(shown, LETTERS):
        alignments[text] = max(alignments.get(text, 0.0), chance)
    best = max(spellings(LINES[0]), key=lambda text: alignments.get(text, 0.0))
    assert likeliest_spelling(slots, shown) == best


def test_what_a_line_accepts_is_its_spellings() -> None:
    slots = spelled_slots(LINES[0])
    for text in ("aab-ba", "aabb", "aaab-b"):
        assert accepts(slots, text) == (text in spellings(LINES[0]))
    assert not accepts(slots, "aab-")
    assert not accepts(slots, "aab-bab")


def test_two_lines_with_the_same_spelling_tie() -> None:
    shown = frames(6, 3)
    norway, norwegian = lattice([spelled_slots((("f",), ("ab", "aba"))), spelled_slots((("f",), ("ab", "abb")))]).run(
        shown
    )
    assert abs(norway - norwegian) < 5
    twins = lattice([spelled_slots((("f",), ("ab",)))] * 2).run(shown)
    assert twins[0] == twins[1]


def test_leaving_out_repeated_blank_frames_changes_nothing() -> None:
    shown = frames(4, 5)
    gap = np.zeros((3, CLASSES))
    gap[:, BLANK] = 1.0
    long = np.concatenate([gap, shown[:2], gap, shown[2:], gap])
    lines = lattice([spelled_slots(line) for line in LINES])
    assert len(condensed(long)) == len(long) - 6
    assert lines.run(condensed(long)) == pytest.approx(lines.run(long), rel=1e-6)
