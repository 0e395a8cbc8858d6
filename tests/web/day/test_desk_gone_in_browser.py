"""The desk ends and is started again: what was handed in meanwhile comes in, and what ended with it is told."""

import socket
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from desk.cup import printed

from web.driven import IN_CHROMIUM, desk, facts, section, started

pytestmark = list(IN_CHROMIUM)


def free_port() -> str:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return str(found.getsockname()[1])


def test_a_file_that_was_chosen_while_the_desk_was_gone_comes_in(chromium: Any, tmp_path: Path) -> None:
    folder, words = printed(tmp_path / "cup"), ("desk", str(tmp_path / "cup"), "--port", free_port(), "--by", "Tess")
    (tmp_path / "in").mkdir()
    late, later = tmp_path / "late.png", tmp_path / "later.png"
    for picture, wide in ((late, 400), (later, 300)):
        picture.write_bytes(bytes(cv2.imencode(".png", np.full((600, wide), 255, np.uint8))[1]))
    with desk(chromium, "about:blank") as seat:
        page = seat.page
        with started(tmp_path, *words) as link:
            page.goto(link)
            section(page, "scan")
            page.get_by_label("folder to watch").fill(str(tmp_path / "in"))
            page.get_by_role("button", name="Watch this folder").click()
            page.get_by_text("taking in whatever appears").wait_for()
        page.set_input_files("#files", late)
        page.get_by_text("it is kept in this browser, and sent when the desk is back").wait_for()
        page.set_input_files("#files", later)
        page.locator("#fates .waits", has_text="later.png").get_by_text("it is kept in this browser").wait_for()
        with started(tmp_path, *words) as link:
            page.wait_for_url("**/door")
            page.goto(link)
            page.locator("#fates .retake", has_text="late.png").wait_for()
            page.locator("#fates .retake", has_text="later.png").wait_for()
            page.wait_for_selector("#scan .word:text('not watched any more')")
            page.reload()
            page.wait_for_selector("#steps li")
            page.wait_for_timeout(500)
            assert not page.inner_text("#fates"), "it is sent once"
    assert len(facts(folder, "scan received")) == 2
