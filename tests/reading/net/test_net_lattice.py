"""The graph's likelihoods are the sums they claim to be, and its best path is the best."""

from itertools import product

import numpy as np
import pytest

from pipeline.reading import lattice as sweep
from pipeline.reading.alphabet import BLANK, CLASS_OF, CLASSES, Words, accepts, spell_slot
from pipeline.reading.free import likeliest_spellings
from pipeline.reading.lattice import Floats, Frames, Lattice, drop_repeated_blanks, lattice
from reading.paths import likelihoods, paths

LETTERS = "abf-"
LINES = (
    (("A",), ("Ab", "Aab"), ("-", ""), ("ba", "b")),
    (("A",), ("aa",), ("bb",)),
    (("F", "A"), ("ab",)),
    (("F",), ("", "A"), ("", "b"), ("fa", "-"), ("", "-")),
)


def spelled_slots(slots: tuple[tuple[str, ...], ...]) -> tuple[Words, ...]:
    return tuple(map(spell_slot, slots))


def frames(count: int, seed: int, peak: float = 1.0) -> Frames:
    """Make distributions over a few letters; the rest of the alphabet gets very little."""
    scores = np.full((count, CLASSES), -20.0)
    used = [BLANK, *(CLASS_OF[letter] for letter in LETTERS)]
    scores[:, used] = np.random.default_rng(seed).normal(0, peak, (count, len(used)))
    raised = np.exp(scores)
    return np.asarray(raised / raised.sum(1, keepdims=True))


def run(graph: Lattice, shown: Frames) -> Floats:
    return sweep.likelihoods([graph], [shown])[0]


def spellings(slots: tuple[tuple[str, ...], ...]) -> set[str]:
    return {"".join(words) for words in product(*spelled_slots(slots))}


@pytest.mark.parametrize("seed", range(4))
def test_the_likelihood_of_a_line_is_the_sum_over_its_spellings_and_all_their_alignments(seed: int) -> None:
    shown = frames(6, seed)
    texts = likelihoods(shown, LETTERS)
    found = run(lattice([spelled_slots(line) for line in LINES]), shown)
    for line, likelihood in zip(LINES, found, strict=True):
        assert np.exp(likelihood) == pytest.approx(sum(texts.get(s, 0.0) for s in spellings(line)), rel=1e-7)


def test_lines_together_are_the_sum_of_them_also_where_one_begins_another() -> None:
    shown = frames(6, 11)
    lines = [spelled_slots(line) for line in ((("a",), ("b",)), (("a",), ("b",), ("f", "-")), (("a",), ("b",), ("a",)))]
    apart = run(lattice(lines), shown)
    assert run(lattice(lines, together=True), shown) == pytest.approx(np.logaddexp.reduce(apart))


def test_rows_that_are_measured_together_are_measured_as_each_alone() -> None:
    lines = [spelled_slots(line) for line in LINES]
    rows = [frames(count, count) for count in (7, 4, 9, 4, 8)]
    whole = lattice(lines)
    graphs = [whole, lattice(lines[:2]), lattice(lines, together=True), whole, whole]
    for found, graph, row in zip(sweep.likelihoods(graphs, rows), graphs, rows, strict=True):
        assert found.tolist() == run(graph, row).tolist()  # to the last digit
    slots = [lines[0], lines[2], lines[3]]
    alone = [likeliest_spellings([line], [row])[0] for line, row in zip(slots, rows[:3], strict=True)]
    assert likeliest_spellings(slots, rows[:3]) == alone
    assert sweep.likelihoods([], []) == likeliest_spellings([], []) == []


@pytest.mark.parametrize("seed", range(6))
def test_the_likeliest_spelling_is_that_of_the_best_single_alignment(seed: int) -> None:
    shown = frames(6, seed, peak=2.0)
    slots = spelled_slots(LINES[0])
    alignments: dict[str, float] = {}
    for _, text, chance in paths(shown, LETTERS):
        alignments[text] = max(alignments.get(text, 0.0), chance)
    best = max(spellings(LINES[0]), key=lambda text: alignments.get(text, 0.0))
    assert likeliest_spellings([slots], [shown]) == [best]


def test_what_a_line_accepts_is_its_spellings() -> None:
    slots = spelled_slots(LINES[0])
    for text in ("aab-ba", "aabb", "aaab-b"):
        assert accepts(slots, text) == (text in spellings(LINES[0]))
    assert not accepts(slots, "aab-")
    assert not accepts(slots, "aab-bab")


def test_leaving_out_repeated_blank_frames_changes_nothing() -> None:
    shown = frames(4, 5)
    gap = np.zeros((3, CLASSES))
    gap[:, BLANK] = 1.0
    long = np.concatenate([gap, shown[:2], gap, shown[2:], gap])
    lines = lattice([spelled_slots(line) for line in LINES])
    assert len(drop_repeated_blanks(long)) == len(long) - 6
    assert run(lines, drop_repeated_blanks(long)) == pytest.approx(run(lines, long), rel=1e-6)
