"""The last layer learns a hand from rows whose text is known, and forgets nothing else."""

import numpy as np
import pytest

from pipeline.reading.alphabet import BLANK, CLASS_OF, CLASSES
from pipeline.reading.further import NO_INK, Known, Pace, Seen, _alignment, fit_head
from pipeline.reading.network import Head
from reading.paths import paths

FEATURES = 20


def some_frames(count: int, seed: int) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    raised = np.exp(np.random.default_rng(seed).normal(0, 1, (count, CLASSES)))
    return np.asarray(raised / raised.sum(1, keepdims=True))


@pytest.mark.parametrize("text", ["ab", "aa", "a", "aba", ""])
def test_frames_are_shared_over_all_alignments_by_their_likelihood(text: str) -> None:
    shown = some_frames(5, 3)
    share, total = np.zeros_like(shown), 0.0
    for path, spelled, chance in paths(shown, text):
        if spelled == text:
            share[np.arange(len(shown)), path] += chance
            total += chance
    found, likelihood = _alignment(shown, text)
    assert np.exp(likelihood) == pytest.approx(total)
    assert found == pytest.approx(share / total)


def plain_head(seed: int = 1) -> Head:
    return Head(np.random.default_rng(seed).normal(0, 1, (CLASSES, FEATURES)), np.zeros(CLASSES))


def test_however_high_or_low_all_scores_are_their_shares_are_the_same() -> None:
    features, head = np.random.default_rng(2).normal(0, 1, (3, FEATURES)), plain_head()
    for more in (1000, -1000):  # the exponential of a thousand is no number
        assert Head(head.kernel, head.bias + more).frames(features) == pytest.approx(head.frames(features))


def shapes_of(head: Head, letters: str, lean: float = 0.0) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    """Make features that the head reads as letters with blanks between; ``lean`` pulls every a towards o."""
    rows = []
    for letter in letters:
        rows.append(2.5 * head.kernel[BLANK])
        towards = lean if letter == "a" else 0.0
        rows.append(2.5 * ((1 - towards) * head.kernel[CLASS_OF[letter]] + towards * head.kernel[CLASS_OF["o"]]))
    return np.array([*rows, 2.5 * head.kernel[BLANK]])


def test_a_letter_that_looks_like_another_is_learnt_and_the_others_stay() -> None:
    head = plain_head()
    unclear = shapes_of(head, "abac", lean=0.7)
    before = np.exp(_alignment(head.frames(unclear), "abac")[1])
    taught = fit_head(
        head, [Known(Seen(NO_INK, shapes_of(head, "aba", lean=0.7)), "a b a")] * 3, Pace(hold=5.0, rate=0.02)
    )
    after = np.exp(_alignment(taught.frames(unclear), "abac")[1])
    assert before < 0.5 < after
    plain = shapes_of(head, "xyz")
    assert np.exp(_alignment(taught.frames(plain), "xyz")[1]) > 0.9


def test_a_text_that_cannot_stand_there_teaches_nothing() -> None:
    head = plain_head()
    row = Seen(NO_INK, shapes_of(head, "vie"))
    assert fit_head(head, []) is head
    assert fit_head(head, [Known(row, "something much longer than the row")]) is head
    assert fit_head(head, [Known(row, "")]) is head
