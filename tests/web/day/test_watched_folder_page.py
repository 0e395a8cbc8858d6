"""A folder that is watched from the page: a full one is asked about, it stops at once, strays go together."""

import time as real_time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from desk.cup import hand_in_all
from facts_as_kept import read_facts

from pipeline.desk.intake import watching
from pipeline.desk.intake.watching import SETTLED_S, WatchedFolder
from pipeline.problems import Stopped
from pipeline.reading.recogniser import NoRecogniser
from pipeline.web.round_page import read_folder
from pipeline.web.server import Opened
from pipeline.web.upload import UploadReader
from web.conftest import Browser
from web.day.test_day import post


def holiday(folder: Path, count: int) -> Path:
    """A folder of pictures that are no sheets, each another."""
    folder.mkdir()
    for number in range(count):
        noise = np.random.default_rng(number).integers(0, 255, (60, 80), np.uint8)
        (folder / f"beach{number}.jpg").write_bytes(bytes(cv2.imencode(".jpg", cv2.resize(noise, (640, 480)))[1]))
    return folder


def received(opened: Opened) -> int:
    return len(list(read_facts(opened.office.event.facts, "scan received")))


def test_a_folder_that_is_full_is_asked_about_before_anything_in_it_is_taken(
    opened: Opened, tess: Browser, tmp_path: Path
) -> None:
    folder, before = holiday(tmp_path / "beach", 3), received(opened)
    (folder / "._beach0.jpg").write_bytes(b"macOS")
    (folder / "more").mkdir()
    asked = post(tess, "/api/day/watch", {"folder": str(folder)})
    assert (asked["full"], asked["names"]) == (3, ["beach0.jpg", "beach1.jpg", "beach2.jpg"])
    assert tess.client.get("/api/day").json()["scan"]["watching"] == ""
    post(tess, "/api/day/watch", {"folder": str(folder), "old": "leave"})
    scan = tess.client.get("/api/day").json()["scan"]
    assert (scan["watching"], scan["folders"]) == (str(folder), 1)
    assert received(opened) == before


def test_an_empty_folder_is_watched_at_once(opened: Opened, tess: Browser, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    assert post(tess, "/api/day/watch", {"folder": str(tmp_path / "in")})["full"] == 0
    assert tess.client.get("/api/day").json()["scan"]["watching"] == str(tmp_path / "in")


def test_stop_leaves_what_is_not_taken_yet(opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, before = holiday(tmp_path / "beach", 4), received(opened)
    reading = UploadReader(opened.office.event, NoRecogniser)
    now = 0.0
    reading.watched = WatchedFolder(folder, lambda: now)
    assert reading.watched.take_complete_files() == []
    now = SETTLED_S

    def take_one(*arguments: Any, **_: Any) -> tuple[()]:
        if arguments[1]:
            taken.append(arguments[1])
            reading.watch(None)
        return ()

    taken: list[Any] = []
    monkeypatch.setattr("pipeline.web.upload.take_in", take_one)
    reading.wake.put(True)
    reading.work()
    assert len(taken) == 1
    assert received(opened) == before


def test_a_file_of_macos_beside_a_scan_is_no_scan(tmp_path: Path) -> None:
    (tmp_path / "._x.pdf").write_bytes(b"Mac OS X %%EOF")
    watched = watching.WatchedFolder(tmp_path, lambda: 0.0)
    assert watched.present() == {}


def test_all_pages_that_are_no_sheets_are_put_aside_at_once_and_none_is_to_be_taken_again(
    opened: Opened, tess: Browser, tmp_path: Path
) -> None:
    hand_in_all(opened.office.event)
    folder, before = holiday(tmp_path / "beach", 3), received(opened)
    for path in sorted(folder.iterdir()):
        files = {"files": (path.name, path.read_bytes(), "image/jpeg")}
        answer = tess.client.post("/api/upload", files=files, headers={"X-Token": tess.token}).json()["kept"][0]
        assert answer["spoilt"]
        assert not answer["retake"], "it is no sheet: no better picture makes it one"
    for _ in range(100):
        if tess.client.get("/api/day").json()["scan"]["unread"] == 0:
            break
        real_time.sleep(0.1)
    fates = tess.client.get("/api/fate", params={"of": answer["sha256"]}).json()["files"]
    assert [page["retake"] for page in fates[0]["pages"]] == [False]
    item = tess.look()["item"]
    while item["kind"] != "page":
        tess.press("later")
        item = tess.item
    assert {choice["key"]: choice["order"] for choice in item["choices"]}["A"] == "put 3 pages aside"
    tess.press("aside", value="kind")
    assert len(list(read_facts(opened.office.event.facts, "page set aside"))) == 3
    assert received(opened) == before + 3


def test_a_folder_s_name_that_is_refused_is_said_in_full_up_to_120_letters() -> None:
    for name in ("~" + "x" * more for more in (1, 118, 119, 120, 5000)):
        with pytest.raises(Stopped) as refused:
            read_folder(name)
        assert refused.value.problems[0].where == (name if len(name) <= 120 else f"{name[:120]}…")
