"""Marks by the same pen as the letters, which the net that sees unread ink learns from."""

import numpy as np
import pytest

from pipeline.reading.alphabet import spelling
from training.unread_pen import DRAWN, Extent, Laid, Page, extent_of, with_sign


def laid(text: str) -> Laid:
    """Letters as boxes half as wide as high, dashes as strokes."""
    found: Laid = []
    for place, letter in enumerate(text):
        corners = [(0, 0), (0.5, 0), (0.5, -1), (0, -1), (0, 0)] if letter != "-" else [(0, -0.4), (0.5, -0.4)]
        if letter != " ":
            found.append((letter, [np.array(corners, float) + np.array([0.7 * place, 0])], None))
    return found


@pytest.mark.parametrize("seed", range(20))
def test_a_sign_is_written_where_it_is_said_to_be_and_the_rest_is_the_text(seed: int) -> None:
    written, extra = with_sign("F Spa(sc) - Mar", np.random.default_rng(seed))
    letters = written.replace(" ", "")
    assert extra
    assert spelling("".join(one for place, one in enumerate(letters) if place not in extra)).replace("-", "") == (
        "fspa(sc)mar"
    )


def test_words_end_at_gaps_and_dashes() -> None:
    assert [len(word) for word in Page(laid("A VIE-GAL"), np.random.default_rng(1)).words] == [1, 3, 1, 3]


@pytest.mark.parametrize("draw", DRAWN, ids=lambda draw: draw.__name__)
def test_every_mark_is_ink_near_the_letters(draw: object) -> None:
    for seed in range(30):
        page = Page(laid("A VIE - GAL"), np.random.default_rng(seed))
        drawn = extent_of(draw(page))  # type: ignore[operator]
        assert max(drawn.wide, drawn.bottom - drawn.top) > 0.1
        assert drawn.left > page.all.left - 3.5 and drawn.right < page.all.right + 3.5


@pytest.mark.parametrize("text", ["A VIE - GAL", "A VIE->GAL", "A VIE > GAL"])
def test_a_dash_begins_where_its_arrow_does(text: str) -> None:
    page = Page(laid(text), np.random.default_rng(1))
    assert page.dash().left == pytest.approx(0.7 * min(text.find(one) for one in "->" if one in text))


def test_slashes_and_heads_touch_the_dash_and_a_line_goes_through_a_word() -> None:
    marks = {draw.__name__: draw for draw in DRAWN}
    for seed in range(30):
        page = Page(laid("A VIE - GAL"), np.random.default_rng(seed))
        dash = next(extent for letter, extent in page.letters if letter == "-")
        for name in ("_slash", "_head"):
            drawn = extent_of(marks[name](page))
            assert drawn.left < dash.right + 0.3 and drawn.right > dash.left - 0.7
        struck = extent_of(marks["_strike"](page))
        assert any(_overlap(struck, extent) for letter, extent in page.letters if letter != "-")


def _overlap(one: Extent, other: Extent) -> bool:
    return one.left < other.right and one.right > other.left and one.top < other.bottom and one.bottom > other.top
