"""The picture of a row is cut to those of its lines in which something is written."""

from pathlib import Path
from typing import Any

import pytest

import pipeline.web
from web.driven import IN_CHROMIUM

pytestmark = list(IN_CHROMIUM)

INK = Path(pipeline.web.__file__).parent / "static" / "ink.js"
STRIPS = """async (drawn) => {  // a row of three lines of 100 pixels, each with a box
  const canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
  canvas.width = 400; canvas.height = 300;
  pen.fillStyle = "white"; pen.fillRect(0, 0, 400, 300);
  pen.fillStyle = "black"; for (const each of drawn) pen.fillRect(...each);
  const image = new Image(), third = 100 / 3;
  const line = (at) => ({ place: [0, at * third, 100, third], boxes: [[50, at * third + 5, 10, 20]] });
  image.src = canvas.toDataURL();
  await image.decode();
  return inkedPart(image, [line(0), line(1), line(2)]).strips;
}"""
# ink: left, top, width, height
FIRST, LAST, ACROSS = [215, 40, 10, 10], [215, 240, 10, 10], [100, 50, 3, 200]
MARGIN = 9


@pytest.mark.parametrize(
    ("drawn", "lines"),
    [
        ([], [[0, 300]]),
        ([FIRST], [[0, 100]]),
        ([LAST], [[0, 100], [200, 300]]),
        ([FIRST, LAST], [[0, 100], [200, 300]]),
        ([ACROSS], [[0, 300]]),
    ],
    ids=["nothing", "first", "last", "first and last", "a stroke across"],
)
def test_a_picture_is_cut_to_the_lines_with_ink(chromium: Any, drawn: list[list[int]], lines: list[list[int]]) -> None:
    page = chromium.new_page()
    page.add_script_tag(path=str(INK))
    found = page.evaluate(STRIPS, drawn)
    page.close()
    assert found == [[max(0, top - MARGIN), min(300, bottom + MARGIN)] for top, bottom in lines]
