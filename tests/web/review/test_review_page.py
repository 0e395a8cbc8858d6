"""The review page in a real browser: the picture fills its frame, keys that do nothing are not offered, fingers do."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from desk.cup import clock
from facts_as_kept import append_fact

from pipeline.desk.event.event import open_event
from pipeline.desk.sheets.sheets_in import page_path
from web.conftest import make_event
from web.driven import GUARD_MS, IN_CHROMIUM, Desk, Served, desk, facts, served

pytestmark = list(IN_CHROMIUM)
STRAY = "e" * 64


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An event with sheets in; the doubtful row has ink on its left half, and a page of another event came in."""
    make_event(tmp_path / "cup")
    row = np.full((177, 1402), 250, np.uint8)
    cv2.putText(row, "A Vie - Ga?", (60, 110), cv2.FONT_HERSHEY_SIMPLEX, 2, (20,), 5)
    crops = tmp_path / "cup" / "out" / "crops"
    cv2.imwrite(str(crops / "ffffffffffffffff-p1-r1.png"), row)
    cv2.imwrite(str(tmp_path / "cup" / page_path(STRAY, 1)), np.full((900, 640), 220, np.uint8))
    page = {"sha256": STRAY, "page": 1, "tray": "foreign", "text": "a sheet of the event ELSE", "offers": []}
    with open_event(tmp_path / "cup", clock) as event:
        append_fact(event.facts, "page read", page, "test")
    return tmp_path / "cup"


@pytest.fixture
def server(folder: Path) -> Iterator[Served]:
    """Its pages."""
    with served(folder) as found:
        yield found


def decided(folder: Path) -> int:
    """The number of the newest fact."""
    with open_event(folder, clock) as event:
        return event.facts.last_number()


def keys(tess: Desk) -> set[str]:
    """The keys that the foot of the page offers."""
    return set(tess.page.locator("footer kbd").all_inner_texts())


def to_the_row(tess: Desk) -> None:
    """Put the foreign page aside, so that the doubtful row is next."""
    tess.shown()
    tess.press("x")
    assert tess.kind() == "row"


def test_a_foreign_page_is_shown_and_only_what_can_be_done_with_it_is_offered(chromium: Any, server: Served) -> None:
    with desk(chromium, server.page) as tess:
        tess.shown()
        assert tess.kind() == "page"
        assert tess.page.evaluate("document.querySelector('#beside .sheet img').naturalWidth") == 640
        assert keys(tess) == {"X", "Z", "S", "B", "?"}


def test_the_frame_ends_where_the_writing_does_and_no_ink_is_out_of_it(
    chromium: Any, server: Served, folder: Path
) -> None:
    row = np.asarray(cv2.imread(str(folder / "out" / "crops" / "ffffffffffffffff-p1-r1.png"), cv2.IMREAD_GRAYSCALE))
    share = int(np.nonzero(row.min(axis=0) < 150)[0].max()) / row.shape[1]
    with desk(chromium, server.page) as tess:
        to_the_row(tess)
        frame = tess.page.locator("#picture").bounding_box()
        image = tess.page.locator("#crop").bounding_box()
        ink_ends = share * image["width"]
        assert ink_ends < frame["width"] < ink_ends + 0.1 * image["width"]
        for width in (1920, 390):
            tess.page.set_viewport_size({"width": width, "height": 900})
            tess.page.wait_for_timeout(200)
            frame, image = tess.page.locator("#picture").bounding_box(), tess.page.locator("#crop").bounding_box()
            assert share * image["width"] < frame["width"] <= width


def test_keys_that_do_nothing_are_not_offered(chromium: Any, server: Served) -> None:
    with desk(chromium, server.page) as tess:
        to_the_row(tess)
        assert not keys(tess) & {"Enter", "P", "Y", "G", "C"}
        assert keys(tess) >= {"0", "E", "T", "S", "B", "U"}  # the page that was put aside can be taken back
        tess.press("u")
        assert tess.kind() == "page"
        assert "U" not in keys(tess)


def test_that_a_board_is_published_does_not_stay_above_the_questions_of_another(chromium: Any, server: Served) -> None:
    with desk(chromium, server.page) as tess:
        to_the_row(tess)
        told = (
            "{ ...state, published: { board: '1.1', phase: 'Spring 1901', maps: [], next: [], correct: '/correct' } }"
        )
        seen = []
        for answer in (told, "{ ...state, published: null }", "{ ...state, item: { ...state.item, board: '1.2' } }"):
            tess.page.evaluate(f"take({answer}).then(() => {{ state.published = null; }})")
            seen.append(tess.page.locator("#published").is_visible())
        assert seen == [True, True, False]


def test_a_finger_does_what_the_key_does(chromium: Any, server: Served, folder: Path) -> None:
    with desk(chromium, server.page) as tess:
        to_the_row(tess)
        before = tess.shown()
        tess.page.click("footer [data-key='0']")
        tess.page.wait_for_selector(f"body:not([data-token='{before}']):not(.busy)")
        assert len(facts(folder, "ruling")) == 1


def test_the_boards_lead_to_the_rows_that_wait_and_name_the_players(chromium: Any, server: Served) -> None:
    with desk(chromium, server.page) as tess:
        tess.shown()
        tess.page.keyboard.press("b")
        tess.page.wait_for_selector(".seat")
        assert tess.page.inner_text("#title") == "All boards"
        assert "Ada" in tess.page.inner_text(".seat >> nth=0")
        tess.page.click(".seat >> nth=0 >> text=settle")
        tess.page.wait_for_selector("body[data-kind=row]:not(.busy)")
        assert "Austria" in tess.page.inner_text("#title")


def test_what_a_panel_covers_cannot_be_decided(chromium: Any, server: Served, folder: Path) -> None:
    with desk(chromium, server.page) as tess:
        to_the_row(tess)
        before, page = decided(folder), tess.page
        for opener, panel_keys in (("b", {"B", "Esc"}), ("z", {"Z", "Esc"}), ("?", {"?", "Esc"})):
            page.keyboard.press(opener)
            page.wait_for_selector("#wide:not([hidden])")
            assert keys(tess) == panel_keys
            page.wait_for_timeout(GUARD_MS)
            for key in ("0", "Enter", "1", "x", "s", "g", "k", "t"):
                if opener != "b" or key != "Enter":  # there it presses the button that has the focus
                    page.keyboard.press(key)
            page.wait_for_timeout(200)
            assert page.locator("#wide").is_visible()
            assert decided(folder) == before
            page.keyboard.press("Escape")
            page.wait_for_selector("#desk:not([hidden])")
        page.keyboard.press("b")
        other = page.get_by_role("button", name="type the orders of England on board 1.1")
        other.wait_for()
        other.focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(".keying input")
        assert "England" in page.inner_text("#title")
        assert keys(tess) == {"Ctrl+Enter", "Esc"}
        assert decided(folder) == before, "nothing of the row behind it is decided"
        page.locator("footer [data-key='Esc']").click()
        page.wait_for_selector("#desk:not([hidden])")
        assert tess.kind() == "row"


@pytest.mark.parametrize("width", [1280, 1920])
@pytest.mark.parametrize("has_map", [True, False])
def test_the_answers_are_seen_beside_the_picture_of_a_whole_sheet(
    chromium: Any, server: Served, width: int, *, has_map: bool
) -> None:
    with desk(chromium, server.page) as tess:
        tess.page.set_viewport_size({"width": width, "height": 657})
        to_the_row(tess)
        answers = tess.page.evaluate(
            f"""async () => {{
                Object.assign(state.item, {{ line: 0, sheet: {{ url: '/static/none.png', covers: [] }} }});
                if (!{str(has_map).lower()}) state.item.map = null;
                await draw();
                document.querySelector('#beside img').style.height = '1400px';
                document.querySelector('main').classList.add('narrow'); // as for a picture with little ink
                return [...document.querySelectorAll('#choices .choice')].map((each) => each.getBoundingClientRect());
            }}"""
        )
        floor = tess.page.locator("footer").bounding_box()["y"]
        assert answers
        assert answers[0]["height"] > 20
        assert answers[0]["y"] + answers[0]["height"] <= floor


def test_a_high_picture_is_as_wide_as_the_page_while_three_answers_are_in_sight_below_it(
    chromium: Any, server: Served, folder: Path
) -> None:
    crop = folder / "out" / "crops" / "ffffffffffffffff-p1-r1.png"
    cv2.imwrite(
        str(crop), cv2.copyMakeBorder(np.asarray(cv2.imread(str(crop))), 0, 355 - 177, 0, 0, cv2.BORDER_REPLICATE)
    )
    with desk(chromium, server.page) as tess:
        tess.page.set_viewport_size({"width": 1280, "height": 657})
        to_the_row(tess)
        room, wide, last, floor = tess.page.evaluate(
            """() => {
                window.inkedPart = wholeOf; // ink down to its foot
                const answer = document.querySelector('#choices .choice');
                answer.after(answer.cloneNode(true));
                fit();
                const last = [...document.querySelectorAll('#choices .choice')].at(-1);
                return [$('title').clientWidth, $('picture').clientWidth, last.getBoundingClientRect().bottom,
                        $('keys').getBoundingClientRect().top];
            }"""
        )
        assert wide > 0.99 * room
        assert last <= floor
