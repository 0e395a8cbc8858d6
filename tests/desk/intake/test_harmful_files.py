"""A file that harms whatever opens it is kept and told, and all that came with it is read."""

import time
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from facts_as_kept import read_facts
from PIL import Image
from reading.pdfs import empty_pdf, tiled

from pipeline.cli.scan import scan_command
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.intake import ingest
from pipeline.desk.intake.ingest import PageIn, Portion, pass_over, receive, take_in
from pipeline.desk.review.orders_shown import status
from pipeline.ledger.files import now
from pipeline.problems import Stopped
from pipeline.reading import pages
from pipeline.reading.recogniser import NoRecogniser


def white(path: Path, count: int = 1) -> Path:
    """Write a file of so many white pages."""
    page = Image.fromarray(np.full((1200, 900), 250, np.uint8))
    page.save(path, save_all=True, append_images=[page] * (count - 1), title=path.name)
    return path


@pytest.mark.parametrize("name", ["much.pdf", "much.tif"])
def test_a_file_of_thousands_of_pages_is_told_at_once_and_what_came_with_it_is_read(
    event: Event, tmp_path: Path, name: str
) -> None:
    if name.endswith("pdf"):
        empty_pdf(tmp_path / name, 5000)
    else:
        tiny = Image.fromarray(np.zeros((1, 1), np.uint8))
        tiny.save(tmp_path / name, save_all=True, append_images=[tiny] * 1200)
    told: list[PageIn] = []
    began = time.monotonic()

    take_in(event, [tmp_path / name, white(tmp_path / "z.pdf")], NoRecogniser(), told.append)

    assert [(page.name, page.page, page.tray) for page in told] == [(name, 0, "unreadable"), ("z.pdf", 1, "blank")]
    assert told[0].text.startswith("the file has more than 1,000 pages, and none was read; save it in parts")
    assert time.monotonic() - began < 20
    assert any(problem["where"].startswith(name) for problem in status(event)["problems"])


def test_of_a_file_that_takes_too_long_the_rest_is_not_read_and_told(
    event: Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ingest.PORTIONS, "upload", Portion(60, 0.0))
    receive(event, white(tmp_path / "slow.pdf", 3), "upload")
    told: list[PageIn] = []

    take_in(event, [], NoRecogniser(), told.append)
    take_in(event, [], NoRecogniser(), told.append)

    assert [(page.page, page.tray) for page in told] == [(1, "blank"), (0, "unreadable")]
    assert told[1].text.startswith("the pages after page 1 were not read: the file takes longer than 0 minutes")


def test_what_a_desk_hands_in_is_read_before_the_rest_of_what_a_guest_did(event: Event, tmp_path: Path) -> None:
    receive(event, white(tmp_path / "guest.pdf", 3), "upload")
    told: list[PageIn] = []

    def tell(page: PageIn) -> None:
        told.append(page)
        if len(told) == 1:
            receive(event, white(tmp_path / "desk.pdf"), "assistant")

    take_in(event, [], NoRecogniser(), tell)

    places = [(page.name, page.page) for page in told]
    assert places == [("guest.pdf", 1), ("desk.pdf", 1), ("guest.pdf", 2), ("guest.pdf", 3)]
    assert len(list(read_facts(event.facts, "scan read"))) == 2
    assert len(list(read_facts(event.facts, "page read"))) == 4


def test_a_file_is_passed_over_while_it_is_read_and_the_next_one_is_read(event: Event, tmp_path: Path) -> None:
    files = [white(tmp_path / "long.pdf", 4), white(tmp_path / "next.pdf")]
    told: list[PageIn] = []

    def tell(page: PageIn) -> None:
        told.append(page)
        if len(told) == 2:
            with open_event(event.folder, now) as other:
                pass_over(other, "long.pdf", "Tess")

    take_in(event, files, NoRecogniser(), tell)
    take_in(event, [], NoRecogniser(), tell)

    assert [(page.name, page.page) for page in told] == [("long.pdf", 1), ("long.pdf", 2), ("next.pdf", 1)]
    assert len(list(read_facts(event.facts, "scan read"))) == 2
    problems = [str(problem["text"]) for problem in status(event)["problems"]]
    assert any("skipped: only its pages" in text for text in problems)
    with pytest.raises(Stopped, match="no file of this name waits"):
        pass_over(event, "long.pdf", "Tess")


def test_a_file_that_waits_is_passed_over_by_a_command(event: Event, tmp_path: Path) -> None:
    receive(event, white(tmp_path / "long.pdf", 4))

    result = CliRunner().invoke(scan_command, [str(event.folder), "--pass-over", "long.pdf", "--by", "Tess"])

    assert (result.exit_code, result.output[:17]) == (0, "long.pdf: skipped")
    told: list[PageIn] = []
    assert (take_in(event, [], NoRecogniser(), told.append), told) == ((), [])


def test_a_page_that_is_never_drawn_is_a_problem_and_everything_else_is_read(
    event: Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "ANSWERS_WITHIN_S", 2.0)
    (tmp_path / "harm.pdf").write_bytes(tiled())
    for name in ("a.pdf", "z.pdf"):
        Image.fromarray(np.full((1200, 900), 250, np.uint8)).save(tmp_path / name, title=name)
    told: list[PageIn] = []

    problems = take_in(event, sorted(tmp_path.glob("*.pdf")), NoRecogniser(), told.append)

    assert problems == ()
    trays = [(page.name, page.page, page.tray) for page in told]
    assert [trays[0], trays[2], trays[4]] == [
        ("a.pdf", 1, "blank"),
        ("harm.pdf", 2, "unreadable"),
        ("z.pdf", 1, "blank"),
    ]
    assert any(
        problem["where"].startswith("harm.pdf page 2") and "print the file again to PDF" in problem["text"]
        for problem in status(event)["problems"]
    )
    assert (tmp_path / "harm.pdf").read_bytes() in [path.read_bytes() for path in event.scans.iterdir()]
    assert len(list(read_facts(event.facts, "scan read"))) == 3

    assert take_in(event, (), NoRecogniser(), told.append) == ()
    assert len(told) == 5, "nothing is read twice"


def test_how_much_of_a_file_is_read_depends_on_who_hands_it_in() -> None:
    read = {by: (ingest.portion_of(by).pages, ingest.portion_of(by).seconds) for by in ("upload", "assistant", "scan")}
    assert read == {"upload": (60, 180), "assistant": (300, 900), "scan": (1000, 3600)}
    assert ingest.portion_of("director") == ingest.portion_of("scan")
