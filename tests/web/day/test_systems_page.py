"""The gallery in the browser: a director chooses a scoring system by its picture."""

import re
from pathlib import Path
from typing import Any

import pytest

from pipeline.rules.load import load_systems
from pipeline.web.server import Opened
from web.conftest import Browser, make_event, stranger
from web.driven import CHROMIUM, desk, served


def test_the_gallery_is_the_directors(opened: Opened, tess: Browser) -> None:
    assert tess.client.get("/systems").status_code == 200
    assert stranger(opened).get("/api/systems").status_code == 401
    assert Browser(opened, "Anna").client.get("/api/systems").status_code == 403


def test_every_system_has_its_sentence_and_its_picture(tess: Browser) -> None:
    found = tess.client.get("/api/systems").json()["systems"]
    assert [each["id"] for each in found] == list(load_systems())
    for each in found:
        assert each["summary"]
        shown = tess.client.get(each["picture"])
        assert shown.headers["content-type"].startswith("image/svg+xml")
        assert shown.text.startswith("<svg ")
    assert tess.client.get("/systems/nothing.svg").status_code == 422


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")
def test_a_press_on_a_picture_shows_the_lines_for_a_rules_file(chromium: Any, tmp_path: Path) -> None:
    make_event(tmp_path / "cup")
    with served(tmp_path / "cup") as server, desk(chromium, server.page) as tess:
        page = tess.page
        page.goto(f"http://127.0.0.1:{server.port}/systems")
        page.wait_for_selector(".hung")
        assert page.locator(".hung").count() == len(load_systems())
        page.fill("#find", "tribute")
        names = page.locator(".hung").evaluate_all("all => all.map((each) => each.dataset.system)")
        assert {"tribute", "half-tribute", "open-tribute"} <= set(names)
        assert "carnage" not in names
        page.click('[data-system="open-tribute"]')
        assert re.search(r'system = "open-tribute"', page.inner_text("#chosen"))
        assert page.get_attribute('[data-system="open-tribute"]', "aria-pressed") == "true"
        drawn = page.locator('[data-system="open-tribute"] img').evaluate(
            "image => image.decode().then(() => image.naturalWidth)"
        )
        assert drawn > 0
