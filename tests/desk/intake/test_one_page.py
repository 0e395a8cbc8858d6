"""One page from the printer to the desk: printed, filled, scanned, read, and adjudicated as it was written."""

from pathlib import Path

from desk.cup import NAMES, OPENINGS, clock, openings_in, seated
from pipeline.board import Power
from pipeline.desk.event.event import open_event
from pipeline.desk.event.games import find_game
from pipeline.desk.event.seating import seat_round
from pipeline.desk.intake.ingest import PageIn, take_in
from pipeline.desk.ruling.desk import Desk
from pipeline.desk.sheets.printing import PrintWish, print_round
from pipeline.desk.sheets.unfiled_pages import stray_pages
from pipeline.orders import write
from pipeline.paper.sheet_rows import Design
from pipeline.reading.engine import NetRecogniser
from pipeline.reading.recogniser import NoRecogniser
from pipeline.rehearsal.simulated_scans import write_and_scan


def test_what_a_page_says_is_on_the_desk_and_nothing_wrong_is_unasked(tmp_path: Path) -> None:
    came_in: list[PageIn] = []
    with open_event(seated(tmp_path / "cup"), clock) as event:
        printed = print_round(event, 1, wish=PrintWish(design=Design.LINE))
        scans = write_and_scan(printed, openings_in(printed, {Power.FRANCE: 3}), tmp_path / "scans", seed=1)
        assert take_in(event, list(scans), NetRecogniser(), came_in.append) == ()
        rows = Desk.of(event).power(find_game(event, "1"), Power.FRANCE).rows

    assert [page.text for page in came_in] == ["board 1.1 FRANCE Spring 1901"]
    unasked = [write(row.order) for row in rows if row.order and not row.needs_director]
    assert len(unasked) >= 2, "a tidy hand is read"
    assert {*unasked} <= {*OPENINGS[Power.FRANCE]}


def test_a_page_that_was_printed_for_the_seats_of_an_earlier_draw_is_told_as_doubtful(tmp_path: Path) -> None:
    came_in: list[PageIn] = []
    with open_event(seated(tmp_path / "cup"), clock) as event:
        printed = print_round(event, 1, wish=PrintWish(design=Design.LINE))
        scans = write_and_scan(printed, openings_in(printed, {Power.FRANCE: 3}), tmp_path / "scans", seed=1)
        france, italy = NAMES[Power.FRANCE], NAMES[Power.ITALY]
        seat_round(event, 1, {"1": {**NAMES, Power.FRANCE: italy, Power.ITALY: france}}, by="Tess")
        take_in(event, list(scans), NoRecogniser(), came_in.append)
        assert [page.state for page in came_in] == ["doubtful"]
        assert came_in[0].text in next(stray_pages(event)).text
