"""Scans are kept before they are read; every page ends in one tray; one bad page never stops the rest."""

import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from facts_as_kept import append_fact, read_facts
from msgspec import Struct
from numpy.typing import NDArray
from reading.stand_ins import Crashing, Recorded
from sampled import slow_after

from desk.cup import OPENINGS, clock, hand_in_all, openings_in, seated, sheets_of, spring, with_facts
from pipeline.board import FIRST_PHASE, Phase, Power
from pipeline.cli.scan import scan_command
from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.people import Turn
from pipeline.desk.intake.ingest import (
    PageIn,
    ScanReader,
    _draw_blank,
    _out_of_season,
    find_page,
    identify_page,
    receive,
    set_page_aside,
    take_in,
)
from pipeline.desk.publish.publish import publish
from pipeline.desk.review.orders_shown import _status_anew, status
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.ruling.rulings import type_lines
from pipeline.desk.sheets.pads import SheetState
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.desk.sheets.sheets_in import page_path
from pipeline.ink import InkLine, InkReading, Tier
from pipeline.ledger.events import PageRead
from pipeline.orders import write_position
from pipeline.problems import Stopped
from pipeline.reading.recogniser import NoRecogniser, Recogniser
from pipeline.rehearsal.simulated_scans import write_and_scan
from pipeline.scoring.results import Ending

READ_ALL = """
import sys
from pathlib import Path
from pipeline.ledger.files import now
from pipeline.desk.event.ending import end_game
from pipeline.desk.event.event import open_event
from pipeline.desk.intake.ingest import take_in
from pipeline.reading.recogniser import NoRecogniser
with open_event(Path(sys.argv[1]), now) as event:
    take_in(event, [Path(p) for p in sys.argv[2:]], NoRecogniser(), lambda page: None)
"""


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[Path]]:
    """Three powers' Spring sheets of the small event, written by a tidy hand and scanned: the facts, and the files."""
    folder = tmp_path_factory.mktemp("papers")
    with open_event(seated(folder / "cup"), clock) as event:
        printed = print_round(event, 1)
    tidy = dict.fromkeys((Power.ENGLAND, Power.FRANCE, Power.TURKEY), 3)
    files = write_and_scan(printed, openings_in(printed, tidy), folder / "scans", seed=5)
    return (folder / "cup" / "event.db").read_bytes(), list(files)


@pytest.fixture
def cup(tmp_path: Path, papers: tuple[bytes, list[Path]]) -> Path:
    """The folder of the event whose sheets were written."""
    return with_facts(tmp_path / "cup", papers[0])


class CameIn(Struct, frozen=True):
    """The event whose sheets came in, as they were told."""

    folder: Path
    told: list[PageIn]
    problems: list[str]

    def copied(self, folder: Path) -> Path:
        """Lay it into a new folder, which is given back."""
        return Path(shutil.copytree(self.folder, folder))


@pytest.fixture(scope="module")
def came_in(tmp_path_factory: pytest.TempPathFactory, papers: tuple[bytes, list[Path]]) -> CameIn:
    """The sheets come in, once for all who look at them."""
    folder = with_facts(tmp_path_factory.mktemp("came") / "cup", papers[0])
    return CameIn(folder, *scan(folder, papers[1]))


def scan(folder: Path, files: list[Path], engine: Recogniser | None = None) -> tuple[list[PageIn], list[str]]:
    told: list[PageIn] = []
    with open_event(folder, clock) as event:
        problems = take_in(event, files, engine or NoRecogniser(), told.append)
    return told, [str(problem) for problem in problems]


def test_pages_are_filed_whatever_their_order_and_side_and_their_rows_wait(tmp_path: Path, came_in: CameIn) -> None:
    cup = came_in.copied(tmp_path / "cup")

    assert came_in.problems == []
    told = sorted(page.text for page in came_in.told)
    assert told == [f"board 1.1 {p} Spring 1901" for p in ("ENGLAND", "FRANCE", "TURKEY")]
    with open_event(cup, clock) as event:
        desk = Desk.of(event)
        rows = desk.power(find_game(event, "1"), Power.ENGLAND).rows
        assert [(row.line, row.needs_director) for row in rows] == [(1, True), (2, True), (3, True)]
        assert all((cup / str(row.crop)).read_bytes().startswith(b"\x89PNG") for row in rows)
        assert desk.power(find_game(event, "1"), Power.ITALY).state is SheetState.MISSING


def test_a_sheet_of_a_phase_that_is_not_open_is_told_while_the_paper_is_in_the_hand(
    cup: Path, papers: tuple[bytes, list[Path]]
) -> None:
    with open_event(cup, clock) as event:
        hand_in_all(event)
        publish(event, "1", "Tess")

    (page,), _ = scan(cup, papers[1][-1:])

    assert page.tray == "filed"
    assert " Spring 1901; when it came, Spring 1901 was published and Fall 1901 open" in page.text


def test_a_sheet_of_a_position_that_was_corrected_is_filed_and_told(
    cup: Path, papers: tuple[bytes, list[Path]]
) -> None:
    with open_event(cup, clock) as event:
        here = write_position(find_game(event, "1").position)
        moved = here | {"units": here["units"] | {"FRANCE": ["A PAR", "A SPA", "F BRE"]}}
        append_fact(event.facts, "position set", {"board": "1.1", "position": moved}, "Tess")

    told, _ = scan(cup, papers[1])

    old = "; the position has changed since it was printed"
    assert {page.tray for page in told} == {"filed"}
    assert [page.text.split(old)[0] for page in told if old in page.text] == ["board 1.1 FRANCE Spring 1901"]


def scanned(blank: NDArray[np.uint8], seed: int) -> NDArray[np.uint8]:
    """A sheet as a scanner gives it: no paper is as white as white can be, nor without a grain."""
    grain = np.random.default_rng(seed).integers(6, 18, blank.shape)
    return np.asarray(np.maximum(blank.astype(np.int16) - grain, 0), np.uint8)


def test_four_sheets_that_were_not_expected_are_four_different_things(cup: Path, tmp_path: Path) -> None:
    """An earlier season, a published sheet, an ended board and the same pile again: none looks like one that counts."""
    first, second, third, again = (tmp_path / f"{name}.png" for name in ("first", "second", "third", "again"))
    with open_event(cup, clock) as event:
        for file, sheet in zip((first, second, third), printed_sheets(event), strict=False):
            cv2.imwrite(str(file), scanned(_draw_blank(event, sheet), seed=1))
        cv2.imwrite(str(again), scanned(_draw_blank(event, next(iter(printed_sheets(event)))), seed=2))
        value = write_position(find_game(event, "1").position) | {"phase": "S1902M"}
        append_fact(event.facts, "position set", {"board": "1.1", "position": value}, "Tess")
    assert {page.state for page in scan(cup, [first])[0]} == {"earlier"}

    (page,), _ = scan(cup, [again])
    assert (page.state, "came in before" in page.text) == ("again", True)
    told, problems = scan(cup, [first])
    assert (told, len(problems)) == ([], 1)
    assert "this file came in before" in problems[0]

    with open_event(cup, clock) as event:
        value = write_position(find_game(event, "1").position) | {"phase": "S1901M"}
        append_fact(event.facts, "position set", {"board": "1.1", "position": value}, "Tess")
        for power, lines in OPENINGS.items():
            type_lines(event, spring(power), lines, by="Tess")
        publish(event, "1", "Tess")
    assert {page.state for page in scan(cup, [second])[0]} == {"published"}

    with open_event(cup, clock) as event:
        end_game(event, find_game(event, "1"), Ending.TIME, by="Tess", why="the fire alarm")
    assert {page.state for page in scan(cup, [third])[0]} == {"game over"}
    with open_event(cup, clock) as event:
        late = [problem["text"] for problem in _status_anew(event)["problems"]]
    assert sum("the game is over" in text for text in late) == 1


def test_a_sheet_of_a_power_with_nothing_to_write_says_so(cup: Path, tmp_path: Path) -> None:
    file = tmp_path / "late.png"
    with open_event(cup, clock) as event:
        sheet = next(iter(printed_sheets(event)))
        power = printed_sheets(event)[sheet].request.power
        cv2.imwrite(str(file), _draw_blank(event, sheet))
        value = dict(write_position(find_game(event, "1").position))
        value["units"] = {name: units for name, units in value["units"].items() if name != power}
        append_fact(event.facts, "position set", {"board": "1.1", "position": value}, "Tess")
    (page,), _ = scan(cup, [file])
    assert (page.state, page.tray) == ("nothing due", "filed")
    assert f"{power} has nothing to write in Spring 1901" in page.text


def test_a_sheet_of_a_published_phase_is_read_as_it_would_have_been_in_time(cup: Path) -> None:
    with open_event(cup, clock) as event:
        sheet = sheets_of(event, spring(Power.FRANCE))[0]
        in_time = ScanReader.of(event, NoRecogniser()).vocabulary(sheet).lines
        for power, lines in OPENINGS.items():
            type_lines(event, spring(power), lines, by="Tess")
        publish(event, "1", "Tess")
        late = ScanReader.of(event, NoRecogniser())
        assert late.vocabulary(sheet).lines == in_time != ()
        print_round(event, 1, wish=PrintWish(phase=Phase.read("S1902M")))
        (to_come,) = sheets_of(event, Turn("1.1", Phase.read("S1902M"), Power.FRANCE))
        assert ScanReader.of(event, NoRecogniser()).vocabulary(to_come).lines == ()  # nobody knows its units


@pytest.mark.parametrize(
    ("opened", "told"),
    [
        ("S1901M", ""),
        ("F1901M", "; when it came, Spring 1901 was over and Fall 1901 open"),
        ("S1900M", ", for which it waits while Spring 1900 is open"),
    ],
)
def test_what_is_told_of_a_sheet_of_the_spring_depends_on_what_is_open(cup: Path, opened: str, told: str) -> None:
    with open_event(cup, clock) as event:
        value = write_position(find_game(event, "1").position) | {"phase": opened}
        append_fact(event.facts, "position set", {"board": "1.1", "position": value}, "Tess")
        assert _out_of_season(event, find_game(event, "1"), FIRST_PHASE, Power.FRANCE) == told
        end_game(event, find_game(event, "1"), Ending.TIME, by="Tess", why="the fire alarm")
        assert _out_of_season(event, find_game(event, "1"), FIRST_PHASE, Power.FRANCE) == "; the game is over"


def test_what_a_recogniser_accepts_is_adjudicated_as_it_read(cup: Path, papers: tuple[bytes, list[Path]]) -> None:
    only_england = [InkLine.without_place((InkReading(text, 1.0),), Tier.ACCEPTED) for text in OPENINGS[Power.ENGLAND]]
    scan(cup, papers[1], Recorded(only_england * 3))

    with open_event(cup, clock) as event:
        power = Desk.of(event).power(find_game(event, "1"), Power.ENGLAND)
        assert [row.ink for row in power.rows] == OPENINGS[Power.ENGLAND]
        assert not power.is_open


@pytest.mark.parametrize("engine", [Crashing(), Recorded([])])
def test_an_engine_that_fails_loses_no_sheet(cup: Path, papers: tuple[bytes, list[Path]], engine: Recogniser) -> None:
    told, problems = scan(cup, papers[1][-1:], engine)

    assert [page.tray for page in told] == ["filed"]
    assert problems == []


def test_the_same_file_taken_in_again_changes_nothing(
    tmp_path: Path, came_in: CameIn, papers: tuple[bytes, list[Path]]
) -> None:
    cup = came_in.copied(tmp_path / "cup")
    with open_event(cup, clock) as event:
        before = event.facts.last_number()

    told, _ = scan(cup, papers[1])

    assert told == []
    with open_event(cup, clock) as event:
        assert event.facts.last_number() == before


def test_bad_files_are_kept_named_and_do_not_stop_the_good_ones(
    cup: Path, papers: tuple[bytes, list[Path]], tmp_path: Path
) -> None:
    bad = {
        "letter.jpg": b"Dear TD, sorry, no scan today",
        "empty.pdf": b"",
        "hollow.pdf": b"%PDF-1.4\n%%EOF\n",
        "cut.jpg": papers[1][-1].read_bytes()[:2000],
    }
    for name, content in bad.items():
        (tmp_path / name).write_bytes(content)
    white = np.full((2339, 1654), 250, np.uint8)
    cv2.imwrite(str(tmp_path / "blank.png"), white)
    cv2.putText(white, "minutes of the club meeting", (200, 600), cv2.FONT_HERSHEY_SIMPLEX, 3, (0,), 6)
    cv2.imwrite(str(tmp_path / "minutes.png"), white)
    files = [
        *(tmp_path / name for name in bad),
        tmp_path / "nowhere.pdf",
        tmp_path / "blank.png",
        tmp_path / "minutes.png",
    ]

    (tmp_path / "scanned").mkdir()

    told, problems = scan(cup, [*files, tmp_path / "scanned", papers[1][-1]])

    assert problems == [
        f"stops  {tmp_path / 'nowhere.pdf'}: no such file; check the name",
        f"stops  {tmp_path / 'scanned'}: this is a folder; name the files in it, such as FOLDER/*, "
        "or watch it with --watch",
    ]
    letter = next(page.text for page in told if page.name == "letter.jpg")
    assert letter == "not a picture that can be opened; save it as pdf, tiff, jpeg or png", "no path of ours"
    trays = {page.name: page.tray for page in told}
    assert {trays[name] for name in bad} == {"unreadable"}
    assert trays["blank.png"] == "blank"
    assert trays["minutes.png"] in ("foreign", "unidentified")
    assert sum(page.tray == "filed" for page in told) == 1
    assert len(list((cup / "scans").iterdir())) == len(files), "every file is kept as it came"
    with open_event(cup, clock) as event:
        found = status(event)["problems"]
    assert {p["where"].split()[0] for p in found} == {*bad, "minutes.png"}


def test_another_events_sheet_is_foreign(tmp_path: Path, papers: tuple[bytes, list[Path]]) -> None:
    with open_event(seated(tmp_path / "other", code="ELSE"), clock) as event:
        print_round(event, 1)

    told, _ = scan(tmp_path / "other", papers[1][-1:])

    assert {page.tray for page in told} == {"foreign"}
    assert all("TEST" in page.text for page in told)
    pictures = [path for path in (tmp_path / "other" / "out" / "crops").iterdir() if "-r" not in path.name]
    assert len(pictures) == len(told), "whoever deals with the page sees it"


def test_a_sheet_that_was_never_printed_is_not_guessed(tmp_path: Path, papers: tuple[bytes, list[Path]]) -> None:
    told, _ = scan(seated(tmp_path / "cup"), papers[1][-1:])  # the same code, and no sheet printed

    assert {page.tray for page in told} == {"unidentified"}


def test_a_page_that_nobody_needs_is_put_aside(cup: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.jpg").write_bytes(b"Dear TD")
    white = np.full((1200, 900), 250, np.uint8)
    cv2.putText(white, "cover page", (100, 600), cv2.FONT_HERSHEY_SIMPLEX, 3, (0,), 6)
    cv2.imwrite(str(tmp_path / "cover.png"), white)
    scan(cup, [tmp_path / "cover.png"])
    with open_event(cup, clock) as event:
        page = next(event.facts.select(PageRead))
        with pytest.raises(Stopped, match="no sheet 'TEST-9999-Z' was printed"):
            identify_page(event, page, "TEST-9999-Z", NoRecogniser(), "Tess")
        with pytest.raises(Stopped, match="no such page was read"):
            find_page(event, "0123", 1)

        set_page_aside(event, find_page(event, page.said.sha256[:8], 1), "Tess", "a cover page")

        assert status(event)["problems"] == []


def test_a_scan_that_was_kept_and_not_read_is_read_the_next_time(cup: Path, papers: tuple[bytes, list[Path]]) -> None:
    with open_event(cup, clock) as event:
        receive(event, papers[1][0])
        assert "not read to its end" in status(event)["problems"][0]["text"]

    told, _ = scan(cup, [])

    assert told
    with open_event(cup, clock) as event:
        assert status(event)["problems"] == []


@pytest.mark.slow
def test_killed_at_any_moment_nothing_is_lost_and_nothing_doubled(cup: Path, papers: tuple[bytes, list[Path]]) -> None:
    rng = random.Random(7)
    command = [sys.executable, "-c", READ_ALL, str(cup), *map(str, papers[1])]
    for _ in range(3):
        process = subprocess.Popen(command)
        time.sleep(rng.uniform(0.2, 1.6))
        process.kill()
        process.wait()
    subprocess.run(command, check=True)

    with open_event(cup, clock) as event:
        pages = [(f.body["sha256"], f.body["page"]) for f in read_facts(event.facts, "page read")]
        received = [f.body["sha256"] for f in read_facts(event.facts, "scan received")]
        assert len(set(pages)) == len(pages) == 3
        assert len(set(received)) == len(received) == len(papers[1])
        assert status(event)["problems"] == []
    assert sorted(p.suffix for p in (cup / "scans").iterdir() if p.suffix != ".part") == sorted(
        p.suffix for p in papers[1]
    )


@pytest.mark.parametrize("markers", slow_after(1, [1, 4]))
def test_a_page_whose_codes_are_gone_is_named_by_a_person_and_then_read(
    came_in: CameIn, papers: tuple[bytes, list[Path]], tmp_path: Path, markers: int
) -> None:
    cup = came_in.copied(tmp_path / "cup")
    with open_event(cup, clock) as event:
        sheet, printed = next((s, p) for s, p in printed_sheets(event).items() if p.request.power is Power.FRANCE)
        page = next(f for f in read_facts(event.facts, "page read") if f.body["transcription"]["sheet_id"] == sheet)
        kept = cup / "out" / "crops" / f"{page.body['sha256'][:16]}-p{page.body['page']}.jpg"
    straight = cv2.imread(str(kept), cv2.IMREAD_GRAYSCALE)
    assert straight is not None
    per_mm = straight.shape[1] / printed.page.form.width
    for box in (*printed.page.form.codes, *printed.page.form.markers[:markers], printed.page.form.printed_id):
        left, top = int((box.left - 1) * per_mm), int((box.top - 1) * per_mm)
        right, low = int((box.left + box.width + 1) * per_mm), int((box.top + box.height + 1) * per_mm)
        straight[top:low, left:right] = 250
    cv2.imwrite(str(tmp_path / "torn.png"), straight)

    told, _ = scan(with_facts(tmp_path / "again", papers[0]), [tmp_path / "torn.png"])

    assert told[0].tray in ("doubtful", "unidentified"), "never filed by a guess"
    with open_event(tmp_path / "again", clock) as event:
        assert Desk.of(event).power(find_game(event, "1"), Power.FRANCE).state is SheetState.MISSING
        torn = next(event.facts.select(PageRead))
        assert (tmp_path / "again" / page_path(torn.said.sha256, 1)).is_file(), "a person sees it"
        other = next(s for s, p in printed_sheets(event).items() if p.request.power is Power.ENGLAND)
        identify_page(event, torn, other, NoRecogniser(), "Tess")
        assert Desk.of(event).power(find_game(event, "1"), Power.ENGLAND).state is not SheetState.MISSING
        identify_page(event, find_page(event, torn.said.sha256, 1), sheet, NoRecogniser(), "Tess")  # it was France's
        assert Desk.of(event).power(find_game(event, "1"), Power.ENGLAND).state is SheetState.MISSING
        rows = Desk.of(event).power(find_game(event, "1"), Power.FRANCE)
        assert (rows.state, len(rows.rows)) == (SheetState.IN, 3)
        assert status(event)["problems"] == []


def test_a_file_whose_name_is_no_text_is_kept_and_read(cup: Path, papers: tuple[bytes, list[Path]]) -> None:
    odd = cup.parent / "M\udcfcller\n1.jpg"  # as an old stick writes it, and a line break
    odd.write_bytes(b"Dear TD")

    told, problems = scan(cup, [odd, papers[1][-1]])

    assert problems == []
    assert sum(page.tray == "filed" for page in told) == 1
    assert told[0].name == r"M\xfcller\n1.jpg"
    with open_event(cup, clock) as event:
        assert [p["where"].split()[0] for p in status(event)["problems"]] == [r"M\xfcller\n1.jpg"]


def test_a_file_that_may_not_be_read_does_not_hold_up_the_others(
    cup: Path, papers: tuple[bytes, list[Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    secret, read = cup.parent / "secret.jpg", Path.open
    secret.write_bytes(b"ink")

    def forbidden(self: Path, *mode: str, **more: str) -> object:
        if self == secret:
            raise PermissionError(13, "Permission denied")
        return read(self, *mode, **more)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", forbidden)
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != secret)

    done = CliRunner().invoke(scan_command, [str(cup), str(secret), str(papers[1][0]), "--processes", "1"])

    assert done.exit_code == 1, done.output
    assert f"{secret}: the file cannot be read: Permission denied; see who may read it" in done.stderr
    assert done.stdout.startswith("filed")


def test_a_file_that_came_before_under_another_name_is_told_and_is_no_fault(
    cup: Path, papers: tuple[bytes, list[Path]]
) -> None:
    again = cup.parent / f"again{papers[1][0].suffix}"
    again.write_bytes(papers[1][0].read_bytes())

    done = CliRunner().invoke(scan_command, [str(cup), *map(str, (*papers[1], again)), "--processes", "1"])
    same_name = CliRunner().invoke(scan_command, [str(cup), str(papers[1][0]), "--processes", "1"])

    assert (done.exit_code, same_name.exit_code) == (0, 0)
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["filed"] * 3
    assert done.stderr == f"{again}: the same file as {papers[1][0].name}, byte for byte; it counts once\n"
    said = "this file came in before, byte for byte; it counts once, and was not read again"
    assert same_name.output == f"{papers[1][0]}: {said}\n"


def test_a_full_disk_names_every_file_that_could_not_be_kept(
    cup: Path, papers: tuple[bytes, list[Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(_: int) -> None:
        raise OSError(28, "No space left on device")

    scan(cup, papers[1][:1])
    monkeypatch.setattr("os.fsync", no_room)

    with pytest.raises(Stopped) as stopped:
        scan(cup, papers[1][1:])

    assert stopped.value.code == 4
    assert [problem.where for problem in stopped.value.problems] == [str(file) for file in papers[1][1:]]


def test_a_full_disk_while_pictures_are_kept_stops_the_reading_and_loses_nothing(
    cup: Path, papers: tuple[bytes, list[Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(path: Path, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr("pipeline.ledger.files.write_whole", no_room)
        with pytest.raises(Stopped, match="the disk is full; free some, then 'ordersheets scan' again"):
            scan(cup, papers[1][-1:])

    told, _ = scan(cup, [])

    assert [page.tray for page in told] == ["filed"]


def test_a_folder_that_was_copied_and_gone_on_from_refuses_what_the_other_printed(tmp_path: Path) -> None:
    """Both print serial 1: a sheet of the one is none of the other's, with its code and as a person types it."""
    one, other = seated(tmp_path / "one"), tmp_path / "other"
    shutil.copytree(one, other)
    with open_event(one, clock) as event:
        mine = print_round(event, 1).layout.pages[0].sheet
        cv2.imwrite(str(tmp_path / "page.png"), _draw_blank(event, mine))
    with open_event(other, clock) as event:
        theirs = print_round(event, 1).layout.pages[0].sheet
    assert (mine[:9], mine == theirs) == (theirs[:9], False)

    (page,), _ = scan(other, [tmp_path / "page.png"])
    assert (page.tray, "was not printed by this event" in page.text) == ("unidentified", True)
    with open_event(other, clock) as event:
        shown = find_page(event, next(f.said.sha256 for f in event.facts.select(PageRead)), 1)
        for typed in (mine, theirs[:9], f"{theirs[:9]}-{theirs[-1]}"):
            with pytest.raises(Stopped, match="was printed"):
                identify_page(event, shown, typed, NoRecogniser(), "Tess")
