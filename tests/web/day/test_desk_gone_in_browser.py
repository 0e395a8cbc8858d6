"""The desk ends and is started again: what was handed in meanwhile comes in, and what ended with it is told."""

import socket
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from desk.cup import printed

from web.driven import IN_CHROMIUM, desk, facts, section, served, started, until

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


def test_who_leaves_the_page_before_every_file_is_sent_is_asked(chromium: Any, tmp_path: Path) -> None:
    folder, files = printed(tmp_path / "cup"), []
    asked: list[str] = []
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)  # and it is neither sent nor refused

    def stay(dialog: Any) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    for number in range(3):
        files.append(tmp_path / f"{number}.png")
        files[-1].write_bytes(bytes(cv2.imencode(".png", np.full((600, 300 + number), 255, np.uint8))[1]))
    with served(folder) as server, desk(chromium, server.page) as seat:
        page = seat.page
        page.goto(f"http://127.0.0.1:{server.port}/desk")
        section(page, "scan")
        page.on("dialog", stay)
        page.route("**/api/upload", hold)
        page.set_input_files("#files", files)
        page.get_by_text("0.png is on its way, and 2 behind it").wait_for()
        page.close(run_before_unload=True)
        page.wait_for_timeout(300)
        assert asked == ["beforeunload"]
        page.unroute("**/api/upload")
        page.locator("#fates .retake", has_text="2.png").wait_for()
        page.close(run_before_unload=True)
        page.wait_for_event("close")
        assert asked == ["beforeunload"], "everything is sent"
    assert len(facts(folder, "scan received")) == 3


def test_files_on_their_way_are_told_beside_those_that_are_read(chromium: Any, tmp_path: Path) -> None:
    folder, files, held = printed(tmp_path / "cup"), [], []

    def send_first(route: Any) -> None:
        held.append(route)
        if len(held) == 1:
            route.continue_()

    for number in range(3):
        files.append(tmp_path / f"{number}.png")
        files[-1].write_bytes(bytes(cv2.imencode(".png", np.full((600, 300 + number), 255, np.uint8))[1]))
    with served(folder) as server, desk(chromium, server.page) as seat:
        page = seat.page
        page.goto(f"http://127.0.0.1:{server.port}/desk")
        section(page, "scan")
        page.route("**/api/upload", send_first)
        page.set_input_files("#files", files)
        page.get_by_text("1 file came and is read; 2 files are on their way").wait_for()
        for number in (1, 2):
            until(page, "document.querySelector('#fates').textContent.includes('is on its way')")
            held[number].continue_()
            page.wait_for_timeout(300)
        page.get_by_text("3 files came, all are read").wait_for()
        assert "on their way" not in page.inner_text("#scan")


def test_a_copy_is_restored_in_the_browser_and_the_next_act_works(chromium: Any, tmp_path: Path) -> None:
    folder = printed(tmp_path / "cup")
    with (
        started(tmp_path, "desk", "--no-browser", "--port", "0", "--by", "Tess") as link,
        desk(chromium, link) as seat,
    ):
        page = seat.page
        page.goto(f"{link.split('/door')[0]}/events")
        page.get_by_text("An event in another folder").click()
        page.get_by_label("folder", exact=True).fill(str(folder))
        page.get_by_role("button", name="Open it", exact=True).click()
        section(page, "settings").get_by_text("Copies of the event").click()
        page.get_by_role("button", name="Copy now").click()
        page.get_by_text("every scan in the copies was verified").wait_for()
        page.get_by_role("link", name="Restore one…").click()
        before = page.wait_for_selector(f"[data-folder='{folder}'][aria-pressed=true]")

        page.get_by_role("button", name="Restore this…").first.click()
        asked = page.locator("#copies .asked")
        assert f"The event in {folder} is replaced by the copy of" in asked.inner_text()
        asked.get_by_role("button", name="Replace it by this copy").click()

        page.get_by_text("✓ restored from the copy of").wait_for()
        assert not before.evaluate("(node) => node.isConnected"), "the tiles are drawn anew"
        assert page.locator(f"[data-folder='{folder}'][aria-pressed=true]").count() == 1
        page.wait_for_load_state("networkidle")
        assert page.locator(".bad:visible").all_inner_texts() == []
        page.get_by_role("link", name="To the event").click()
        section(page, "roll").get_by_role("button", name="Ada: comes later").click()
        page.wait_for_selector("[aria-label='Ada: comes later'][aria-pressed=true]")
        assert page.locator(".bad:visible").all_inner_texts() == []
    assert (tmp_path / "cup-replaced-1" / "event.db").exists()
    assert facts(folder, "roll called")
