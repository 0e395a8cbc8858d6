"""Ink beside what is read, as rows that measure the reader: signs in the text, and marks on the letters."""

import random

import numpy as np
import pytest

from training import beside
from training.beside import MARKS, WRITTEN, Word, dash_of, marked

LINES = ("A PAR - BUR", "F Bre -> Eng", "A mar s A par-bur", "F NTH C A LON - BEL", "A VIE H")


def words() -> list[Word]:
    """A line of four words that are boxes, and its dash."""
    box = np.array([[0.0, 0.0], [0.0, -1.0], [0.6, -1.0], [0.6, 0.0], [0.0, 0.0]])
    dash = np.array([[0.0, -0.4], [0.5, -0.4]])
    return [
        ("A", [box]),
        ("PAR", [np.add(box, (x, 0)) for x in (1.2, 2.0, 2.8)]),
        ("-", [np.add(dash, (4.0, 0))]),
        ("BUR", [np.add(box, (x, 0)) for x in (5.1, 5.9, 6.7)]),
    ]


@pytest.mark.parametrize("kind", WRITTEN)
def test_a_sign_is_put_into_the_text(kind: str) -> None:
    for seed, text in enumerate(LINES):
        if dash_of(text) is not None:
            changed = WRITTEN[kind](text, random.Random(seed))
            assert changed != text
            assert "  " not in changed


def test_a_line_without_a_dash_gets_a_mark_that_needs_none() -> None:
    found = [marked("A VIE H", random.Random(seed)) for seed in range(200)]
    assert {one.mark for one in found} <= {"", "ring", "line through word", "word above"}
    assert all(one.text != "A VIE H" for one in found if not one.mark)


@pytest.mark.parametrize("kind", MARKS)
def test_a_mark_lies_on_the_line(kind: str) -> None:
    for seed in range(20):
        points = np.concatenate(MARKS[kind](words(), np.random.default_rng(seed)))
        assert -1.0 < points[:, 0].min() < points[:, 0].max() < 8.5
        assert points[:, 1].min() < 0.0


@pytest.mark.parametrize("kind", ["slash through dash", "head on the left"])
def test_what_is_drawn_on_a_dash_lies_on_it(kind: str) -> None:
    for seed in range(20):
        points = np.concatenate(MARKS[kind](words(), np.random.default_rng(seed)))
        assert 3.4 < points[:, 0].min() < points[:, 0].max() < 5.1


def test_each_kind_is_drawn() -> None:
    rng = random.Random(2)
    kinds = {one.mark or "written" for one in (marked(LINES[n % 4], rng) for n in range(400))}
    assert kinds == {*MARKS, beside.ABOVE, "written"}
