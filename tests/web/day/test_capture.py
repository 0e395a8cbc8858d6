"""The camera page: what is said of each picture, and a film of sheets that a real browser plays to it."""

import random
import struct
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pypdfium2
import pytest
from desk.forms.table import Table
from msgspec.structs import replace

from benchmarks.capture import Picture, make_film, play, print_event
from pipeline.board import Power
from pipeline.desk.event.people import Turn
from pipeline.desk.forms.forms_in import printed_forms
from pipeline.desk.ruling.rulings import type_lines
from pipeline.desk.sheets.printing import print_round
from pipeline.ledger.parts import Timing
from pipeline.paper.form import FormKind
from pipeline.paper.load_sheet import read_template
from pipeline.paper.printed_sheet import print_sheets
from pipeline.reading.identify import FrameSeen, _judge_marker
from pipeline.small_files import data_folder
from pipeline.web import upload
from pipeline.web.server import Opened, open_office
from pipeline.web.upload import _look_at, _name_and_timing, _picture_fault
from web.conftest import SEATS, Browser
from web.day.test_upload import jpeg
from web.driven import IN_CHROMIUM, desk, served


def drawn(pdf: bytes) -> Picture:
    """The first sheet of a print-out, at 200 dpi."""
    document = pypdfium2.PdfDocument(pdf)
    picture = document[0].render(scale=200 / 72, grayscale=True).to_numpy()
    flat = np.ascontiguousarray(picture.reshape(picture.shape[:2])).copy()
    document.close()
    return flat


@pytest.fixture
def paper(opened: Opened) -> Picture:
    """A sheet that was printed and is not in."""
    return drawn(print_round(opened.office.event, 1).pdf)


@pytest.fixture
def known(opened: Opened) -> Picture:
    """A sheet that is in."""
    template = read_template((data_folder("templates/sheets") / "a4.toml").read_text("utf-8"), "a4.toml")
    papers = opened.office.live.papers
    return drawn(print_sheets((papers.printed[next(iter(papers.readings))].request,), template))


def ask(browser: Browser, data: bytes, scale: float = 2) -> dict[str, object]:
    answer = browser.client.post(
        f"/api/capture/look?scale={scale}",
        content=data,
        headers={"X-Token": browser.token, "Content-Type": "image/jpeg"},
    )
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def on_a_table(paper: Picture, light: float = 1.0) -> Picture:
    """The sheet as a camera sees it: smaller, with a rim around it."""
    small = cv2.resize(paper, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    seen = cv2.copyMakeBorder(small, 30, 30, 30, 30, cv2.BORDER_CONSTANT, value=90)
    return (seen * light).astype(np.uint8)


def test_a_whole_sheet_is_to_be_taken_and_one_that_is_in_is_not(opened: Opened, paper: Picture, known: Picture) -> None:
    phone = Browser(opened, "phone")
    seen = ask(phone, jpeg(on_a_table(paper)))
    assert (seen["state"], str(seen["name"])[:9]) == ("take", "board 1.1")
    assert len(list(seen["outline"])) == 4  # type: ignore[call-overload]

    again = ask(phone, jpeg(on_a_table(known)))
    assert (again["state"], again["word"]) == ("again", "already in")


@pytest.mark.parametrize(
    ("spoil", "word"),
    [
        (lambda seen: seen[: int(0.8 * len(seen))], "all four corners"),
        (lambda seen: (seen * 0.25).astype(np.uint8), "too dark, hold it there"),
    ],
    ids=["cut off", "dark"],
)
def test_a_picture_that_a_better_one_mends_is_told_why(opened: Opened, paper: Picture, spoil, word: str) -> None:  # type: ignore[no-untyped-def]
    look = _look_at(opened.office, np.ascontiguousarray(spoil(on_a_table(paper))), 2)
    assert (look.state, look.word) == ("better", word)


def test_a_sharp_code_in_a_moved_picture_is_told_to_be_held_still() -> None:
    corners = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
    seen = FrameSeen(("A",), outline=corners, markers=4, px_per_mm=5, sharpness=0.7, light=200, contrast=150)
    assert _picture_fault(seen, 2) == "hold still"
    assert _picture_fault(replace(seen, sharpness=1.5), 2) == ""


def test_a_picture_that_moved_is_as_sharp_whichever_way_it_is_held() -> None:
    still = np.full((80, 80), 230, np.uint8)
    still[20:60, 20:60] = 20
    moved, corners = cv2.blur(still, (1, 9)), np.array([[20.0, 20], [60, 20], [60, 60], [20, 60]])
    across, down = (_judge_marker(np.ascontiguousarray(one), corners, 10.0) for one in (moved, np.rot90(moved)))
    assert across == pytest.approx(down)


@pytest.mark.parametrize(("low", "word"), [(1.002, ""), (1.03, "all four corners"), (0.9, "")])
def test_the_white_corner_of_a_sheet_may_touch_the_edge_of_the_picture(low: float, word: str) -> None:
    corners = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, low))
    seen = FrameSeen(("A",), outline=corners, markers=4, px_per_mm=5, sharpness=1.9, light=200, contrast=150)
    assert _picture_fault(seen, 2) == word


def test_from_too_far_away_it_says_come_nearer(opened: Opened, paper: Picture) -> None:
    look = _look_at(opened.office, on_a_table(paper), 1)
    assert (look.state, look.word) == ("better", "come nearer")


SAID = {  # of a sheet that is not expected now; one of a phase to come is taken all the same
    Timing.AGAIN: ("again", "already in"),
    Timing.ENDED: ("late", "the game is over"),
    Timing.PUBLISHED: ("late", "last season's"),
    Timing.EARLIER: ("late", "last season's"),
    Timing.NOTHING: ("late", "nothing is due on it"),
    Timing.WAITS: ("take", ""),
    None: ("take", ""),
}


def test_why_a_sheet_is_not_expected_is_said_on_the_phone(
    opened: Opened, paper: Picture, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert SAID.keys() == {*Timing, None}
    for timing, said in SAID.items():
        monkeypatch.setattr(upload, "_name_and_timing", lambda *_, now=timing: ("board 1.1", now))
        look = _look_at(opened.office, on_a_table(paper), 2)
        assert (look.state, look.word) == said


def test_two_sheets_in_one_picture_are_to_be_taken_one_at_a_time(
    opened: Opened, paper: Picture, known: Picture
) -> None:
    look = _look_at(opened.office, np.hstack([on_a_table(paper), on_a_table(known)]), 2)
    assert (look.state, look.word) == ("better", "one sheet at a time")


def test_a_code_of_something_else_is_not_ours_and_a_table_is_nothing(opened: Opened, tmp_path: Path) -> None:
    other = next(iter(print_event(tmp_path / "other", 1).values()))
    strange, nothing = (
        _look_at(opened.office, each, 2) for each in (on_a_table(other), np.full((800, 600), 90, np.uint8))
    )
    assert (strange.state, strange.word) == ("strange", "not ours")
    assert (nothing.state, nothing.word) == ("nothing", "")


def test_what_is_no_picture_is_refused(opened: Opened) -> None:
    phone = Browser(opened, "phone")
    answer = phone.client.post("/api/capture/look", content=b"no picture", headers={"X-Token": phone.token})
    assert (answer.status_code, "small JPEG" in answer.text) == (422, True)


@pytest.mark.parametrize("depth", [1, 8])
def test_a_picture_that_is_too_large_is_refused_before_it_is_unpacked(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, depth: int
) -> None:
    monkeypatch.setattr("pipeline.web.upload.cv2.imdecode", lambda *_: pytest.fail("it was unpacked"))
    head = b"IHDR" + struct.pack(">IIBBBBB", 32_000, 32_000, depth, 0, 0, 0, 0)
    parts = (head, b"IDAT" + zlib.compress(bytes(1000)), b"IEND")
    chunks = (struct.pack(">I", len(part) - 4) + part + struct.pack(">I", zlib.crc32(part)) for part in parts)
    phone = Browser(opened, "phone")
    answer = phone.client.post(
        "/api/capture/look", content=b"\x89PNG\r\n\x1a\n" + b"".join(chunks), headers={"X-Token": phone.token}
    )
    assert (answer.status_code, "small JPEG" in answer.text) == (422, True)


def test_whose_sheets_are_missing_is_told(opened: Opened) -> None:
    boards = Browser(opened, "phone").client.get("/api/capture/missing").json()["boards"]
    assert all(set(board) == {"board", "phase", "in", "of", "missing"} for board in boards)
    assert boards


def test_who_is_missing_is_the_same_for_the_camera_and_the_desk_though_lines_were_typed(tmp_path: Path) -> None:
    print_event(tmp_path / "event", 1)
    with open_office(tmp_path / "event", SEATS) as opened:
        with opened.office.inside() as live:
            turn = Turn("1.1", live.games["1.1"].position.phase, Power.FRANCE)
            type_lines(opened.office.event, turn, ["A PAR - BUR"], by="Tess")
        (told,) = Browser(opened, "phone").client.get("/api/capture/missing").json()["boards"]
        (board,) = Browser(opened, "Tess").client.get("/api/boards").json()["boards"]
    assert (told["in"], told["of"]) == (board["in"], board["of"]) == (1, 7)
    assert told["missing"] == ["Austria", "England", "Germany", "Italy", "Russia", "Turkey"]


LOOKS = [("a", 1.2), ("a", 2.0), ("b", 2.1), ("c", 1.5), ("c", 1.1)]  # the sheet of each picture, and its sharpness
CAMERA = """navigator.mediaDevices.getUserMedia = async () => {
  const canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
  let grey = 100;
  setInterval(() => { grey = 204 - grey; pen.fillStyle = `rgb(${grey},${grey},${grey})`;
    pen.fillRect(0, 0, 300, 150); }, 40);
  return canvas.captureStream(25);
};"""


@IN_CHROMIUM[0]
@IN_CHROMIUM[1]
def test_of_two_pictures_of_a_sheet_the_sharper_one_is_taken(chromium: Any, tmp_path: Path) -> None:
    said = iter(LOOKS)

    def answer(route: Any) -> None:
        sheet, sharpness = next(said, ("", 0.0))
        state = "take" if sheet else "nothing"
        route.fulfill(
            json={"state": state, "sheet": sheet, "name": sheet, "word": "", "outline": [], "sharpness": sharpness}
        )

    print_event(tmp_path / "event", 1)
    with served(tmp_path / "event") as server, desk(chromium, server.page) as tess:
        tess.page.add_init_script(CAMERA)
        tess.page.route("**/api/capture/look*", answer)
        tess.page.goto(f"http://127.0.0.1:{server.port}/capture")
        tess.page.evaluate("() => { took = []; take = (full, seen) => took.push([seen.sheet, seen.sharpness]); }")
        tess.page.click("#start")
        for _tenth in range(100):
            if len(tess.page.evaluate("took")) == 3:
                break
            tess.page.wait_for_timeout(100)
        assert tess.page.evaluate("took") == [["a", 2.0], ["b", 2.1], ["c", 1.5]]


@IN_CHROMIUM[0]
@IN_CHROMIUM[1]
def test_a_film_of_sheets_is_taken_each_once(chromium: Any, tmp_path: Path) -> None:
    pictures = print_event(tmp_path / "event", 1)
    shown = random.Random(5).sample(list(pictures), 2)
    make_film([pictures[sheet] for sheet in shown], 5, tmp_path / "film.mjpeg")

    film = tmp_path / "film.mjpeg"
    taken = play(chromium.browser_type, tmp_path / "event", film, 16, shown, patience=120)  # three times over, or more

    assert set(taken.filed) == set(shown), "every sheet under its own name, and no other"


@IN_CHROMIUM[0]
@IN_CHROMIUM[1]
def test_where_there_is_no_camera_it_says_so_and_leads_to_files(chromium: Any, tmp_path: Path) -> None:
    print_event(tmp_path / "event", 1)
    with served(tmp_path / "event") as server, desk(chromium, server.page) as tess:
        tess.page.goto(f"http://127.0.0.1:{server.port}/capture")
        tess.page.click("#start")
        tess.page.wait_for_selector("#word >> text=the camera could not be opened: there is none.")
        assert tess.page.locator("#word a").get_attribute("href") == "/upload"


def test_every_paper_of_the_event_that_is_held_to_the_camera_has_its_name(opened: Opened) -> None:
    """Sheets are named by board and power, with a word where they are in already; forms by what they are about."""
    table = Table(opened.office.event, opened.office.event.folder.parent)
    printed = table.printed(FormKind.VOTE, board="1.1")
    with opened.office.inside() as live:
        for sheet_id, sheet in live.papers.printed.items():
            is_in = bool(live.papers.readings.get(sheet_id))
            name = f"board 1.1 {sheet.request.power.title()}"
            assert _name_and_timing(opened.office, sheet_id) == (name, Timing.AGAIN if is_in else None)
        assert {bool(live.papers.readings.get(sheet_id)) for sheet_id in live.papers.printed} == {True}
        assert printed.pages
        for page in printed.pages:
            about = printed_forms(opened.office.event)[page.sheet].request.about
            assert _name_and_timing(opened.office, page.sheet) == (about, None)
            assert "Board 1" in about
