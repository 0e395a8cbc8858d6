"""One scale has all sizes of letters and all spaces."""

import re

import pytest

from web.test_accessibility import STATIC


@pytest.mark.parametrize("sheet", ["desk.css", "day.css", "review.css", "correct.css", "journal.css"])
def test_sizes_of_letters_and_spaces_are_those_of_the_scale(sheet: str) -> None:
    css = re.sub(r"/\*.*?\*/", "", (STATIC / sheet).read_text("utf-8"), flags=re.DOTALL)
    spaces = re.findall(r"(?:margin|padding|gap)(?:-\w+)?:[^;}]*", css)
    sizes = re.findall(r"font(?:-size)?:[^;}]*", css)
    assert [each for each in spaces + sizes if re.search(r"\d(?:rem|px|pt)\b", each)] == []
