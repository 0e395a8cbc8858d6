"""The gallery in the browser: a director chooses a scoring system by its picture."""

import re
from pathlib import Path

import pytest

from pipeline.rules.load import load_systems
from pipeline.web.server.server import Opened
from web.conftest import Browser, stranger
from web.driven import CHROMIUM, FLAGS, Server


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
def test_a_press_on_a_picture_shows_the_lines_for_a_rules_file(tmp_path: Path) -> None:
    playwright = pytest.importorskip("playwright.sync_api")
    from web.conftest import make_event  # noqa: PLC0415 - only who has a browser needs an event

    make_event(tmp_path / "cup")
    server = Server(tmp_path / "cup")
    try:
        with playwright.sync_playwright() as play:
            browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            page = browser.new_page(viewport={"width": 1366, "height": 768})
            page.goto(server.page)
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
            drawn = page.locator('[data-system="open-tribute"] img').evaluate("image => image.naturalWidth")
            assert drawn > 0
            page.screenshot(path=str(tmp_path / "systems.png"))
            browser.close()
    finally:
        server.end()
