"""The page in a real browser, driven by keys alone: the queue, undo, two desks, a reload, a killed server."""

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from desk.cup import hand_in, hand_in_all, inked, printed, spring
from facts_as_kept import append_fact
from msgspec.structs import replace

from pipeline.board import Power
from pipeline.desk.event.event import open_event
from pipeline.desk.sheets.sheets_in import crop_path, page_path, sheets_in
from pipeline.ink import Box, Tier
from pipeline.ledger.files import now
from web.conftest import PICTURE, make_event
from web.driven import GUARD_MS, IN_CHROMIUM, PAINTED, Served, Server, desk, facts, served, stopped_clock

pytestmark = list(IN_CHROMIUM)

SHEET_PICTURE = bytes(cv2.imencode(".jpg", np.full((2339, 1654), 250, np.uint8))[1])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An event with sheets in."""
    make_event(tmp_path / "cup")
    return tmp_path / "cup"


@pytest.fixture
def server(folder: Path) -> Iterator[Served]:
    """Its pages."""
    with served(folder) as found:
        yield found


def test_the_whole_queue_by_keyboard_to_the_published_board(chromium: Any, server: Served, folder: Path) -> None:
    with desk(chromium, server.page) as tess:
        for _ in range(30):
            tess.shown()
            match tess.kind():
                case "sheet":
                    tess.press("n")
                case "check":
                    tess.press("Enter")
                case "row":
                    tess.press("0")
                case "ready":
                    break
        assert "Publish Spring 1901 as it stands here" in tess.page.inner_text("#wide")
        assert facts(folder, "published") == []
        tess.page.wait_for_timeout(600)
        tess.press("g")
        assert len(facts(folder, "published")) == 1
        assert "is published" in tess.page.inner_text("#published")
        assert tess.kind() == "nothing"


def test_a_page_in_nobodys_tray_is_put_aside(chromium: Any, server: Served, folder: Path) -> None:
    page = {"sha256": "e" * 64, "page": 1, "tray": "unidentified", "text": "no codes", "offers": []}
    with open_event(folder, now) as event:
        append_fact(event.facts, "page read", page, "test")
    with desk(chromium, server.page) as tess:
        tess.shown()
        assert (tess.kind(), tess.page.inner_text("#choices h2")) == ("page", "Whose sheet is this page?")
        tess.press("x")
        assert tess.kind() != "page"
    assert len(facts(folder, "page set aside")) == 1


def test_typing_completes_from_the_legal_orders_and_says_what_the_ink_would_mean(
    chromium: Any, server: Served, folder: Path
) -> None:
    with desk(chromium, server.page) as tess:
        tess.shown()
        assert "A Vie - Ga?" in tess.page.inner_text("#choices")
        tess.page.keyboard.press("t")
        tess.page.wait_for_selector("#typing input")
        tess.page.keyboard.type("A Vie - Gal")
        tess.page.wait_for_selector(".meaning b:text('A VIE - GAL')")
        tess.page.keyboard.press("Escape")
        tess.shown()
        tess.page.keyboard.press("e")
        tess.page.wait_for_selector("#typing input")
        tess.page.keyboard.type("vie tri")
        tess.page.wait_for_selector(".complete li.at:has-text('A VIE - TRI')")
        tess.page.keyboard.press("Enter")
        tess.page.wait_for_selector("#typing", state="hidden")
        tess.shown()
        assert [('"order": "A VIE - TRI"' in body) for body in facts(folder, "ruling")] == [True]


def test_a_press_sooner_than_the_guard_decides_nothing(chromium: Any, server: Served, folder: Path) -> None:
    with desk(chromium, server.page) as tess:
        first = tess.shown()
        with stopped_clock(tess.page):
            tess.page.keyboard.press("0")
            tess.page.keyboard.press("0")
            tess.page.wait_for_selector(f"body:not([data-token='{first}']):not(.busy)")
            tess.page.keyboard.press("0")
            tess.page.keyboard.press("s")
            tess.shown()
            assert len(facts(folder, "ruling")) == 1
        tess.press("0")
        assert len(facts(folder, "ruling")) == 2


def test_undo_redo_and_a_reload_in_the_middle(chromium: Any, server: Served, folder: Path) -> None:
    with desk(chromium, server.page) as tess:
        first = tess.shown()
        second = tess.press("0")
        assert tess.press("u") == first
        assert tess.press("y") == second
        tess.page.reload()
        assert tess.shown() == second
        assert tess.press("u") == first
        assert len(facts(folder, "ruling undone")) == 2


def test_two_undos_pressed_at_once_are_two(chromium: Any, server: Served, folder: Path) -> None:
    with desk(chromium, server.page) as tess:
        first = tess.shown()
        tess.press("0")
        tess.press("0")
        tess.page.keyboard.press("u")
        tess.page.keyboard.press("u")
        tess.page.wait_for_selector(f"body[data-token='{first}']:not(.busy)")
        assert len(facts(folder, "ruling undone")) == 2


def test_two_browsers_never_show_the_same_row(chromium: Any, server: Served) -> None:
    with desk(chromium, server.page) as tess, desk(chromium, server.page.split("?")[0]) as anna:
        anna.page.select_option("select", "Anna")
        anna.page.fill("input[name=pin]", server.pin("Anna"))
        anna.page.keyboard.press("Enter")
        first = tess.shown()
        second = anna.shown()
        assert first != second
        tess.page.goto("about:blank")  # she goes away: her row is free at once
        anna.page.wait_for_timeout(300)
        assert anna.press("s") == first


def test_a_killed_server_loses_nothing_and_the_browser_goes_on_by_the_new_pin(chromium: Any, folder: Path) -> None:
    server = Server(folder)
    with desk(chromium, server.page) as tess:
        tess.press("0")
        second = tess.shown()
        server.end(kill=True)
        tess.page.keyboard.press("0")
        tess.page.wait_for_selector("#said:not([hidden])")
        assert "nothing was decided" in tess.page.inner_text("#said")
        assert len(facts(folder, "ruling")) == 1
        again = Server(folder, server.port)
        tess.page.wait_for_selector("input[name=pin]", timeout=15_000)
        tess.page.select_option("select", "Tess")
        tess.page.fill("input[name=pin]", again.pin("Tess"))
        tess.page.keyboard.press("Enter")
        tess.page.wait_for_url("**/")
        assert tess.shown() == second
        tess.press("0")
        assert len(facts(folder, "ruling")) == 2
        again.end()


def test_the_page_quotes_a_rule_where_one_decides_and_none_where_the_reader_is_in_doubt(
    chromium: Any, server: Served
) -> None:
    """The first row could not be read for sure; the fleet of the third one cannot reach Finland (WM VI.2.b)."""
    quoted = {}
    with desk(chromium, server.page) as tess:
        for _ in range(2):
            tess.shown()
            head = tess.page.inner_text("#choices h2")
            quoted[head] = tess.page.locator("#choices blockquote").all_inner_texts()
            tess.press("S")

    (rule,) = quoted["Read: “F Tri - Fin”"]
    assert rule.startswith("§ WM VI.2.b an order is understood and impossible")
    assert quoted["Read: “A Vie - Ga?”"] == []


def test_at_twice_the_size_the_row_and_its_choices_are_still_in_sight(chromium: Any, server: Served) -> None:
    with desk(chromium, server.page) as tess:
        tess.page.set_viewport_size({"width": 683, "height": 384})
        tess.page.reload()
        tess.shown()
        for seen in ("#title", "#picture", "#choices h2"):
            box = tess.page.locator(seen).first.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= 384 - 20, seen
        assert tess.page.evaluate("document.documentElement.scrollWidth") <= 683


def test_two_scans_that_differ_stand_side_by_side_and_one_key_takes_one_of_them(
    chromium: Any, server: Served, folder: Path
) -> None:
    with open_event(folder, now) as event:
        (first,) = sheets_in(event)[spring(Power.TURKEY)][0].scans
        second = [inked(row, text) for row, text in enumerate(("A CON - SMY", "A SMY - ARM", "F ANK - BLA"), start=1)]
        hand_in(event, spring(Power.TURKEY), second, sha256="e" * 64)
        for scan, row in product((first.scan_sha256, "e" * 64), (1, 2)):
            (folder / crop_path(scan, 1, row)).write_bytes(PICTURE)
    with desk(chromium, server.page) as tess:
        while "Turkey" not in tess.page.inner_text("#title"):
            tess.press("s")
        for row in (1, 2):
            tess.shown()
            shown = (
                tess.page.inner_text("#scans figcaption >> nth=0"),
                tess.page.inner_text("#scans figcaption >> nth=1"),
            )
            assert [words.split(" · ")[0] for words in shown] == ["first scan", "second scan"]
            assert tess.page.locator("#scans img").count() == 2
            first, second = (tess.page.inner_text(f"[data-key='{key}'] b") for key in "12")
            assert (first, second) == ("The whole first scan", "The whole second scan"), row
            if row == 1:
                tess.page.keyboard.press("s")
        tess.press("2")
    said = [json.loads(body)["text"] for body in facts(folder, "ruling")]
    assert said == ["A CON - SMY", "A SMY - ARM"]


@pytest.mark.parametrize("is_slow", [False, True], ids=["", "slow"])
@pytest.mark.parametrize("size", [(1280, 657), (1280, 720), (390, 844)], ids=["1280x657", "1280x720", "390x844"])
def test_the_sheet_stands_at_the_row_that_is_asked_about(
    chromium: Any, tmp_path: Path, size: tuple[int, int], is_slow: bool
) -> None:
    low = replace(inked(1, "A Vie - Ga?", Tier.ASKED), box=Box(22, 240, 160, 10))
    with open_event(printed(tmp_path / "cup"), now) as event:
        hand_in_all(event, but=Power.AUSTRIA)
        hand_in(event, spring(Power.AUSTRIA), [low], sha256="f" * 64)
        picture = event.folder / page_path("f" * 64, 1)
        picture.parent.mkdir(parents=True)
        picture.write_bytes(SHEET_PICTURE)
        (event.folder / crop_path("f" * 64, 1, 1)).write_bytes(PICTURE)
    with served(tmp_path / "cup") as server, desk(chromium, server.page) as tess:
        tess.page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
        waits: list[Any] = []
        if is_slow:
            tess.page.route(f"**/{picture.name}", lambda route: waits.append(route))  # noqa: PLW0108 - it marks its function
        tess.shown()
        assert tess.kind() == "row"
        tess.page.keyboard.press("z")
        tess.page.wait_for_selector("#wide .outline", state="attached")
        tess.page.wait_for_timeout(GUARD_MS)
        for route in waits:
            route.continue_()
        tess.page.evaluate(PAINTED)
        top, bottom = tess.page.evaluate(
            """() => {
                const { top, bottom } = document.querySelector(".outline").getBoundingClientRect();
                return [top, bottom];
            }"""
        )
        assert 0.2 * size[1] < top < bottom < 0.9 * size[1]
