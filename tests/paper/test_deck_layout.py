"""What is measured on the first page of the test deck is on the paper, as far from one edge as from the other."""

from itertools import combinations

import pytest

from pipeline.desk.testdeck import _deck_template
from pipeline.paper.deck_layout import PAPERS, measure_page


@pytest.mark.parametrize("paper", [name.lower() for name in PAPERS])
def test_what_is_measured_is_symmetric_and_nothing_covers_anything_else(paper: str) -> None:
    template = _deck_template(paper)
    page = measure_page(template)
    assert page.page.page == 1
    greys, (across, down) = page.patches, page.rulers
    gap = greys[1].left - greys[0].right
    assert greys[0].left == pytest.approx(template.width - greys[-1].right - gap)
    assert (across.left, down.right) == pytest.approx((greys[0].left, template.width - greys[0].left), abs=2)
    for name, other in (("left", "right"), ("top", "bottom")):
        for away, box in page.steps[name].items():
            far = page.steps[other][away]
            side = template.width - far.right if name == "left" else template.height - far.bottom
            assert side == pytest.approx(box.left if name == "left" else box.top) == pytest.approx(away)
    assert all(abs(b.left + b.width / 2 - template.width / 2) < 14 for b in page.steps["top"].values())
    assert all(abs(b.top + b.height / 2 - template.height / 2) < 25 for b in page.steps["left"].values())
    boxes = [*greys, across, down, *(box for steps in page.steps.values() for box in steps.values())]
    assert all(min(b.left, b.top, template.width - b.right, template.height - b.bottom) >= 0 for b in boxes)
    for one, another in combinations(boxes, 2):
        over = min(one.right, another.right) - max(one.left, another.left)
        assert over <= 0 or min(one.bottom, another.bottom) <= max(one.top, another.top)
