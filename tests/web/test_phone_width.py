"""On a telephone, 390 pixels wide, no menu and no button of a page is cut, and the event's name is there to read."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from desk.cup import clock
from desk.moot import played

from pipeline.desk.event.event import open_event
from pipeline.ledger.events import StandingsOpened
from web.driven import IN_CHROMIUM, Served, desk, served, started

pytestmark = list(IN_CHROMIUM)

PUBLIC = ("/live", "/live/board/1.1", "/live/board/1.2/F1902M", "/live/standings", "/live/seat?who=ada", "/door")
DESK = ("/desk", "/tables", "/clock", "/upload", "/capture", "/notes", "/forms", "/journal", "/room")
LONG = "Ada Maximilian-Alexander Barthold von Hohenfels-Lovelace"
CUT = """() => [...document.querySelectorAll("a, button, input, select, h1, h2")].filter((node) => {
  const box = node.getBoundingClientRect();
  return box.width && !node.closest(".scrolls") && (box.left < -1 || box.right > innerWidth + 1);
}).map((node) => node.outerHTML.slice(0, 80))
  .concat([...document.querySelectorAll("#steps b")].filter((node) => {
    const words = document.createRange();
    words.selectNodeContents(node);
    return words.getClientRects().length > 1;
  }).map((node) => node.textContent))"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = played(tmp_path_factory.mktemp("phone") / "moot")
    toml = folder / "event.toml"
    toml.write_text(toml.read_text("utf-8").replace('"Ada Lovelace"', f'"{LONG}"'), "utf-8")
    with open_event(folder, clock) as event:
        event.facts.write(StandingsOpened(open=True), "Tess")
    with served(folder) as found:
        yield found


@pytest.mark.parametrize("paths", [PUBLIC, DESK])
def test_nothing_is_cut_and_the_events_name_is_readable(chromium: Any, server: Served, paths: tuple[str, ...]) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    here = f"http://127.0.0.1:{server.port}"
    if paths is DESK:
        page.goto(f"{here}/door")
        page.select_option("select", "Anna")
        page.fill("input[name=pin]", server.pin("Anna"))
        page.click("button")
        page.wait_for_url("**/")
    found = {}
    for path in paths:
        page.goto(here + path)
        page.wait_for_load_state("networkidle")
        found[path] = (page.evaluate("document.documentElement.scrollWidth"), page.evaluate(CUT))
        assert "Moot of Maps" in page.inner_text("body"), path
    context.close()
    assert found == {path: (390, []) for path in paths}


def test_the_table_of_rows_to_be_looked_over_fits_a_telephone(chromium: Any, tmp_path: Path) -> None:
    with started(tmp_path) as link, desk(chromium, link) as tess:
        page = tess.page
        page.set_viewport_size({"width": 390, "height": 844})
        page.get_by_label("the players").fill(f"1. O'Brien, Siobhan (Dublin)\n2. {LONG} (Owls)\nTBA\n")
        page.wait_for_selector("#doubtful tr")
        assert (page.evaluate("document.documentElement.scrollWidth"), page.evaluate(CUT)) == (390, [])
        cells = page.locator("#doubtful td:nth-child(3)")
        assert all(box["width"] > 200 for each in cells.all() if (box := each.bounding_box()))
