"""What a person said of a page is taken back: it waits again, and all is as it was before."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from desk.cup import OPENINGS, clock, hand_in_all, hand_in_sheet, inked, printed, sheets_of, spring
from desk.sheets.test_strays import SCAN, waits
from facts_as_kept import append_fact

from pipeline.board import Power
from pipeline.desk.event.event import Event, open_event
from pipeline.desk.intake.ingest import find_page, identify_page, set_page_aside
from pipeline.desk.publish.publish import publish
from pipeline.desk.review.live import LiveDesk
from pipeline.desk.review.orders_shown import status
from pipeline.desk.review.queue import StrayPage, agenda
from pipeline.desk.sheets.sheets_in import sheets_in
from pipeline.desk.sheets.unfiled_pages import waiting_pages
from pipeline.journal.acts import undo_fact
from pipeline.journal.lines import journal
from pipeline.journal.undo_codes import UndoState
from pipeline.ledger.events import PageRead
from pipeline.problems import Stopped
from pipeline.reading.recogniser import NoRecogniser

AUSTRIA, ENGLAND = spring(Power.AUSTRIA), spring(Power.ENGLAND)


@pytest.fixture
def cup(tmp_path: Path) -> Iterator[Event]:
    with open_event(printed(tmp_path / "cup"), clock) as event:
        yield event


def as_it_is(event: Event) -> object:
    """Everything that a page changes."""
    told = status(event)
    return told["boards"], told["problems"], sheets_in(event), waiting_pages(event)


def read_as_well(event: Event, sheet: str, named: int) -> None:
    """The page was read again as the sheet that it was named, as `identify_page` writes it down."""
    rows = [inked(row, line) for row, line in enumerate(OPENINGS[Power.ENGLAND], start=1)]
    hand_in_sheet(event, sheet, rows, SCAN)
    assert event.facts.last_number() == named + 1


def name(event: Event, sheet: str) -> int:
    return identify_page(event, find_page(event, SCAN, 1), sheet, NoRecogniser(), "Tess").number


def test_a_page_that_was_put_aside_waits_again(cup: Event) -> None:
    hand_in_all(cup)
    waits(cup, sheets_of(cup, AUSTRIA))
    before, live = as_it_is(cup), LiveDesk(cup)
    aside = set_page_aside(cup, find_page(cup, SCAN, 1), "Tess", "a test print")
    live.refresh()
    assert not any(isinstance(item, StrayPage) for item in agenda(live))
    undo_fact(cup, aside.number, by="Tess")
    live.refresh()
    assert any(isinstance(item, StrayPage) for item in agenda(live))
    assert as_it_is(cup) == before
    with pytest.raises(Stopped):
        publish(cup, "1.1", "Tess")


def test_what_was_read_of_a_page_as_a_wrong_sheet_counts_no_more_with_its_name(cup: Event) -> None:
    hand_in_all(cup, but=Power.ENGLAND)
    wrong = sheets_of(cup, ENGLAND)[0]
    waits(cup, sheets_of(cup, AUSTRIA))
    before = as_it_is(cup)
    append_fact(cup.facts, "page identified", {"sha256": SCAN, "page": 1, "sheet": wrong}, "Tess")
    named = cup.facts.last_number()
    read_as_well(cup, wrong, named)
    assert len(sheets_in(cup)[ENGLAND]) == 1
    undo_fact(cup, named, by="Tess", why="it is Austria's")
    assert as_it_is(cup) == before
    lines = {line.fact.number: line for line in journal(cup)}
    assert [lines[number].standing for number in (named, named + 1)] == [UndoState.TAKEN_BACK] * 2
    assert len(list(cup.facts.select(PageRead))) == 8, "what was read stays written down"
