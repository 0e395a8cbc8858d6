"""Several sheets on one picture are filed each by itself; the store keeps the one scan, and nothing counts twice."""

from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from facts_as_kept import read_facts
from reading.stand_ins import Recorded

from desk.cup import OPENINGS, clock, seated
from pipeline.board import Power
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.intake.ingest import PageIn, find_page, identify_page, take_in
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.sheets.printed import printed_sheets
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.desk.sheets.sheets_in import sheets_in
from pipeline.desk.sheets.unfiled_pages import stray_pages
from pipeline.ink import InkLine, InkReading, Note, Tier, page_in_words
from pipeline.orders import write
from pipeline.paper.sheet_rows import Design
from pipeline.pen.filling import fill
from pipeline.pen.hand import Hand
from pipeline.reading.engine import NetRecogniser
from pipeline.reading.recogniser import NoRecogniser
from pipeline.rehearsal.simulated_scans import Writer, _marks

DPI = 200
OPENING = OPENINGS[Power.FRANCE]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An event with one board."""
    return seated(tmp_path / "cup")


def picture(folder: Path, to: Path, *, torn: bool = False) -> Path:
    """France's and Italy's sheets on one picture; ``torn``: without France's codes and printed id."""
    with open_event(folder, clock) as event:
        printed = print_round(event, 1, wish=PrintWish(design=Design.LINE))
    sheets = []
    with pypdfium2.PdfDocument(printed.pdf) as document:
        for number, page in enumerate(printed.layout.pages):
            if page.power not in ("FRANCE", "ITALY"):
                continue
            drawn = document[number].render(scale=DPI / 72, grayscale=True).to_numpy()
            grey = np.array(drawn.reshape(drawn.shape[:2]), np.uint8)
            if torn and page.power == "FRANCE":
                for box in (*page.form.codes, page.form.printed_id):
                    left, top = (round((side - 1) * DPI / 25.4) for side in (box.left, box.top))
                    wide, high = (round((side + 2) * DPI / 25.4) for side in (box.width, box.height))
                    grey[top : top + high, left : left + wide] = 250
            sheets.append(grey)
    cv2.imwrite(str(to), np.hstack(sheets))
    return to


def test_each_sheet_is_filed_and_the_scan_is_kept_once(folder: Path, tmp_path: Path) -> None:
    told: list[PageIn] = []
    file = picture(folder, tmp_path / "table.png")
    with open_event(folder, clock) as event:
        take_in(event, [file], NoRecogniser(), told.append)
        take_in(event, [file], NoRecogniser(), told.append)  # it comes again: the same picture
        assert len(list(event.scans.iterdir())) == 1
        assert [(page.tray, page_in_words(page.page)) for page in told] == [
            ("filed", "page 1 part 1"),
            ("filed", "page 1 part 2"),
        ]
        assert {turn.power for turn in sheets_in(event)} == {Power.FRANCE, Power.ITALY}
        for fact in read_facts(event.facts, "page read"):
            assert len(fact.body["corners"]) == 4
        (read,) = read_facts(event.facts, "scan read")
        assert read.body["pages"] == 1


def test_a_part_that_cannot_be_told_is_named_by_a_person(folder: Path, tmp_path: Path) -> None:
    file = picture(folder, tmp_path / "table.png", torn=True)
    with open_event(folder, clock) as event:
        told: list[PageIn] = []
        take_in(event, [file], NoRecogniser(), told.append)
        stray = [page for page in told if page.tray != "filed"]
        assert [page_in_words(page.page) for page in stray] == ["page 1 part 1"]
        (problem,) = stray_pages(event)
        assert "table.png page 1 part 1" in problem.where
        left = find_page(event, next(iter(read_facts(event.facts, "page read"))).body["sha256"][:8], stray[0].page)
        identify_page(event, left, (left.said.offers or ())[0], NoRecogniser(), "Tess")
        assert not list(stray_pages(event))
        assert {turn.power for turn in sheets_in(event)} == {Power.FRANCE, Power.ITALY}
        take_in(event, (), NoRecogniser(), told.append)
        assert len(told) == 2


def in_two_resolutions(folder: Path, to: Path) -> list[Path]:
    """France's opening, written and signed in one hand; the one sheet scanned at 150 and at 300 dpi."""
    both = cv2.imread(str(picture(folder, to / "table.png")), cv2.IMREAD_GRAYSCALE)
    assert both is not None
    with open_event(folder, clock) as event:
        layout = next(s.page for s in printed_sheets(event).values() if s.request.power is Power.FRANCE)
    writer = Writer(hand=3, player="Cem", lines=dict(enumerate(OPENING, start=1)), slips={})
    blank = np.ascontiguousarray(both[:, : both.shape[1] // 2], np.uint8)
    france = fill(blank, layout.as_json(), _marks(writer), Hand.from_seed(writer.hand), np.random.default_rng(1))
    files = [to / "coarse.png", to / "fine.png"]
    for file, times in zip(files, (0.75, 1.5), strict=True):
        cv2.imwrite(str(file), cv2.resize(france, None, fx=times, fy=times, interpolation=cv2.INTER_AREA))
    return files


def test_of_one_page_in_two_resolutions_each_row_counts_once_by_the_scan_that_is_surer(
    folder: Path, tmp_path: Path
) -> None:
    first, second, third = OPENING
    coarse = [(first, Tier.ACCEPTED), (second, Tier.ASKED), (third, Tier.ACCEPTED)]
    fine = [(first, Tier.ASKED), (second, Tier.ACCEPTED), ("F BRE - ENG", Tier.ACCEPTED)]
    engine = Recorded([InkLine.without_place((InkReading(text, 0.9),), tier) for text, tier in (*coarse, *fine)])
    with open_event(folder, clock) as event:
        told: list[PageIn] = []
        take_in(event, in_two_resolutions(folder, tmp_path), engine, told.append)
        assert [page.tray for page in told] == ["filed", "filed"]
        ((turn, (sheet,)),) = sheets_in(event).items()
        assert (turn.power, len(sheet.scans), engine.script) == (Power.FRANCE, 2, [])
        assert [line.number for line in sheet.lines] == list(range(1, 18))
        written = [line for line in sheet.lines if line.tier is not Tier.BLANK]
        assert [(line.number, line.text, line.tier) for line in written[:2]] == [
            (1, first, Tier.ACCEPTED),
            (2, second, Tier.ACCEPTED),
        ]
        (differs,) = written[2:]
        assert (differs.number, differs.tier) == (3, Tier.ASKED)
        assert {reading.text for reading in differs.readings} == {third, "F BRE - ENG"}
        assert differs.notes == (Note.SCANS_DIFFER,)
        rows = Desk.of(event).power(find_game(event, "1"), Power.FRANCE).rows
        assert [(row.line, row.needs_director) for row in rows] == [(1, False), (2, False), (3, True)]


def test_the_net_reads_one_page_in_two_resolutions_and_takes_nothing_unasked_that_is_not_written(
    folder: Path, tmp_path: Path
) -> None:
    with open_event(folder, clock) as event:
        take_in(event, in_two_resolutions(folder, tmp_path), NetRecogniser(), lambda _: None)
        rows = Desk.of(event).power(find_game(event, "1"), Power.FRANCE).rows
    assert [row.line for row in rows] == [1, 2, 3]
    alone = {row.line: write(row.order) for row in rows if row.order and not row.needs_director}
    assert alone, "it is a plain hand"
    assert all(order == OPENING[line - 1] for line, order in alone.items())
