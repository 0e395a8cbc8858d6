"""Ink that belongs to no sign of a text: where the signs are laid, and what the small net says."""

import cv2
import numpy as np
import pytest

from pipeline.pen.hand import Hand
from pipeline.reading.alphabet import BLANK, CLASS_OF, CLASSES
from pipeline.reading.network import OURS, Network, find_ink, lay_ink, load_head
from pipeline.reading.pages import Grey
from pipeline.reading.unread import Layer, UnreadInk, _is_taught, _lay_signs, set_sign
from training.lines import line_image


@pytest.fixture(scope="module")
def unread() -> UnreadInk:
    return UnreadInk()


def odds(unread: UnreadInk, grey: Grey, text: str) -> float:
    found = find_ink(grey)
    assert found is not None
    read = Network().features(lay_ink(found, OURS).ink)
    return unread.odds(found, read, text, load_head().frames(read))


@pytest.fixture(scope="module")
def line() -> Grey:
    return line_image("A VIE - GAL", Hand.from_seed(3, neatness=0.9), np.random.default_rng(3), 200)


def test_a_line_as_it_is_has_none(unread: UnreadInk, line: Grey) -> None:
    assert odds(unread, line, "A VIE - GAL") < 0


@pytest.mark.parametrize("text", ["A VI - GAL", "A VIE GAL", "VIE - GAL"])
def test_a_letter_that_the_text_lacks_is_ink_without_a_sign(unread: UnreadInk, line: Grey, text: str) -> None:
    assert odds(unread, line, text) > odds(unread, line, "A VIE - GAL") + 3


def test_a_line_through_a_word_is_ink_without_a_sign(unread: UnreadInk, line: Grey) -> None:
    ys, xs = np.nonzero(line < 150)
    struck = line.copy()
    middle, third = int(np.median(ys)), int(np.quantile(xs, 0.65))
    cv2.line(struck, (third, middle + 1), (int(xs.max()) + 4, middle - 1), int(line.min()), 3, cv2.LINE_AA)
    assert odds(unread, struck, "A VIE - GAL") > 2


def test_signs_are_laid_where_they_begin_and_never_two_in_one_frame() -> None:
    frames = np.full((6, CLASSES), 1e-9)
    frames[:, BLANK] = 1.0
    frames[1, CLASS_OF["a"]] = frames[2, CLASS_OF["b"]] = frames[4, CLASS_OF["c"]] = 2.0
    assert _lay_signs("ABC", frames, 6).tolist() == [0, CLASS_OF["a"], CLASS_OF["b"], 0, CLASS_OF["c"], 0]
    signs = _lay_signs("A", frames, 3)
    for sign in "bcd":
        set_sign(signs, 1, sign)
    assert signs.tolist() == [0, CLASS_OF["a"], CLASS_OF["b"]]


def test_a_layer_is_a_convolution_with_its_taps_apart() -> None:
    layer = Layer(np.array([[[1.0]], [[10.0]], [[100.0]]]), np.array([0.5]), apart=2)
    assert layer.over(np.array([[1.0], [2.0], [3.0], [4.0]]))[:, 0].tolist() == [310.5, 420.5, 31.5, 42.5]


def test_of_the_ink_of_a_plus_nothing_is_said() -> None:
    frames = np.full((40, CLASSES), 1e-9)
    frames[:, BLANK] = 1.0
    for at, letter in ((10, "+"), (20, "a"), (26, "b")):
        frames[at] = 1e-9
        frames[at, CLASS_OF[letter]] = 1.0
    taught = _is_taught(_lay_signs("+ A B", frames, 40))
    assert np.flatnonzero(~taught).tolist() == list(range(2, 18))
    assert _is_taught(_lay_signs("A B", frames, 40)).all()
    assert np.flatnonzero(~_is_taught(np.array([0, CLASS_OF["a"], 0, CLASS_OF["+"]]))).tolist() == [0, 1, 2, 3]
    assert _is_taught(np.zeros(3, np.int64)).all()
