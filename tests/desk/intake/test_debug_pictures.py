"""``scan --debug-pictures``: every stage of a page has its labelled picture, and the facts are the same as without."""

import re
import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pypdfium2
import pytest
from click.testing import CliRunner
from msgspec import Struct

from desk.cup import clock, openings_in, seated, with_facts
from desk.forms.table import Table, ticked
from pipeline.board import Power
from pipeline.cli.scan import scan_command
from pipeline.desk.event.event import open_event
from pipeline.desk.hands.reader import best_recogniser
from pipeline.desk.intake import reading_pool
from pipeline.desk.intake.albums import Albums
from pipeline.desk.intake.ingest import GUEST, PageIn, receive, take_in
from pipeline.desk.intake.reading_pool import Helpers
from pipeline.desk.sheets.printing import PrintWish, print_wish
from pipeline.paper.form import FormKind
from pipeline.paper.sheet_rows import Design
from pipeline.problems import Problem, Stopped
from pipeline.reading import album
from pipeline.reading.album import read_leaf
from pipeline.reading.pages import Grey
from pipeline.reading.recogniser import NoRecogniser, Recogniser
from pipeline.rehearsal.simulated_scans import Writer, write_and_scan

Papers = tuple[bytes, list[Path]]
TIDY = {Power.ENGLAND: 3, Power.FRANCE: 8}
STAGES = ["01-marks.png", "02-registered.png", "03-rows.png", "04-ink.png", "05-readers.png"]


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Mapping[Design, Papers]:
    """Two powers' Spring sheets in each design, written and scanned: the facts, and the files."""
    found = {}
    for design in Design:
        folder = tmp_path_factory.mktemp(design.value)
        with open_event(seated(folder / "cup"), clock) as event:
            printed = print_wish(event, 1, None, PrintWish(design=design))
        files = write_and_scan(printed, openings_in(printed, TIDY), folder / "scans", seed=5)
        found[design] = (folder / "cup" / "event.db").read_bytes(), list(files)
    return found


@pytest.fixture
def blanks(tmp_path: Path) -> tuple[Path, list[Grey]]:
    """An event in which nothing came in, and its sheets as they were printed."""
    with open_event(seated(tmp_path / "cup"), clock) as event:
        printed = print_wish(event, 1, None, PrintWish(design=Design.LINE))
    with pypdfium2.PdfDocument(printed.pdf) as document:
        drawn = [page.render(scale=200 / 72, grayscale=True).to_numpy() for page in document]
    return tmp_path / "cup", [np.ascontiguousarray(page.reshape(page.shape[:2])) for page in drawn]


class Watched(Struct, frozen=True):
    """What two powers' sheets came to while pictures of their stages were drawn."""

    facts: list[object]
    told: list[PageIn]
    problems: tuple[Problem, ...]
    pictures: Path


@pytest.fixture(scope="module")
def watched(
    tmp_path_factory: pytest.TempPathFactory, papers: Mapping[Design, Papers], engine: Recogniser
) -> Callable[[Design], Watched]:
    """Read the sheets of a design and draw their stages; once for all who look at them."""

    @cache
    def read(design: Design) -> Watched:
        db, files = papers[design]
        folder = tmp_path_factory.mktemp("watched")
        told, problems = scan(with_facts(folder / "cup", db), files, folder / "pictures", engine)
        return Watched(facts(folder / "cup"), told, problems, folder / "pictures")

    return read


@pytest.fixture(scope="module")
def unwatched(tmp_path_factory: pytest.TempPathFactory, papers: Mapping[Design, Papers]) -> Path:
    """The event whose sheets of free lines came in, and nobody read or watched them."""
    db, files = papers[Design.LINE]
    cup = with_facts(tmp_path_factory.mktemp("unwatched") / "cup", db)
    scan(cup, files, None)
    return cup


@pytest.fixture(scope="module")
def engine() -> Recogniser:
    """The net; to load it takes as long as to read a page."""
    return best_recogniser()


def scan(
    folder: Path,
    files: list[Path],
    pictures: Path | None,
    engine: Recogniser | None = None,
    helpers: Helpers | None = None,
) -> tuple[list[PageIn], tuple[Problem, ...]]:
    told: list[PageIn] = []
    albums = None if pictures is None else Albums.create(pictures)
    with open_event(folder, clock) as event:
        problems = take_in(event, files, engine or NoRecogniser(), told.append, helpers, albums=albums)
    return told, problems


def facts(folder: Path) -> list[object]:
    with open_event(folder, clock) as event:
        return [(fact.number, fact.by, fact.kind, fact.body) for fact in event.facts.read()]


def page_folders(pictures: Path) -> list[Path]:
    return sorted(leaf.parent for leaf in pictures.glob("*/*/leaf.json"))


def stages(folder: Path) -> list[dict[str, Any]]:
    """What is told of the stages of a page whose pictures are there, and no fault."""
    leaf = read_leaf(folder)
    assert leaf.get("faults", []) == []
    for stage in leaf["stages"]:
        picture = cv2.imread(str(folder / stage["picture"]))
        assert picture is not None
        assert picture[:40].min() < 128, "its name stands above it"
    return list(leaf["stages"])


def hangs_together(page: Path) -> str:
    """A page whose pictures and links all lead somewhere inside its album, without a script; its text."""
    text = page.read_text("utf-8")
    assert "<script" not in text
    assert "http" not in text
    for link in re.findall(r'(?:src|href)="([^"]+)"', text):
        assert (page.parent / link).is_file(), link
    return re.sub(r"<[^>]+>", "", text)


@pytest.mark.slow
@pytest.mark.parametrize("design", list(Design))
def test_every_stage_has_a_labelled_picture_and_the_facts_are_the_same(
    tmp_path: Path,
    watched: Callable[[Design], Watched],
    papers: Mapping[Design, Papers],
    engine: Recogniser,
    design: Design,
) -> None:
    db, files = papers[design]
    plain, seen = with_facts(tmp_path / "plain", db), watched(design)

    scan(plain, files, None, engine)

    assert seen.facts == facts(plain)
    assert seen.problems == ()
    folders = page_folders(seen.pictures)
    assert len(folders) == len(seen.told) == 2
    assert re.fullmatch(r"IMG_4001\.jpg-[0-9a-f]{8}/page-1", folders[0].relative_to(seen.pictures).as_posix())
    for folder in folders:
        assert [stage["picture"] for stage in stages(folder)] == STAGES
        assert len(read_leaf(folder)["rows"]) == 3
        assert hangs_together(folder / "index.html").count("asked?") == 3
    front = hangs_together(seen.pictures / "index.html")
    assert all(page.text in front for page in seen.told)


@pytest.mark.slow
def test_what_each_row_came_to_is_told_beside_its_ink(watched: Callable[[Design], Watched]) -> None:
    (france,) = [each for each in page_folders(watched(Design.LINE).pictures) if "scan001" in each.parent.name]

    rows = read_leaf(france)["rows"]
    assert [row["readers"][0]["line"]["text"] for row in rows] == ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"]
    assert all(0 < row["readers"][0]["line"]["confidence"] <= 1 for row in rows)
    text = hangs_together(france / "index.html")
    assert text.count("no, it stands as it was read") == 3
    assert "A MAR S A PAR - BUR, clear: as written" in text
    ink = cv2.imread(str(france / rows[0]["ink"]))
    assert ink is not None
    blue, _, red = (ink[..., channel].astype(int) for channel in range(3))
    assert (blue - red > 90).sum() > 200, "a person's ink"
    assert (red - blue > 90).sum() > 200, "the dots of the line, taken out"


@pytest.mark.slow
def test_rows_that_nobody_read_are_told_to_be_asked(tmp_path: Path, papers: Mapping[Design, Papers]) -> None:
    db, files = papers[Design.TARGETS]
    scan(with_facts(tmp_path / "cup", db), files[:1], tmp_path / "pictures")

    (folder,) = page_folders(tmp_path / "pictures")
    assert [stage["picture"] for stage in stages(folder)] == STAGES
    text = hangs_together(folder / "index.html")
    assert text.count("yes, the director is asked") == 3
    assert [row["readers"] for row in read_leaf(folder)["rows"]] == [[None]] * 3, "it says nothing of itself"


@pytest.mark.slow
def test_several_processes_leave_the_same_pictures_as_one(
    tmp_path: Path,
    watched: Callable[[Design], Watched],
    papers: Mapping[Design, Papers],
    engine: Recogniser,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one = watched(Design.LINE)
    monkeypatch.setattr(reading_pool, "PAGES_BEFORE_HELPER", 0)
    db, files = papers[Design.LINE]
    two = with_facts(tmp_path / "two", db)
    with Helpers(two, 1, tmp_path / "by two") as helpers:
        scan(two, files, tmp_path / "by two", engine, helpers)

        assert len(helpers.processes) == 1
        assert helpers.lost == 0
    assert facts(two) == one.facts
    assert contents(tmp_path / "by two") == contents(one.pictures)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_a_page_that_cannot_be_laid_straight_shows_what_was_found_and_why(
    tmp_path: Path, blanks: tuple[Path, list[Grey]]
) -> None:
    cup, pages = blanks
    pages[0][:, :200] = 255  # two markers and all the bars of one side are gone
    pages[0][500:1500, 1400:] = 255
    cv2.imwrite(str(tmp_path / "torn.png"), pages[0])
    cv2.imwrite(str(tmp_path / "cut.png"), pages[1][:, 120:1300])  # one code is left

    told, _ = scan(cup, [tmp_path / "torn.png", tmp_path / "cut.png"], tmp_path / "pictures")

    assert [page.tray for page in told] == ["unidentified", "unidentified"]
    cut, torn = (stages(folder) for folder in page_folders(tmp_path / "pictures"))
    assert [stage["picture"] for stage in torn] == [stage["picture"] for stage in cut] == STAGES[:2]
    assert "found: 1 of 2 codes, 2 of 4 corner markers" in torn[1]["told"]
    assert any("7 of 34 bars" in each for each in torn[1]["told"])
    assert told[0].text.endswith(torn[1]["told"][0].removeprefix("why not: "))
    assert "found: 1 of 2 codes, 0 of 4 corner markers" in cut[1]["told"]
    for folder, page in zip(page_folders(tmp_path / "pictures"), told[::-1], strict=True):
        assert page.text in hangs_together(folder / "index.html")


@pytest.mark.slow
def test_pages_that_are_no_sheet_and_files_that_do_not_open_stand_on_the_front_page(
    tmp_path: Path, blanks: tuple[Path, list[Grey]]
) -> None:
    cup, pages = blanks
    cv2.imwrite(str(tmp_path / "empty.png"), np.full_like(pages[0], 250))
    (tmp_path / "broken.jpg").write_bytes(b"\xff\xd8 is how a JPEG begins")

    told, _ = scan(cup, [tmp_path / "empty.png", tmp_path / "broken.jpg"], tmp_path / "pictures")

    assert [page.tray for page in told] == ["blank", "unreadable"]
    front = hangs_together(tmp_path / "pictures" / "index.html")
    assert all(page.text in front for page in told)


@pytest.mark.slow
def test_of_several_sheets_on_a_picture_each_is_a_page_of_its_own(
    tmp_path: Path, blanks: tuple[Path, list[Grey]]
) -> None:
    cup, pages = blanks
    cv2.imwrite(str(tmp_path / "two.png"), np.hstack(pages[:2]))

    scan(cup, [tmp_path / "two.png"], tmp_path / "pictures")

    whole, *parts = page_folders(tmp_path / "pictures")
    assert [folder.name for folder in (whole, *parts)] == ["page-1", "page-1-part-1", "page-1-part-2"]
    assert [stage["picture"] for stage in stages(whole)] == ["01-marks.png", "02-sheets.png"]
    assert all([stage["picture"] for stage in stages(part)] == STAGES for part in parts)


@pytest.mark.slow
def test_what_is_ticked_on_a_pad_is_told_with_its_ink(tmp_path: Path) -> None:
    with open_event(seated(tmp_path / "cup"), clock) as event:
        pads = print_wish(event, 1, None, PrintWish(pads=1))
    mine = next(page.sheet for page in pads.layout.pages if page.power == "ENGLAND")
    bo = Writer(hand=3, player="Bo", lines={1: "F LON - NTH"}, slips={}, ticks=("spring", "1901"))
    files = write_and_scan(pads, {mine: bo}.get, tmp_path / "scans", seed=3)

    scan(tmp_path / "cup", list(files), tmp_path / "pictures")

    (folder,) = page_folders(tmp_path / "pictures")
    ink = next(stage for stage in stages(folder) if stage["picture"] == "04-ink.png")
    assert "ticked at the head: 1901, spring" in ink["told"]
    assert "yes, the director is asked" in hangs_together(folder / "index.html")


def test_a_form_shows_its_fields_and_what_was_read_in_them(tmp_path: Path) -> None:
    with open_event(seated(tmp_path / "cup"), clock) as event:
        table = Table(event, tmp_path)
        printed = table.printed(FormKind.VOTE, board="1.1")
        cv2.imwrite(str(tmp_path / "vote.png"), table.filled(printed, 0, ticked("vote: no")))

    scan(tmp_path / "cup", [tmp_path / "vote.png"], tmp_path / "pictures")

    (folder,) = page_folders(tmp_path / "pictures")
    names = [stage["picture"] for stage in stages(folder)]
    assert names == ["01-marks.png", "02-registered.png", "03-fields.png", "04-ink.png", "05-answers.png"]
    assert "Row 1: vote" in hangs_together(folder / "index.html")


@pytest.mark.slow
def test_a_scan_that_was_read_before_gets_its_pictures_and_no_new_fact(
    tmp_path: Path, papers: Mapping[Design, Papers], unwatched: Path
) -> None:
    _, files = papers[Design.LINE]
    cup = Path(shutil.copytree(unwatched, tmp_path / "cup"))
    before = facts(cup)

    told, _ = scan(cup, files[:1], tmp_path / "pictures")

    assert told == []
    assert facts(cup) == before
    (folder,) = page_folders(tmp_path / "pictures")
    assert [stage["picture"] for stage in stages(folder)] == STAGES
    assert "was read before" in hangs_together(folder / "index.html")


@pytest.mark.slow
def test_a_file_of_a_guest_that_was_read_before_gets_its_pictures(
    tmp_path: Path, papers: Mapping[Design, Papers], unwatched: Path
) -> None:
    _, files = papers[Design.LINE]
    cup = Path(shutil.copytree(unwatched, tmp_path / "cup"))
    again = tmp_path / "guest.pdf"
    again.write_bytes(files[0].read_bytes() + b"\n")
    with open_event(cup, clock) as event:
        receive(event, again, GUEST)
    scan(cup, [], None)

    scan(cup, [again], tmp_path / "pictures")

    assert len(page_folders(tmp_path / "pictures")) == 1


def test_a_picture_that_cannot_be_drawn_changes_nothing_and_is_told(
    tmp_path: Path, papers: Mapping[Design, Papers], unwatched: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db, files = papers[Design.LINE]
    cup = with_facts(tmp_path / "cup", db)

    def fails(stage: object) -> None:
        raise ValueError("no such colour")

    monkeypatch.setattr(album, "_draw_stage", fails)
    scan(cup, files, tmp_path / "pictures")

    assert facts(cup) == facts(unwatched)
    for folder in page_folders(tmp_path / "pictures"):
        assert "no such colour" in hangs_together(folder / "index.html")


def test_pages_of_an_album_that_cannot_be_written_are_noted_and_the_scans_are_read(
    tmp_path: Path, papers: Mapping[Design, Papers], unwatched: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db, files = papers[Design.LINE]
    cup = with_facts(tmp_path / "cup", db)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Albums, "write_page", full)
    _, problems = scan(cup, files, tmp_path / "pictures")

    assert facts(cup) == facts(unwatched)
    assert len(problems) == 2
    assert all("No space left on device" in problem.text for problem in problems)


@pytest.mark.parametrize("place", ["taken", "taken/below"])
def test_a_folder_that_cannot_be_written_is_told_before_anything_is_read(
    tmp_path: Path, papers: Mapping[Design, Papers], place: str
) -> None:
    db, files = papers[Design.LINE]
    cup = with_facts(tmp_path / "cup", db)
    before = facts(cup)
    (tmp_path / "taken").write_text("a file")

    arguments = [str(cup), *map(str, files), "--debug-pictures", str(tmp_path / place)]
    found = CliRunner().invoke(scan_command, arguments)

    assert isinstance(found.exception, Stopped)
    assert found.exception.code == 2
    assert [problem.where for problem in found.exception.problems] == [str(tmp_path / place)]
    assert "folder" in found.exception.problems[0].text
    assert facts(cup) == before


@pytest.mark.slow
def test_the_command_says_where_the_album_begins(tmp_path: Path, blanks: tuple[Path, list[Grey]]) -> None:
    cup, pages = blanks
    cv2.imwrite(str(tmp_path / "one.png"), pages[0])

    arguments = [str(cup), str(tmp_path / "one.png"), "--processes", "1", "--debug-pictures", str(tmp_path / "album")]
    found = CliRunner().invoke(scan_command, arguments)

    assert found.exit_code == 0
    assert str(tmp_path / "album" / "index.html") in found.stderr
    assert (tmp_path / "album" / "index.html").is_file()
