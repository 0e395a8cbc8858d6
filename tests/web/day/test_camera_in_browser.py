"""The camera page: a camera that ends is opened again, lens and light are chosen, the telephone stays awake."""

from pathlib import Path
from typing import Any

import pytest

from benchmarks.capture import print_event
from web.driven import IN_CHROMIUM, desk, served, until

pytestmark = list(IN_CHROMIUM)
# two lenses, of which the second has a light; what is asked of them is kept in `asked`
CAMERA = """
window.asked = []; window.opened = []; window.gone = []; window.openMs = 0;
const canvas = document.createElement("canvas"); canvas.width = 640; canvas.height = 480;
const lenses = ["wide", "main"].map((id) => ({ kind: "videoinput", deviceId: id, label: id }));
Object.defineProperty(navigator, "mediaDevices", { value: {
  enumerateDevices: async () => lenses,
  getUserMedia: async ({ video }) => {
    const id = video.deviceId?.exact ?? "wide";
    asked.push(id);
    await new Promise((go) => setTimeout(go, openMs));
    if (gone.includes(id)) throw Object.assign(new Error(), { name: "OverconstrainedError" });
    canvas.getContext("2d").fillRect(0, 0, 9, 9);
    const stream = canvas.captureStream(10), track = stream.getVideoTracks()[0];
    opened.push(track);
    track.getSettings = () => ({ deviceId: id });
    track.getCapabilities = () => (id === "main" ? { torch: true } : {});
    track.applyConstraints = async ({ advanced }) => asked.push(`light ${advanced[0].torch}`);
    return stream;
  } } });
const lock = { request: async (what) => { asked.push(`awake ${what}`); return { released: false }; } };
Object.defineProperty(navigator, "wakeLock", { value: lock });
"""


@pytest.fixture
def camera(chromium: Any, tmp_path: Path) -> Any:
    print_event(tmp_path / "event", 1)
    with served(tmp_path / "event") as server, desk(chromium, server.page) as tess:
        tess.page.add_init_script(CAMERA)
        tess.page.goto(f"http://127.0.0.1:{server.port}/capture")
        tess.page.click("#start")
        until(tess.page, "asked.length >= 2")
        yield tess.page


HEARD = """window.heard = [];
new MutationObserver(() => heard.push(document.getElementById("word").textContent))
  .observe(document.getElementById("word"), { childList: true, characterData: true, subtree: true });"""


@pytest.mark.parametrize("what", ["opened.at(-1).stop()", "opened.at(-1).dispatchEvent(new Event('mute'))"])
def test_a_camera_that_ends_or_freezes_is_said_and_opened_again(camera: Any, what: str) -> None:
    assert camera.evaluate("asked").count("wide") == 1
    assert "awake screen" in camera.evaluate("asked")
    camera.evaluate(HEARD)
    camera.evaluate(what)
    until(camera, "heard.includes('the camera is back')")
    assert any(text.startswith("the camera has stopped") for text in camera.evaluate("heard"))
    assert camera.evaluate("asked").count("wide") == 2


def test_where_the_lens_that_was_chosen_is_gone_another_is_opened(camera: Any) -> None:
    camera.select_option("#lens", "main")
    camera.wait_for_selector("#light:not([hidden])")
    camera.evaluate(HEARD)
    camera.evaluate("gone.push('main'); opened.at(-1).stop()")
    until(camera, "heard.includes('the camera is back')")
    assert camera.input_value("#lens") == "wide"


def test_while_a_lens_opens_nothing_is_said_to_have_stopped(camera: Any) -> None:
    camera.evaluate(HEARD)
    camera.evaluate("openMs = 700")
    camera.select_option("#lens", "main")
    camera.wait_for_selector("#light:not([hidden])")
    assert not any("has stopped" in text for text in camera.evaluate("heard"))
    assert camera.evaluate("asked.filter((each) => !each.startsWith('awake'))") == ["wide", "main"]


def test_the_lens_is_chosen_and_has_its_light(camera: Any) -> None:
    assert not camera.is_visible("#light")
    camera.select_option("#lens", "main")
    camera.wait_for_selector("#light:not([hidden])")
    assert camera.evaluate("asked").count("main") == 1
    camera.click("#light")
    camera.wait_for_selector("#light[aria-pressed=true]")
    camera.click("#light")
    camera.wait_for_selector("#light[aria-pressed=false]")
    assert [each for each in camera.evaluate("asked") if each.startswith("light")] == ["light true", "light false"]
