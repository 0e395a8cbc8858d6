"""The gallery in the browser: a director chooses a scoring system by its picture."""

import html
import re
from pathlib import Path
from typing import Any

import pytest

from pipeline.rules.load import load_systems
from web.conftest import Browser, make_event
from web.driven import CHROMIUM, desk, served


def test_every_system_has_its_sentence_its_picture_and_its_lines_for_a_rules_file(tess: Browser) -> None:
    page = html.unescape(tess.client.get("/systems").text)
    assert re.findall(r'data-system="(.+?)"', page) == list(load_systems())
    for each in load_systems().values():
        assert each.summary in page
        assert f'[scoring]\nsystem = "{each.id}"' in page
        shown = tess.client.get(f"/systems/{each.id}.svg")
        assert shown.headers["content-type"].startswith("image/svg+xml")
        assert shown.text.startswith("<svg ")
    assert tess.client.get("/systems/nothing.svg").status_code == 422


def test_a_system_is_found_by_its_words(tess: Browser) -> None:
    found = set(re.findall(r'data-system="(.+?)"', tess.client.get("/systems", params={"find": "Tribute"}).text))
    assert {"tribute", "half-tribute", "open-tribute"} <= found
    assert "carnage" not in found


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")
def test_a_press_on_a_picture_shows_the_lines_for_a_rules_file(chromium: Any, tmp_path: Path) -> None:
    make_event(tmp_path / "cup")
    with served(tmp_path / "cup") as server, desk(chromium, server.page) as tess:
        page = tess.page
        page.goto(f"http://127.0.0.1:{server.port}/systems")
        page.click('[data-system="tribute"] summary')
        page.click('[data-system="open-tribute"] summary')
        assert [page.locator(f'[data-system="{name}"] pre').is_visible() for name in ("tribute", "open-tribute")] == [
            False,
            True,
        ]
        drawn = page.locator('[data-system="open-tribute"] img').evaluate(
            "image => image.decode().then(() => image.naturalWidth)"
        )
        assert drawn > 0
