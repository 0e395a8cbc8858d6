"""Handing in from a telephone: kept first, looked at at once, read in the background."""

import time as real_time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pypdfium2
import pytest
from facts_as_kept import read_facts
from numpy.typing import NDArray
from reading.pdfs import empty_pdf
from sampled import slow_after

from pipeline import ink
from pipeline.board import Power
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.ledger.events import PageRead
from pipeline.paper.load_sheet import read_template
from pipeline.paper.printed_sheet import print_sheets
from pipeline.reading.recogniser import NoRecogniser, Recogniser, Tray
from pipeline.small_files import data_folder
from pipeline.web.server import Opened
from pipeline.web.upload import UploadReader, _must_retake
from web.conftest import Browser

Picture = NDArray[np.uint8]


@pytest.fixture(autouse=True)
def time_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine looks at a picture, too, before it answers."""
    monkeypatch.setattr("pipeline.web.upload.LOOK_S", 120.0)


@pytest.fixture
def paper(opened: Opened) -> Picture:
    """Italy's sheet as it comes out of the printer, at 200 dpi."""
    template = read_template((data_folder("templates/sheets") / "a4.toml").read_text("utf-8"), "a4.toml")
    sheets = printed_sheets(opened.office.event).values()
    request = next(sheet.request for sheet in sheets if sheet.request.power is Power.ITALY)
    document = pypdfium2.PdfDocument(print_sheets((request,), template))
    picture: Picture = document[0].render(scale=200 / 72, grayscale=True).to_numpy()
    flat = np.ascontiguousarray(picture.reshape(picture.shape[:2])).copy()
    document.close()
    return flat


def jpeg(picture: Picture) -> bytes:
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1])


def send(browser: Browser, name: str, content: bytes) -> dict[str, Any]:
    files = {"files": (name, content, "image/jpeg")}
    answer = browser.client.post("/api/upload", files=files, headers={"X-Token": browser.token})
    assert answer.status_code == 200, answer.text
    kept: dict[str, Any] = answer.json()["kept"][0]
    return kept


def test_a_good_picture_is_kept_and_read(opened: Opened, paper: Picture) -> None:
    phone = Browser(opened, "phone")
    kept = send(phone, "IMG_1.jpg", jpeg(paper))
    assert kept["spoilt"] == []
    facts = opened.office.event.facts
    assert [fact.body["sha256"] for fact in read_facts(facts, "scan received")] == [kept["sha256"]]
    for _ in range(300):
        fate = phone.client.get("/api/fate", params={"of": kept["sha256"]}).json()["files"][0]
        if fate["read"]:
            break
        real_time.sleep(0.1)
    assert [(page["tray"], page["retake"]) for page in fate["pages"]] == [("filed", False)]
    assert "Eva" not in str(fate)  # she plays Italy


@pytest.mark.parametrize(
    ("spoil", "says"),
    slow_after(
        1,
        [
            (lambda paper: cv2.GaussianBlur(paper, (0, 0), 2.2), "blurred"),
            (lambda paper: paper[:, : paper.shape[1] * 4 // 5], "bars"),
            (lambda paper: np.full_like(paper, 250), "other side"),
        ],
    ),
    ids=["blurred", "cut off", "the back"],
)
def test_a_bad_picture_is_kept_too_and_must_be_taken_again(
    opened: Opened, paper: Picture, spoil: Callable[[Picture], Picture], says: str
) -> None:
    kept = send(Browser(opened, "phone"), "IMG_2.jpg", jpeg(spoil(paper)))
    assert any(says in fault for fault in kept["spoilt"]), kept
    assert len(list(read_facts(opened.office.event.facts, "scan received"))) == 1


def test_what_is_no_picture_is_refused_and_leaves_nothing(opened: Opened) -> None:
    phone = Browser(opened, "phone")
    files = {"files": ("../../event.exe", b"MZ", "image/jpeg")}
    answer = phone.client.post("/api/upload", files=files, headers={"X-Token": phone.token})
    assert answer.status_code == 422
    assert not list(read_facts(opened.office.event.facts, "scan received"))
    assert phone.client.post("/api/upload", files={"files": ("a.jpg", b"x")}).status_code == 403


def test_the_screen_hands_nothing_in(opened: Opened) -> None:
    beamer = Browser(opened, "beamer")
    files = {"files": ("a.jpg", b"x", "image/jpeg")}
    assert beamer.client.post("/api/upload", files=files, headers={"X-Token": beamer.token}).status_code == 403


def test_whatever_fails_the_thread_reads_what_comes_next(opened: Opened) -> None:
    tries: list[str] = []

    def engine() -> Recogniser:
        tries.append(reading.failed)
        if len(tries) == 1:
            raise ZeroDivisionError("nobody thought of it")
        return NoRecogniser()

    reading = UploadReader(opened.office.event, engine)
    for is_open in (True, True, False):
        reading.wake.put(is_open)
        reading.work()
    assert "ZeroDivisionError" in tries[1]
    assert reading.failed == ""


def sent_raw(browser: Browser, head: bytes, kind: str) -> tuple[int, str]:
    """Send a file under a name as some program may write it."""
    body = b"--X\r\nContent-Disposition: form-data; " + head + b"\r\n\r\na picture\r\n--X--\r\n"
    answer = browser.client.post(
        "/api/upload", content=body, headers={"X-Token": browser.token, "Content-Type": f"multipart/form-data; {kind}"}
    )
    return answer.status_code, answer.text


@pytest.mark.parametrize("name", [b"a\x00b.jpg", b"a\x1bb.jpg", b"\xff\xfe.jpg", b"\xed\xa0\x80.jpg", b"../../up.jpg"])
def test_whatever_a_file_is_called_it_is_kept(opened: Opened, name: bytes) -> None:
    code, said = sent_raw(Browser(opened, "phone"), b'name="files"; filename="' + name + b'"', "boundary=X")
    assert code == 200, said
    assert len(list(read_facts(opened.office.event.facts, "scan received"))) == 1


@pytest.mark.parametrize(
    "letters", ["undefined", "idna", "punycode", "unicode_escape", "utf-16", "utf-7", "hex", "zzz"]
)
def test_in_whatever_letters_names_are_said_to_be_written_no_answer_is_a_fault_of_ours(
    opened: Opened, letters: str
) -> None:
    head = b'name="files"; filename="\\ud800 xn--\xff.jpg"'
    code, said = sent_raw(Browser(opened, "phone"), head, f"boundary=X; charset={letters}")
    assert code in (200, 422), said
    assert len(list(read_facts(opened.office.event.facts, "scan received"))) == (code == 200)


@pytest.mark.parametrize("error", slow_after(1, [cv2.error("resize"), MemoryError(), ValueError(), RecursionError()]))
def test_a_picture_that_cannot_be_looked_at_is_kept_and_read_all_the_same(
    opened: Opened, paper: Picture, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fails(*_: Any) -> tuple[str, ...]:
        raise error

    monkeypatch.setattr("pipeline.web.upload.glance", fails)
    phone = Browser(opened, "phone")
    kept = send(phone, "IMG_1.jpg", jpeg(paper))
    assert len(kept["spoilt"]) == 1
    for _ in range(300):
        if phone.client.get("/api/fate", params={"of": kept["sha256"]}).json()["files"][0]["read"]:
            return
        real_time.sleep(0.1)
    pytest.fail("it was not read")


def test_what_came_before_a_file_that_is_refused_is_kept_and_read(opened: Opened, paper: Picture) -> None:
    phone = Browser(opened, "phone")
    files = [("files", ("a.jpg", jpeg(paper), "image/jpeg")), ("files", ("b.exe", b"x", "image/jpeg"))]
    answer = phone.client.post("/api/upload", files=files, headers={"X-Token": phone.token})
    assert answer.status_code == 422
    (fact,) = read_facts(opened.office.event.facts, "scan received")
    for _ in range(300):
        if phone.client.get("/api/fate", params={"of": fact.body["sha256"]}).json()["files"][0]["read"]:
            return
        real_time.sleep(0.1)
    pytest.fail("it was not read")


def test_more_files_than_are_taken_at_once_are_told_and_nothing_is_kept(opened: Opened, paper: Picture) -> None:
    phone = Browser(opened, "phone")
    files = [("files", (f"{number}.jpg", jpeg(paper), "image/jpeg")) for number in range(61)]
    answer = phone.client.post("/api/upload", files=files, headers={"X-Token": phone.token})
    assert answer.status_code == 422
    assert "at most 60 files at once, and none was kept; send them in parts" in answer.text
    assert not list(read_facts(opened.office.event.facts, "scan received"))


def test_a_file_of_thousands_of_pages_is_refused_and_leaves_nothing(opened: Opened, tmp_path: Path) -> None:
    phone = Browser(opened, "phone")
    content = empty_pdf(tmp_path / "much.pdf", 5000).read_bytes()
    answer = phone.client.post("/api/upload", files={"files": ("much.pdf", content)}, headers={"X-Token": phone.token})
    assert answer.status_code == 422
    assert "the file has more than 60 pages" in answer.text
    assert not list(read_facts(opened.office.event.facts, "scan received"))


@pytest.mark.parametrize("fault", sorted(ink.RETAKE))
def test_a_poor_picture_is_taken_again_though_its_rows_were_read(fault: ink.PictureFault) -> None:
    """A pale strike through a row is lost where a picture is too light, and the row reads as if it stood."""
    box = ink.Box(left=0.0, top=0.0, width=100.0, height=8.0)
    line = ink.InkLine(number=1, box=box, readings=(), tier=ink.Tier.ACCEPTED)
    read = ink.Transcription(sheet_id="X", scan_sha256="a" * 64, page=1, reader="r", lines=(line,), residual_mm=0.1)
    data = {"rows": (1,)} if fault is ink.PictureFault.ROWS_HIDDEN else {}
    warned = (ink.PictureMessage.of(fault, **data),)
    page = PageRead(sha256="a" * 64, page=1, tray=Tray.FILED, transcription=read, warnings=warned, text="filed")
    assert _must_retake(page)
    assert not _must_retake(msgspec.structs.replace(page, warnings=()))
